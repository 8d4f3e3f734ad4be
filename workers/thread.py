"""One LangGraph thread: read where it stands, and push it on by one step. The only calls of an agent."""

from collections.abc import Callable, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, cast

import psycopg
import structlog
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, PregelTask, StateSnapshot

from approvals.failpoints import Point, reach
from approvals.records import Message, Run, RunId
from approvals.rules.redact import hide_text
from workers.agents.reach import schema_of
from workers.agents.speech import Said, Speech, about, read_output
from workers.answers import Answer
from workers.ending import Ending
from workers.interrupts import Pending, read_interrupts
from workers.listening import MODEL_NODE, Event, modes_of
from workers.question import last_words
from workers.said_last import answered, last_answer, last_turn, unanswered
from workers.stopping import Stopping

# Without it a resume for a question that is gone answers the next one, or starts a lost thread from scratch.
# It is LangGraph's own key for its server; tests/workers/test_canaries.py tells when it stops working.
STRICT_RESUME = "__pregel_strict_resume"

# How LangGraph begins the path of a task that was sent, as each tool call is.
PUSH: Final = "__pregel_push"

# Under it each checkpoint carries, in its metadata, the id of the message that it came of.
TURN: Final = "countersign_message"

log = structlog.get_logger()

Agent = CompiledStateGraph[Any, Any, Any, Any]
SPEAKS_MESSAGES: Final = Speech()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a thread stands. `message_ids`, `answer`, whether calls are `unanswered`, the agent's last `claim` and
    the `messages` are of the saved conversation. `turn` is the id of the message that was delivered last ("" if that
    is not known), and `said` what the agent's own `output` makes of a turn that is over. `secrets`: what nothing that
    the agent says may show. `open_calls`: the tasks that have no result, named as in `checkpoint_ns`."""

    exists: bool
    open_tasks: bool
    half_done: bool
    pending: tuple[Pending, ...]
    message_ids: frozenset[str]
    answer: AIMessage | ToolMessage | None
    unanswered: bool = False
    claim: str = ""
    turn: str = ""
    said: Said | None = None
    messages: Sequence[BaseMessage] = ()
    secrets: frozenset[str] = frozenset()
    open_calls: frozenset[str] = frozenset()

    def words_of(self, ids: Set[str]) -> tuple[str, str] | None:
        """The agent's message that is called by one of these ids: its id, and what it says, without secrets."""
        found = next((m for m in self.messages if isinstance(m, AIMessage) and m.id in ids), None)
        return (found.id or "", hide_text(str(found.text), self.secrets)) if found else None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is saved of a thread cannot be read. As text: half a sentence for people."""

    reason: str


class Thread:
    """The agent's graph at one run's thread. Only the id is ever in the configuration: a checkpoint id would
    turn a resume into a replay."""

    def __init__(
        self,
        agent: Agent,
        run_id: RunId,
        stopping: Stopping,
        watches: BaseCallbackHandler | None = None,
        listener: Callable[[Agent, Event], None] = lambda *_: None,
        speech: Speech = SPEAKS_MESSAGES,
        secrets: Callable[[Sequence[BaseMessage], Sequence[Pending]], frozenset[str]] = lambda *_: frozenset(),
        ending: Ending | None = None,
    ) -> None:
        self._secrets = secrets
        self._agent, self._stopping, self._listener, self._speech = agent, stopping, listener, speech
        self._ending = ending
        self._config: RunnableConfig = {
            "configurable": {"thread_id": run_id, STRICT_RESUME: True},
            "callbacks": [one for one in (watches, ending) if one is not None],
        }

    def read(self) -> Standing:
        """Where it stands, from the saver."""
        state = self._agent.get_state(self._config)
        messages, turn = messages_of(state), turn_of(state)
        self._keep_turn(turn)
        pending = tuple(p for task in state.tasks for p in read_interrupts(task.interrupts, asker_of(task, messages)))
        return Standing(
            exists=state.created_at is not None,
            open_tasks=bool(state.tasks),
            half_done=any(is_half_done(task) for task in state.tasks),
            pending=pending,
            message_ids=frozenset(m.id for m in messages if m.id),
            answer=None if was_closed(state) else last_answer(messages),
            unanswered=tools_node(self._agent) is not None and bool(unanswered(messages)),
            claim=last_words({"messages": messages}),
            turn=turn,
            said=self._said(state, turn),
            messages=messages,
            secrets=self._secrets(messages, pending),
            open_calls=frozenset(f"{task.name}:{task.id}" for task in state.tasks if task.result is None),
        )

    def read_or_say(self) -> Standing | Unreadable:
        """Where it stands, or why nobody can say: what is saved may name anything, and the other threads must go on.
        Raises what only means that Postgres is away."""
        try:
            return self.read()
        except psycopg.OperationalError:
            raise
        except Exception as error:
            log.warning("thread.unreadable", thread_id=self._config["configurable"]["thread_id"], exc_info=True)
            return Unreadable(f"what was saved of it cannot be read ({type(error).__name__}).")

    def deliver(self, run: Run, message: Message) -> None:
        """Give the agent a person's message. The message's own id makes a repeat recognizable."""
        takes = self._speech.takes
        said = HumanMessage(content=message.text, id=message.id)
        given = takes(message.text, about(run, message)) if takes else {"messages": [said]}
        if given is None:
            # LangGraph would take it for "go on from the last checkpoint".
            raise ValueError("the agent's input function returned nothing for the graph to begin with")
        self._keep_turn(message.id)
        self._push(given)

    def go_on(self) -> None:
        """Go on from the last checkpoint."""
        self._push(None)

    def answer(self, interrupt_id: str, answer: Answer) -> None:
        """Wake one pause, by its id and no other."""
        reach(Point.BEFORE_RESUME)
        self._push(Command(resume={interrupt_id: answer.value}))
        reach(Point.AFTER_RESUME)

    def arguments_of(self, tool: str) -> dict[str, Any]:
        """The JSON Schema of a tool's arguments; empty if the agent has no such tool."""
        return schema_of(self._agent, tool)

    def close_turn(self, told: Callable[[ToolCall], str]) -> None:
        """End the turn that the thread is in, without running anything of it: each of its calls that has no answer is
        given one, so that the history is one which a provider takes; the model hears them when the run goes on."""
        state = self._agent.get_state(self._config)
        messages = messages_of(state)
        node = tools_node(self._agent)
        if unanswered(messages) and node:
            self._agent.update_state(self._config, {"messages": answered(messages, told)}, as_node=node)
        elif state.tasks:
            # A pause in a node of the agent's own: LangGraph's own way to clear what is left.
            self._agent.update_state(self._config, None, as_node=END)

    def drop_words(self) -> None:
        """Of a run that was ended: where nothing is left to do but to ask the model, it is not asked. What follows is
        the next message."""
        state = self._agent.get_state(self._config)
        if state.tasks and all(asks_model(task.name) for task in state.tasks):
            self._agent.update_state(self._config, None, as_node=END)

    def _keep_turn(self, turn: str) -> None:
        """All that is saved from now on comes of this message: LangGraph keeps metadata with every checkpoint."""
        self._config["metadata"] = {TURN: turn} if turn else {}

    def _said(self, state: StateSnapshot, turn: str) -> Said | None:
        """Nothing while the turn goes on, and nothing where it was closed for the agent."""
        if not self._speech.says or state.tasks or not turn or was_closed(state):
            return None
        return read_output(self._speech.says, state.values, turn)

    def _push(self, what: Any) -> None:
        reach(Point.BEFORE_INVOKE)
        control = self._stopping.control()
        with self._ending.watch(control) if self._ending else nullcontext():
            for event in self._agent.stream(
                what,
                self._config,
                stream_mode=modes_of(self._agent),
                durability="sync",
                subgraphs=True,
                control=control,
            ):
                self._listener(self._agent, cast(Event, event))
        reach(Point.AFTER_INVOKE)


