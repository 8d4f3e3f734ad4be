"""LangGraph's pending interrupts -> our values. The only place that reads interrupt values. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Interrupt
from pydantic import ValidationError

from approvals.ledger.open_approval import Proposal
from approvals.records import ApprovalId
from approvals.rules.digest import canonical
from approvals.rules.rule import Rule
from approvals.rules.words import DecisionType, Shape
from workers.gate import PROVENANCE
from workers.own_questions import AWAITS_PERSON

# Under it stands a question that is no object; it is also the tool's name for whatever no type is configured for.
FREE_FORM = "interrupt"


@dataclass(frozen=True, slots=True)
class Waits:
    """The guard itself pauses a call whose approval exists: a person must speak first."""

    interrupt_id: str
    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a pause that is not our gate's. `kind` is the tool, or the `type` of a free-form payload ("" if
    it has none); `allowed` is empty where any answer will do."""

    interrupt_id: str
    shape: Shape
    kind: str
    args_json: str
    slot: int = 0
    slots: int = 1
    allowed: tuple[DecisionType, ...] = ()
    answer_schema: Mapping[str, Any] | None = None
    args_schema: Mapping[str, Any] = field(default_factory=dict)
    asker: str = ""


@dataclass(frozen=True, slots=True)
class Unshowable:
    """A pause that this release cannot carry to people."""

    interrupt_id: str
    what: str


Pending = Proposal | Asked | Waits | Unshowable


def read_interrupts(interrupts: Iterable[Interrupt], asker: str = "") -> tuple[Pending, ...]:
    """Every question of these interrupts, each id once (LangGraph lists a subgraph's twice), in order."""
    by_id = {interrupt.id: interrupt for interrupt in interrupts}
    return tuple(question for one in by_id.values() for question in read_interrupt(one, asker))


def read_interrupt(interrupt: Interrupt, asker: str = "") -> tuple[Pending, ...]:
    """One interrupt: a question, or all those of one turn."""
    value: Any = interrupt.value
    if isinstance(value, dict):
        kind = value.get("type")
        if kind == AWAITS_PERSON:
            return (Waits(interrupt.id, ApprovalId(value["approval"])),)
        if kind == "tool_approval" and PROVENANCE in value:
            return (proposal(interrupt.id, value),)
        if kind == "tool_approval" and interrupt.response_schema is not None:
            return (per_call(interrupt, value, asker),)
        if "action_requests" in value and "review_configs" in value:
            return batched(interrupt.id, value, asker)
    return (free_form(interrupt, asker),)


def proposal(interrupt_id: str, value: dict[str, Any]) -> Pending:
    """A gated call, as the gate described it."""
    told = value[PROVENANCE]
    try:
        rule = Rule.model_validate(told["rule"])
    except ValidationError:
        return Unshowable(interrupt_id, "a gated call with a rule that this release cannot read")
    return Proposal(
        interrupt_id=interrupt_id,
        checkpoint_ns=told["checkpoint_ns"],
        tool_call_id=value["tool_call_id"],
        tool=told.get("tool", value["name"]),
        tool_hash=told["tool_hash"],
        args_json=told["args_json"],
        rule=rule,
        claim=told["claim"],
        args_schema=told.get("args_schema", {}),
        filled_in=tuple(told.get("filled_in", ())),
        asker=told.get("asker", ""),
        fingerprint=told.get("fingerprint"),
    )


def per_call(interrupt: Interrupt, value: Mapping[str, Any], asker: str) -> Pending:
    """One call of a middleware that the agent brought. What may be said to it stands in its response schema."""
    branches = branches_of(interrupt.response_schema)
    allowed = tuple(one for one in DecisionType if one in branches)
    if not allowed or not isinstance(value.get("name"), str):
        return Unshowable(interrupt.id, "a tool approval that does not say what may be answered")
    return Asked(
        interrupt_id=interrupt.id,
        shape=Shape.PER_CALL,
        kind=value["name"],
        args_json=as_arguments(value.get("args")),
        allowed=allowed,
        args_schema=edit_schema(interrupt.response_schema, branches),
        asker=asker,
    )


def branches_of(schema: Any) -> dict[str, Mapping[str, Any]]:
    """The decisions of a response schema by their type, each with its own schema."""
    if not isinstance(schema, Mapping):
        return {}
    definitions = schema.get("$defs", {})
    listed = schema.get("oneOf") or [schema]
    found = [resolved(one, definitions) for one in listed if isinstance(one, Mapping)]
    return {one.get("properties", {}).get("type", {}).get("const", ""): one for one in found}


def resolved(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a `$ref` into `$defs` refers to, or the schema itself."""
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    found = definitions.get(name, schema)
    return found if isinstance(found, Mapping) else {}


def edit_schema(schema: Any, branches: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of the tool's arguments, from the branch that lets them be edited."""
    definitions = schema.get("$defs", {})
    edit = branches.get(DecisionType.EDIT, {})
    action = resolved(edit.get("properties", {}).get("edited_action", {}), definitions)
    args = resolved(action.get("properties", {}).get("args", {}), definitions)
    return {**args, "$defs": definitions} if args else {}


def batched(interrupt_id: str, value: Mapping[str, Any], asker: str) -> tuple[Pending, ...]:
    """All gated calls of one turn, in their order. What does not add up is carried to nobody: a wrong count would be
    saved, and could never be answered rightly afterwards."""
    actions, reviews = value["action_requests"], value["review_configs"]
    try:
        allowed = [tuple(DecisionType(one) for one in review["allowed_decisions"]) for review in reviews]
        same = [action["name"] for action in actions] == [review["action_name"] for review in reviews]
        if not same or not actions or not all(allowed):
            raise ValueError("requests and reviews are not about the same calls")
        return tuple(
            Asked(
                interrupt_id=interrupt_id,
                shape=Shape.BATCHED,
                kind=action["name"],
                args_json=as_arguments(action["args"]),
                slot=slot,
                slots=len(actions),
                allowed=allowed[slot],
                asker=asker,
            )
            for slot, action in enumerate(actions)
        )
    except (KeyError, TypeError, ValueError):
        return (Unshowable(interrupt_id, "a list of tool approvals that does not add up"),)


def free_form(interrupt: Interrupt, asker: str) -> Pending:
    """Whatever a tool or a node asked with `interrupt(...)`."""
    value = interrupt.value
    kind = value.get("type") if isinstance(value, dict) else None
    schema = interrupt.response_schema
    return Asked(
        interrupt_id=interrupt.id,
        shape=Shape.FREE_FORM,
        kind=kind if isinstance(kind, str) else "",
        args_json=as_arguments(value),
        answer_schema=schema if isinstance(schema, Mapping) else None,
        asker=asker,
    )


def as_arguments(value: object) -> str:
    """What is asked about, as the object whose bytes are shown: what JSON cannot say is shown as text."""
    args = value if isinstance(value, dict) else {"question": value}
    try:
        plain = json.loads(json.dumps(args, default=str, allow_nan=False))
        return canonical(plain)
    except (ValueError, TypeError, RecursionError):
        return canonical({"question": ascii(value)})
