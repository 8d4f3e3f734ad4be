"""One LangGraph thread: read where it stands, and push it on by one step. The only calls of an agent."""

from dataclasses import dataclass
from typing import Any

import psycopg
import structlog
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, PregelTask

from approvals.failpoints import Point, reach
from approvals.records import Approval, Message, RunId
from approvals.rules.words import Status
from workers.interrupts import Pending, read_interrupts
from workers.stopping import Stopping
from workers.telling import told_when_closed

# Without it a resume for a question that is gone answers the next one, or starts a lost thread from scratch.
# It is LangGraph's own key for its server; tests/workers/test_canaries.py tells when it stops working.
STRICT_RESUME = "__pregel_strict_resume"

log = structlog.get_logger()

Agent = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a thread stands. `message_ids` and `answer` are of the saved conversation."""

    exists: bool
    open_tasks: bool
    half_done: bool
    pending: tuple[Pending, ...]
    message_ids: frozenset[str]
    answer: AIMessage | ToolMessage | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is saved of a thread cannot be read. As text: half a sentence for people."""

    reason: str


class Thread:
    """The agent's graph at one run's thread. Only the id is ever in the configuration: a checkpoint id would
    turn a resume into a replay."""

    def __init__(
        self, agent: Agent, run_id: RunId, stopping: Stopping, watches: BaseCallbackHandler | None = None
    ) -> None:
        self._agent, self._stopping = agent, stopping
        self._config: RunnableConfig = {
            "configurable": {"thread_id": run_id, STRICT_RESUME: True},
            "callbacks": [watches] if watches else [],
        }

    def read(self) -> Standing:
        """Where it stands, from the saver."""
        state = self._agent.get_state(self._config)
        messages = state.values.get("messages", []) if isinstance(state.values, dict) else []
        return Standing(
            exists=state.created_at is not None,
            open_tasks=bool(state.tasks),
            half_done=any(is_half_done(task) for task in state.tasks),
            pending=read_interrupts(state.interrupts),
            message_ids=frozenset(m.id for m in messages if m.id),
            answer=last_answer(messages),
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

    def deliver(self, message: Message) -> None:
        """Give the agent a person's message. The message's own id makes a repeat recognizable."""
        said = HumanMessage(content=message.text, id=message.id)
        self._push({"messages": [said]})

    def go_on(self) -> None:
        """Go on from the last checkpoint."""
        self._push(None)

    def answer(self, interrupt_id: str, approval: Approval) -> None:
        """Wake one paused call, by its id and no other."""
        reach(Point.BEFORE_RESUME)
        self._push(Command(resume={interrupt_id: as_decision(approval)}))
        reach(Point.AFTER_RESUME)

    def _push(self, what: Any) -> None:
        reach(Point.BEFORE_INVOKE)
        self._agent.invoke(what, self._config, durability="sync")
        reach(Point.AFTER_INVOKE)


def as_decision(approval: Approval) -> dict[str, str]:
    """LangChain's decision for a closed approval. It wakes the call; permission is the guard's to look up."""
    if approval.status is Status.APPROVED:
        # Edited or not: the guard runs the row's arguments. LangChain would check an edit against the tool's
        # schema of today, and raise where the guard closes the call as superseded.
        return {"type": "approve"}
    if approval.status is Status.ANSWERED:
        return {"type": "respond", "message": approval.response or ""}
    words = told_when_closed(approval) or approval.reason
    return {"type": "reject", "message": words} if words else {"type": "reject"}


def is_half_done(task: PregelTask) -> bool:
    """A task that was begun and neither ended nor asked anything: its process died, or it raised."""
    return not task.interrupts and task.result is None


def last_answer(messages: list[Any]) -> AIMessage | ToolMessage | None:
    """The end of a turn: the agent's words, or the result of a tool that ends it (`return_direct`)."""
    last = messages[-1] if messages else None
    if isinstance(last, ToolMessage):
        return last
    return last if isinstance(last, AIMessage) and not last.tool_calls else None