def turn_of(state: StateSnapshot) -> str:
    """The id of the message that the newest checkpoint came of."""
    return str((state.metadata or {}).get(TURN) or "")


def was_closed(state: StateSnapshot) -> bool:
    """Whether the newest checkpoint is none of the agent's own: what it left is no answer."""
    return (state.metadata or {}).get("source") == "update"


def asks_model(node: str) -> bool:
    """Whether a node of LangChain's agents asks the model, or makes ready for it."""
    return node == MODEL_NODE or node.endswith(".before_model")


def messages_of(state: StateSnapshot) -> list[BaseMessage]:
    """The conversation, of agents that have one."""
    found = state.values.get("messages", []) if isinstance(state.values, dict) else []
    return found if isinstance(found, list) else []


def tools_node(agent: Agent) -> str | None:
    """The node that runs tools, if the graph has one."""
    return next((name for name, node in agent.nodes.items() if isinstance(node.bound, ToolNode)), None)


def asker_of(task: PregelTask, messages: Sequence[BaseMessage]) -> str:
    """Who asks, where it is not our gate that says so: the subagent to which the paused call was handed, else the
    paused tool; "" for a node. LangGraph numbers the tool tasks of a turn by the turn's calls."""
    turn, place = last_turn(messages), task.path[1] if len(task.path) > 1 else None
    if turn is None or task.path[0] != PUSH or not isinstance(place, int) or place >= len(turn.tool_calls):
        return ""
    call = turn.tool_calls[place]
    return str(call["args"].get("subagent_type") or call["name"])


def is_half_done(task: PregelTask) -> bool:
    """A task that was begun and neither ended nor asked anything: its process died, or it raised."""
    return not task.interrupts and task.result is None
