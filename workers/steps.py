"""What to do next in a run, from the facts. Pure: it reads no state and calls no agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from approvals.ledger.open_approval import Proposal
from approvals.records import Approval, Message
from approvals.rules.words import DecisionType, Effect, OnTimeout, Status
from workers.interrupts import Foreign, Pending, Waits


@dataclass(frozen=True, slots=True)
class Facts:
    """A run as it stands: LangGraph's thread, and the ledger's rows that the agent has not heard about.

    `open_tasks`: the turn is not over. `half_done`: some task has neither a result nor a question, so the
    agent was interrupted in the middle of it. `frozen`: the emergency stop is in force. `cancelled_at`: when
    somebody last ended the run.
    """

    open_tasks: bool
    half_done: bool
    pending: tuple[Pending, ...]
    approvals: tuple[Approval, ...]
    message: Message | None
    frozen: bool = False
    cancelled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The thread is in a state that cannot be gone on from safely."""

    reason: str


@dataclass(frozen=True, slots=True)
class EndRun:
    """The policy ends the whole run where nobody decided this call."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Record:
    """Calls that wait and have no row yet."""

    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """Approvals whose call is no longer in the thread: the agent has gone on from them."""

    approvals: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """Wake one call with what its row says."""

    approval: Approval
    interrupt_id: str


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with a turn that was cut off."""


@dataclass(frozen=True, slots=True)
class Deliver:
    """Hand the agent the next message."""

    message: Message


@dataclass(frozen=True, slots=True)
class RestWaiting:
    """People must speak first: about these."""

    approvals: tuple[Approval, ...] = ()


@dataclass(frozen=True, slots=True)
class RestDone:
    """Nothing is left to do."""


Step = GiveUp | EndRun | Record | Close | Apply | Continue | Deliver | RestWaiting | RestDone


def next_step(facts: Facts) -> Step:
    """The first thing that must happen. New questions are recorded before anything runs again, because
    running rewrites them; one decision is applied at a time, because LangGraph applies several only together."""
    foreign = [p for p in facts.pending if isinstance(p, Foreign)]
    if foreign:
        return GiveUp(f"the agent asked in a way that this release cannot show ({foreign[0].shape}).")
    rows = {a.interrupt_id: a for a in facts.approvals}
    new = tuple(p for p in facts.pending if isinstance(p, Proposal) and p.interrupt_id not in rows)
    if new:
        return Record(new)
    where = waiting_where(facts)
    gone = tuple(a for a in facts.approvals if a.id not in where)
    if gone:
        return Close(gone)
    silent = [a for a in facts.approvals if ends_run(a, facts.cancelled_at)]
    if silent:
        return EndRun(silent[0])
    # Before going on with what was cut off: a sibling that raises each time must not keep a yes from its call.
    decided = [a for a in facts.approvals if can_be_applied(a, frozen=facts.frozen)]
    if decided:
        return Apply(decided[0], where[decided[0].id])
    # A turn in which nothing waits for anybody is not over: its steps were saved and the checkpoint after them not.
    if facts.half_done or (facts.open_tasks and not facts.pending):
        return Continue()
    if facts.open_tasks:
        return RestWaiting(facts.approvals)
    return Deliver(facts.message) if facts.message else RestDone()


def waiting_where(facts: Facts) -> dict[str, str]:
    """For each approval whose call is paused in the thread: the interrupt to answer. A pause of the guard's
    own comes after the first question of the same call, so it is the one that waits."""
    ids = {p.interrupt_id for p in facts.pending}
    where = {str(a.id): a.interrupt_id for a in facts.approvals if a.interrupt_id in ids}
    return where | {str(p.approval_id): p.interrupt_id for p in facts.pending if isinstance(p, Waits)}


def ends_run(approval: Approval, cancelled_at: datetime | None) -> bool:
    """Whether silence about this call ends the run; not again, if the run was ended for it and begun anew."""
    ends = approval.status is Status.EXPIRED and approval.rule.on_timeout is OnTimeout.CANCEL_RUN
    return ends and (cancelled_at is None or (approval.decided_at is not None and approval.decided_at > cancelled_at))


def can_be_applied(approval: Approval, *, frozen: bool) -> bool:
    """Whether waking the call would lead anywhere: it is decided, nobody has to look first, and it may start."""
    if frozen and approval.status is Status.APPROVED and approval.effect is Effect.NONE:
        return False
    blocked = (Effect.STARTED, Effect.PAUSED, Effect.UNKNOWN)
    return approval.status is not Status.PENDING and approval.effect not in blocked


def waiting_for(approvals: Sequence[Approval]) -> str:
    """What a run that rests waits for, for its status line."""
    pending = [a for a in approvals if a.status is Status.PENDING]
    answers = sum(tuple(a.rule.decisions) == (DecisionType.RESPOND,) for a in pending)
    looks = sum(a.effect is Effect.UNKNOWN for a in approvals)
    counted = (
        (len(pending) - answers, "approval", "approvals"),
        (answers, "answer", "answers"),
        (looks, "look at what happened", "looks at what happened"),
    )
    parts = [f"{n} {one if n == 1 else many}" for n, one, many in counted if n]
    return f"waiting for {' and '.join(parts)}" if parts else "waiting"


def unfinished(approvals: Sequence[Approval]) -> bool:
    """Whether an effect was begun in this tenure and its outcome could not be written."""
    return any(a.effect is Effect.STARTED for a in approvals)
