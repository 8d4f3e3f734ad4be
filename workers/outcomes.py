"""A tool's outcome, kept so that the agent can be given it again: as text for people, as bytes for LangGraph."""

import json
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

from approvals.records import Approval
from workers.telling import told_when_ended

Outcome = ToolMessage | Command[Any]

SHOWN_LIMIT = 20_000


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


def as_text(content: object) -> str:
    """Text as it is, anything else as JSON."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str)


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
