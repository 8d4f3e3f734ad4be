"""A tool's outcome, kept so that the agent can be given it again: as text for people, as bytes for LangGraph."""

from typing import Any

import structlog
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

from approvals.records import Approval
from approvals.rules.transitions import Verb
from workers.content import as_text
from workers.telling import told_when_ended, told_when_raised

Outcome = ToolMessage | Command[Any]

SHOWN_LIMIT = 20_000

log = structlog.get_logger()


class OutcomeUnknown(Exception):
    """A tool's call gave no answer and may have had its effect all the same, or may have it yet. As text: why that is
    so, for people. Raised by what stands between the guard and a tool; it never reaches LangGraph."""


def refused(call: dict[str, Any], words: str) -> ToolMessage:
    """The answer to a call that did not run, or did not succeed."""
    return ToolMessage(content=words, name=call["name"], tool_call_id=call["id"], status="error")


def shown(outcome: object) -> str:
    """The outcome as people read it on the card."""
    if isinstance(outcome, ToolMessage):
        return as_text(outcome.content)[:SHOWN_LIMIT]
    if isinstance(outcome, Command):
        messages = outcome.update.get("messages", []) if isinstance(outcome.update, dict) else []
        return "\n".join(as_text(m.content) for m in messages if isinstance(m, ToolMessage))[:SHOWN_LIMIT]
    return as_text(outcome)[:SHOWN_LIMIT]


def verb_of(outcome: Outcome) -> Verb:
    """What the row says of an outcome that the tool reported itself."""
    return Verb.FAIL if isinstance(outcome, ToolMessage) and outcome.status == "error" else Verb.FINISH


def words_of(approval: Approval, error: BaseException) -> str:
    """What is said of a tool that raised."""
    log.warning("guard.tool_raised", approval_id=approval.id, error=type(error).__name__)
    return told_when_raised(approval.tool, error, words_for_model=isinstance(error, ToolException))


def keep(outcome: object) -> bytes | None:
    """The outcome as LangGraph's own serializer writes it; None if it cannot be read back as it was."""
    serializer = JsonPlusSerializer()
    try:
        kind, blob = serializer.dumps_typed(outcome)
        same = serializer.loads_typed((kind, blob)) == outcome
    except (TypeError, ValueError):
        return None
    return kind.encode() + b"\0" + blob if same else None


def replayed(approval: Approval, call: dict[str, Any]) -> Outcome:
    """The outcome that is on record, without running anything: the very message if it was kept, else the
    row's words (a person's note has never been a message)."""
    if approval.replay:
        kind, _, blob = approval.replay.partition(b"\0")
        kept = JsonPlusSerializer().loads_typed((kind.decode(), blob))
        if isinstance(kept, ToolMessage | Command):
            return kept
    words, succeeded = told_when_ended(approval)
    if not succeeded:
        return refused(call, words)
    return ToolMessage(content=words, name=call["name"], tool_call_id=call["id"])
