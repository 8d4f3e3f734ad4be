"""What the agent is told about a call: the row's own words. Pure."""

from collections.abc import Sequence
from typing import assert_never

from approvals.records import Approval
from approvals.rules.words import Effect, Status

CHANGED = "Not run: the rule or the tool changed while this call waited. Call it again if it is still needed."
NO_RECORD = "Not run: no approval is on record for this call. Call it again if it is still needed."


def told_when_closed(approval: Approval) -> str | None:
    """The message for a call that did not run, or None where LangChain's own words are right (a person
    rejected or answered)."""
    match approval.status:
        case Status.EXPIRED:
            return (
                f"Not run: nobody answered the request for `{approval.tool}` in time. This is no rejection by a "
                "person. Do not repeat the call unless somebody asks for it."
            )
        case Status.CANCELLED:
            return f"Not run: the request for `{approval.tool}` was cancelled. {approval.reason or ''}".strip()
        case Status.SUPERSEDED if approval.reason:
            return f"Not run: {approval.reason.removesuffix('.')}. Call it again if it is still needed."
        case Status.SUPERSEDED:
            return CHANGED
        case Status.PENDING | Status.APPROVED | Status.REJECTED | Status.ANSWERED:
            return None
        case _:
            assert_never(approval.status)


def told_when_abandoned(tool: str, tool_call_id: str | None, known: Sequence[Approval], reason: str) -> str:
    """The message for a call of a turn that was closed: what its own row says, if it has one and nobody can decide it
    any more. A middleware that asks for a whole turn names no call: there the tool's name must do."""
    row = next((a for a in known if tool_call_id and a.guarded and a.tool_call_id == tool_call_id), None)
    row = row or next((a for a in known if not a.guarded and a.tool == tool), None)
    if row is not None and row.effect is Effect.UNKNOWN:
        return f"It is not known whether `{tool}` had its effect: it was interrupted. A person was asked to look."
    if row is not None and row.effect is Effect.PAUSED:
        return f"`{tool}` began, stopped at a question of its own, and was not gone on with: {reason}."
    if row is not None and row.status in (Status.EXPIRED, Status.CANCELLED):
        return told_when_closed(row) or CHANGED
    return f"Not run: {reason}. Call it again if it is still needed."


def told_when_ended(approval: Approval) -> tuple[str, bool]:
    """The message for a call whose effect has an outcome, and whether it is a success."""
    match approval.effect:
        case Effect.DONE:
            return approval.result or "", True
        case Effect.FAILED if approval.settled_by:
            note = f" {approval.result}" if approval.result else ""
            return f"It did not happen: a person checked after `{approval.tool}` was interrupted.{note}", False
        case Effect.FAILED:
            return approval.result or f"`{approval.tool}` failed.", False
        case Effect.NONE | Effect.STARTED | Effect.PAUSED | Effect.UNKNOWN:
            raise ValueError(f"{approval.id} has no outcome yet: {approval.effect}")
        case _:
            assert_never(approval.effect)


def told_when_raised(tool: str, error: BaseException, *, words_for_model: bool) -> str:
    """The message for a tool that raised. Only a tool's own words for the model are passed on: the text of
    any other exception may hold secrets, and the tool may have acted before it raised."""
    if words_for_model:
        return str(error)
    return (
        f"`{tool}` raised {type(error).__name__}. It was not run again, and it may have had an effect before it "
        "failed: check before you call it again."
    )
