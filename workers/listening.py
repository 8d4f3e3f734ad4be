"""What LangGraph streams of a run, while it runs, to whoever shows it: the agent's own words as they come, and what
tools write of how far they are. What it means that a run paused or ended is never read from here."""

from collections.abc import Mapping
from typing import Any, Final

from langchain_core.messages import AIMessageChunk
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamMode

from approvals.ledger.status_line import CALLING, NOTE
from approvals.records import Run
from workers.agents.speech import Speech
from workers.drafter import Drafter
from workers.progress import WRITING, Teller, Watches

# What LangChain's agents call the node that asks their model. Middlewares of theirs may ask models too.
MODEL_NODE: Final = "model"
LAST: Final = "last"
# As much of a note as may hold a value that must be hidden; far less is shown.
LONGEST_NOTE: Final = 5_000
TEXT_KEYS: Final = ("progress", "message", "text", "status")

# How LangChain's agents call the nodes of middlewares that are asked after the model: by their names.
AFTER: Final = (".after_model", ".after_agent")
# Those that only ask, count or refuse: the gate, and some of LangChain's own.
CHANGE_NO_WORDS: Final = frozenset(
    {
        "CountersignGate",
        "HumanInTheLoopMiddleware",
        "TodoListMiddleware",
        "ModelCallLimitMiddleware",
        "ToolCallLimitMiddleware",
    }
)

Event = tuple[tuple[str, ...], str, Any]


def modes_of(agent: CompiledStateGraph[Any, Any, Any, Any]) -> list[StreamMode]:
    """What to stream of it: an agent that keeps no conversation has no answers either."""
    return ["messages", "custom"] if "messages" in agent.channels else ["custom"]


class Listener:
    """Hears one run's stream. Keeps nothing waiting, and raises nothing."""

    def __init__(self, run: Run, drafter: Drafter | None, teller: Teller, watches: Watches) -> None:
        self._run, self._drafter, self._teller, self._watches = run, drafter, teller, watches
        # Of each task: under which id its message began, until its last chunk.
        self._began: dict[str, str] = {}
        # The message of which it was told that it is being written.
        self._written = ""

    def __call__(self, agent: CompiledStateGraph[Any, Any, Any, Any], event: Event) -> None:
        namespace, mode, data = event
        if mode == "custom":
            self._note(namespace, data)
        elif mode == "messages" and not namespace:
            message, metadata = data
            node = metadata.get("langgraph_node")
            if isinstance(message, AIMessageChunk) and (node == MODEL_NODE or MODEL_NODE not in agent.nodes):
                self._words(message, str(metadata.get("langgraph_checkpoint_ns")))

    def _words(self, chunk: AIMessageChunk, task: str) -> None:
        """A message's id may change on the way, from LangChain's own to the provider's; its first one names it here."""
        message_id = self._began.setdefault(task, chunk.id or "")
        words = str(chunk.text)
        if message_id and words and message_id != self._written:
            self._written = message_id
            self._teller.say(self._run.id, WRITING)
        if message_id and self._drafter is not None:
            self._drafter.hear(self._run, message_id, words, called=chunk.id or message_id)
        if chunk.chunk_position == LAST:
            del self._began[task]

    def _note(self, namespace: tuple[str, ...], data: object) -> None:
        note, tool = note_in(data), self._watches.running_in(namespace)
        if note and tool:
            self._teller.say(self._run.id, f"{CALLING}{tool}{NOTE}{note}")


def shown_as_written(agent: CompiledStateGraph[Any, Any, Any, Any], speech: Speech) -> bool:
    """Pure. Whether its model's words may be shown while they are written: not where what is said at the end is
    another thing, because a function of the agent's own says it, or a middleware of its own comes after the model and
    may take something out."""
    after = {name.partition(".")[0] for name in agent.nodes if name.endswith(AFTER)}
    return not speech.says and after <= CHANGE_NO_WORDS


def note_in(data: object) -> str:
    """What a tool wrote of how far it is: text, or a text in a mapping. Anything else is not meant for people."""
    if isinstance(data, Mapping):
        data = next((data[key] for key in TEXT_KEYS if isinstance(data.get(key), str)), "")
    return " ".join(data[:LONGEST_NOTE].split()) if isinstance(data, str) else ""
