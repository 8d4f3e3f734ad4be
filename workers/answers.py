"""Closed approvals -> what the paused code is handed. Pure. Whatever is not exactly what the pause can take is no
answer at all: LangGraph may save a malformed one, and then the right one can never be given."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

from approvals.records import Approval
from approvals.rules.words import DecisionType, Shape, Status
from workers.telling import told_when_closed

NOBODY: Final = "nobody_answered"
ALLOWED: Final = "allowed"
# Under it an answer stands that is no object, in a form whose fields are an object's.
ANSWER: Final = "answer"


@dataclass(frozen=True, slots=True)
class Answer:
    """What to resume with."""

    value: Any


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The pause has no answer for how it was closed."""


def answer_to(approvals: Sequence[Approval]) -> Answer | NoAnswer:
    """The answer to one pause: `approvals` are all its questions, decided, in the order of their slots."""
    first = approvals[0]
    if [a.slot for a in approvals] != list(range(first.slots)) or any(a.status is Status.PENDING for a in approvals):
        return NoAnswer()
    match first.shape:
        case Shape.GATED:
            return Answer(wake(first))
        case Shape.PER_CALL:
            decision = decision_of(first)
            return Answer(decision) if decision else NoAnswer()
        case Shape.BATCHED:
            decisions = [decision_of(a) for a in approvals]
            return Answer({"decisions": decisions}) if all(decisions) else NoAnswer()
        case Shape.FREE_FORM:
            return free_answer(first)
        case _:
            assert_never(first.shape)


def wake(approval: Approval) -> dict[str, str]:
    """LangChain's decision for a call behind our own gate. It wakes the call; permission is the guard's to look up."""
    if approval.status is Status.APPROVED:
        # Edited or not: the guard runs the row's arguments. LangChain would check an edit against the tool's
        # schema of today, and raise where the guard closes the call as superseded.
        return {"type": "approve"}
    if approval.status is Status.ANSWERED:
        return {"type": "respond", "message": approval.response or ""}
    words = told_when_closed(approval) or approval.reason
    return {"type": "reject", "message": words} if words else {"type": "reject"}


def decision_of(approval: Approval) -> dict[str, Any] | None:
    """LangChain's decision for a call that only the agent's own middleware asks about; None if none of those that it
    takes would be true."""
    allowed = approval.answers.get(ALLOWED, ())
    decision = spoken(approval, allowed)
    return decision if decision and decision["type"] in allowed else None


def spoken(approval: Approval, allowed: Sequence[str]) -> dict[str, Any] | None:
    """What was decided. Silence is a rejection with the row's words; where there is no rejecting, an answer."""
    match approval.status:
        case Status.APPROVED if approval.revision > 1 or DecisionType.APPROVE not in allowed:
            # The tool's name is the row's: no edit can make it another tool's call.
            action = {"name": approval.tool, "args": json.loads(approval.args_json)}
            return {"type": "edit", "edited_action": action}
        case Status.APPROVED:
            return {"type": "approve"}
        case Status.ANSWERED:
            return {"type": "respond", "message": approval.response or ""}
        case Status.REJECTED:
            return {"type": "reject", "message": approval.reason} if approval.reason else {"type": "reject"}
        case Status.EXPIRED | Status.CANCELLED | Status.SUPERSEDED:
            kind = DecisionType.REJECT if DecisionType.REJECT in allowed else DecisionType.RESPOND
            return {"type": kind.value, "message": told_when_closed(approval) or ""}
        case Status.PENDING:
            return None
        case _:
            assert_never(approval.status)


def free_answer(approval: Approval) -> Answer | NoAnswer:
    """By the configuration's words for it, else what was written."""
    answers = approval.answers
    match approval.status:
        case Status.APPROVED if DecisionType.APPROVE in answers:
            return Answer(answers[DecisionType.APPROVE])
        case Status.REJECTED if DecisionType.REJECT in answers:
            return Answer(filled(answers[DecisionType.REJECT], "{reason}", approval.reason or ""))
        case Status.ANSWERED if DecisionType.RESPOND in answers:
            return Answer(filled(answers[DecisionType.RESPOND], "{response}", approval.response or ""))
        case Status.ANSWERED:
            return written(approval)
        case Status.EXPIRED if NOBODY in answers:
            return Answer(answers[NOBODY])
        case _:
            return NoAnswer()


def written(approval: Approval) -> Answer | NoAnswer:
    """A text as it is; the fields of a form as the value that they make."""
    schema = approval.answer_schema
    if schema is None:
        return Answer(approval.response or "")
    try:
        fields = json.loads(approval.response or "")
    except ValueError:
        return NoAnswer()
    return Answer(fields[ANSWER]) if is_wrapped(schema) and ANSWER in fields else Answer(fields)


def form_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of the form's fields: an answer that is no object is the one field of one."""
    if schema.get("type") == "object" or "properties" in schema:
        return dict(schema)
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    wrapped = {"type": "object", "properties": {ANSWER: inner}, "required": [ANSWER], "x-wrapped": True}
    return {**wrapped, "$defs": schema["$defs"]} if "$defs" in schema else wrapped


def is_wrapped(schema: Mapping[str, Any]) -> bool:
    """Whether the form's one field is the answer itself."""
    return bool(schema.get("x-wrapped"))


def filled(value: Any, placeholder: str, words: str) -> Any:
    """A configured value with a person's words where it says so, however deep."""
    if isinstance(value, str):
        return value.replace(placeholder, words)
    if isinstance(value, list):
        return [filled(one, placeholder, words) for one in value]
    if isinstance(value, Mapping):
        return {key: filled(one, placeholder, words) for key, one in value.items()}
    return value
