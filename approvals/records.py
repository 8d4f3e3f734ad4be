"""Rows as values: what the ledger hands out. Frozen; nothing here reads or writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NewType

from approvals.rules.rule import Approvers, Rule
from approvals.rules.words import Effect, RunStatus, Shape, Status

RunId = NewType("RunId", str)
ApprovalId = NewType("ApprovalId", str)


@dataclass(frozen=True, slots=True)
class Run:
    """One conversation of one agent: a LangGraph thread (same id) bound to one Slack thread. `has_drafts`: as its
    tenure began, answers were growing that a worker had left behind."""

    id: RunId
    agent: str
    team_id: str
    channel_id: str
    thread_ts: str
    status: RunStatus
    reason: str | None
    fence: int
    failures: int
    cancelled_at: datetime | None = None
    has_drafts: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person to an agent. `delivered_at` is set once the agent's thread holds it."""

    id: str
    run_id: RunId
    author_id: str
    text: str
    delivered_at: datetime | None


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's say on one revision and attempt of an approval."""

    user_id: str
    decision: str
    reason: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Edit:
    """What one edit replaced: the bytes of an older revision, who wrote the next one, and when."""

    revision: int
    args_json: str
    edited_by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Approval:
    """The record of one gated call. `args_json` are the very bytes that were shown and hashed. `args_schema` is
    the JSON Schema of the tool's arguments when it asked; `filled_in` names those that only the tool's own
    defaults supplied; `asked_by` spoke to the agent last before the call; `response` are the words of whoever
    answered in the tool's place. `escalated` are the sets of approvers that escalations added; `round` counts how
    often the same paused call was asked about. `shape` is how the agent paused, and `slot` which of the `slots`
    questions of that pause this is; `asker` names the subagent or the tool that asks ("" for the agent itself);
    `answers` is what the paused code can be handed, and `answer_schema` the JSON Schema of an answer, where it is
    more than a text. `fingerprint` is what the tool said that the call is about when it was asked."""

    id: ApprovalId
    run_id: RunId
    agent: str
    interrupt_id: str
    checkpoint_ns: str
    tool_call_id: str
    tool: str
    tool_hash: str
    args_json: str
    digest: str
    rule: Rule
    rule_hash: str
    args_schema: Mapping[str, Any]
    filled_in: tuple[str, ...]
    claim: str
    requesters: tuple[str, ...]
    asked_by: str | None
    escalated: tuple[Approvers, ...]
    extensions: int
    round: int
    revision: int
    attempt: int
    status: Status
    effect: Effect
    effect_fence: int | None
    effect_started_at: datetime | None
    effect_ended_at: datetime | None
    result: str | None
    replay: bytes | None
    opened_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    reason: str | None
    response: str | None
    settled_by: str | None
    applied_at: datetime | None
    replaces: ApprovalId | None
    version: int
    shape: Shape = Shape.GATED
    slot: int = 0
    slots: int = 1
    asker: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    answer_schema: Mapping[str, Any] | None = None
    fingerprint: str | None = None
    votes: tuple[Vote, ...] = ()
    edits: tuple[Edit, ...] = ()

    @property
    def rule_now(self) -> Rule:
        """The rule with everybody who may decide now: whom it names, and whom escalations added."""
        return self.rule.model_copy(update={"approvers": self.approvers}) if self.escalated else self.rule

    @property
    def approvers(self) -> tuple[Approvers, ...]:
        """Everybody who may decide now: whom the rule names, and who was called since."""
        return (*self.rule.approvers, *(a for a in self.escalated if a not in self.rule.approvers))

    @property
    def guarded(self) -> bool:
        """Whether the effect, and not only the decision, is ours to vouch for."""
        return self.shape is Shape.GATED

    @property
    def key(self) -> "ApprovalKey":
        """What a button must name to be about this approval as it stands."""
        return ApprovalKey(self.id, self.revision, self.attempt)


@dataclass(frozen=True, slots=True)
class ApprovalKey:
    """An approval at one revision and attempt. A button of an older one is refused."""

    id: ApprovalId
    revision: int
    attempt: int
