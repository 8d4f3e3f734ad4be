"""LangGraph's pending interrupts -> our values. The only place that reads interrupt values. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from langgraph.types import Interrupt
from pydantic import ValidationError

from approvals.ledger.open_approval import Proposal
from approvals.records import ApprovalId
from approvals.rules.rule import Rule
from workers.gate import PROVENANCE
from workers.guard import AWAITS_PERSON


@dataclass(frozen=True, slots=True)
class Waits:
    """The guard itself pauses a call whose approval exists: a person must speak first."""

    interrupt_id: str
    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class Foreign:
    """A pause in a shape that this release does not carry to people."""

    interrupt_id: str
    shape: str


Pending = Proposal | Waits | Foreign


def read_interrupts(interrupts: Iterable[Interrupt]) -> tuple[Pending, ...]:
    """Every pending interrupt of a thread, each id once (LangGraph lists a subgraph's twice), in the order in
    which the agent made the calls."""
    by_id = {interrupt.id: interrupt for interrupt in interrupts}
    return tuple(map(read_interrupt, by_id.values()))


def read_interrupt(interrupt: Interrupt) -> Pending:
    """One interrupt."""
    value: Any = interrupt.value
    kind = value.get("type") if isinstance(value, dict) else type(value).__name__
    if kind == AWAITS_PERSON:
        return Waits(interrupt.id, ApprovalId(value["approval"]))
    if kind == "tool_approval" and PROVENANCE in value:
        return proposal(interrupt.id, value)
    return Foreign(interrupt.id, str(kind))


def proposal(interrupt_id: str, value: dict[str, Any]) -> Pending:
    """A gated call, as the gate described it."""
    told = value[PROVENANCE]
    try:
        rule = Rule.model_validate(told["rule"])
    except ValidationError:
        return Foreign(interrupt_id, "a gated call with a rule that this release cannot read")
    return Proposal(
        interrupt_id=interrupt_id,
        checkpoint_ns=told["checkpoint_ns"],
        tool_call_id=value["tool_call_id"],
        tool=value["name"],
        tool_hash=told["tool_hash"],
        args_json=told["args_json"],
        rule=rule,
        claim=told["claim"],
        args_schema=told.get("args_schema", {}),
        filled_in=tuple(told.get("filled_in", ())),
    )
