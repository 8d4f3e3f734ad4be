"""What to do next in a run, from the facts. Pure: it reads no state and calls no agent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from approvals.ledger.open_approval import Proposal
from approvals.records import Approval, Message
from approvals.rules.words import Effect, OnTimeout, Shape, Status
from workers.answers import NoAnswer, answer_to
from workers.interrupts import Asked, Pending, Unshowable, Waits


@dataclass(frozen=True, slots=True)
class Facts:
    """A run as it stands: LangGraph's thread, and the ledger's rows that the agent has not heard about.

    `open_tasks`: the turn is not over. `half_done`: some task has neither a result nor a question, so the
    agent was interrupted in the middle of it. `open_calls`: the tasks without a result, as `checkpoint_ns` begins in
    the rows of their calls. `gated`: the agent carries our gate, as of today; `unanswered`: calls of its last turn have
    no answer yet. `frozen`: the emergency stop is in force. `cancelled_at`: when somebody last ended the run.
    """

    open_tasks: bool
    half_done: bool
    pending: tuple[Pending, ...]
    approvals: tuple[Approval, ...]
    message: Message | None
    gated: bool = True
    unanswered: bool = False
    frozen: bool = False
    cancelled_at: datetime | None = None
    open_calls: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The thread is in a state that cannot be gone on from safely."""

    reason: str


@dataclass(frozen=True, slots=True)
class EndRun:
    """The whole run ends where nobody decided this call: so the policy says, or nothing else can be said to it."""

    approval: Approval
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """Questions that wait and have no row yet."""

    questions: tuple[Proposal | Asked, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """Approvals whose call is no longer in the thread: the agent has gone on from them."""

    approvals: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """Wake one pause with what its rows say: one row, or those of all that it asks."""

    approvals: tuple[Approval, ...]
    interrupt_id: str


@dataclass(frozen=True, slots=True)
class Abandon:
    """Close the turn: something in it cannot be gone on with."""

    reason: str


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


Step = GiveUp | EndRun | Record | Close | Apply | Abandon | Continue | Deliver | RestWaiting | RestDone

AGENT_CHANGED: Final = "the agent was changed while this call waited"
NOT_ANSWERABLE: Final = "the agent asked for it in a way that takes no other answer than a person's"


def next_step(facts: Facts) -> Step:
    """The first thing that must happen. New questions are recorded before anything runs again, because
    running rewrites them; one decision is applied at a time, because LangGraph applies several only together."""
    unreadable = [p for p in facts.pending if isinstance(p, Unshowable)]
    if unreadable:
        return GiveUp(f"the agent asked in a way that this release cannot show ({unreadable[0].what}).")
    if changed_under_it(facts):
        return Abandon(AGENT_CHANGED)
    rows = {(a.interrupt_id, a.slot) for a in facts.approvals}
    new = tuple(p for p in facts.pending if isinstance(p, Proposal | Asked) and (p.interrupt_id, p.slot) not in rows)
    if new:
        return Record(new)
    where = waiting_where(facts)
    elsewhere = [a for a in facts.approvals if a.id not in where]
    gone = tuple(a for a in elsewhere if not comes_back(a, facts))
    if gone:
        return Close(gone)
    # The thread still shows a question that the lost attempt had asked; the guard has to ask in its place.
    if any(is_cut_off(a, facts.open_calls) for a in elsewhere):
        return Continue()
    return after_rows(facts, where)


def changed_under_it(facts: Facts) -> bool:
    """Whether going on would mean something else than it did when people were asked. An agent without our gate must
    not be woken where the gate had paused it: nothing would look at the rows any more."""
    if not facts.gated and any(isinstance(p, Proposal | Waits) for p in facts.pending):
        return True
    if not facts.gated and facts.unanswered and any(a.guarded for a in facts.approvals):
        return True
    return facts.unanswered and not facts.open_tasks and any(not a.guarded for a in facts.approvals)


def after_rows(facts: Facts, where: dict[str, str]) -> Step:
    """What comes next where every question has its row, and every row its question."""
    for approval in facts.approvals:
        if ends_run(approval, facts.cancelled_at):
            return EndRun(approval, f"Nobody decided {approval.id} in time, and {why_it_ends(approval)}.")
    # Before going on with what was cut off: a sibling that raises each time must not keep a yes from its call.
    for asked in answerable(facts, where):
        if isinstance(answer_to(asked), NoAnswer):
            return Abandon(NOT_ANSWERABLE)
        return Apply(asked, where[asked[0].id])
    # A turn in which nothing waits for anybody is not over: its steps were saved and the checkpoint after them not.
    if facts.half_done or (facts.open_tasks and not facts.pending):
        return Continue()
    if facts.open_tasks:
        return RestWaiting(facts.approvals)
    return Deliver(facts.message) if facts.message else RestDone()


def answerable(facts: Facts, where: dict[str, str]) -> Iterator[tuple[Approval, ...]]:
    """The pauses of which every question is decided, oldest first: each with its rows, by slot."""
    waiting = [a for a in facts.approvals if a.id in where]
    oldest: dict[str, int] = {}
    for place, approval in enumerate(waiting):
        oldest.setdefault(where[approval.id], place)
    ordered = sorted(waiting, key=lambda a: (oldest[where[a.id]], a.slot))
    for _, group in groupby(ordered, key=lambda a: where[a.id]):
        asked = tuple(group)
        ready = len(asked) == asked[0].slots and all(can_be_applied(a, frozen=facts.frozen) for a in asked)
        if ready and (paused(asked[0]) or not holds_back(facts)):
            yield asked


def paused(approval: Approval) -> bool:
    """Whether the call stopped half-way, at a question of its own."""
    return approval.effect is Effect.PAUSED


def holds_back(facts: Facts) -> bool:
    """Whether the emergency stop holds this run's answers: a call that stopped half-way would go on with any of them.
    As in `ledger/work.py`."""
    return facts.frozen and any(paused(a) for a in facts.approvals)


def comes_back(approval: Approval, facts: Facts) -> bool:
    """Whether a call that the thread does not show as waiting is in it all the same: it stopped half-way and waits for
    a question of its own, which has a row of its own; or its attempt was lost after it had stopped there."""
    inside = approval.checkpoint_ns.partition("|")[0] in facts.open_calls
    stopped = (paused(approval) and facts.open_tasks) or (approval.effect is Effect.UNKNOWN and inside)
    return stopped or is_cut_off(approval, facts.open_calls)


def is_cut_off(approval: Approval, open_calls: frozenset[str]) -> bool:
    """Whether an attempt of one of the agent's own calls was lost, and running its task again would bring it back."""
    again = approval.effect is Effect.NONE and approval.status is Status.APPROVED and approval.attempt > 1
    return approval.checkpoint_ns in open_calls and (again or approval.effect is Effect.UNKNOWN)


def waiting_where(facts: Facts) -> dict[str, str]:
    """For each approval whose call is paused in the thread: the interrupt to answer. A pause of the guard's
    own comes after the first question of the same call, so it is the one that waits."""
    ids = {p.interrupt_id for p in facts.pending}
    where = {str(a.id): a.interrupt_id for a in facts.approvals if a.interrupt_id in ids}
    return where | {str(p.approval_id): p.interrupt_id for p in facts.pending if isinstance(p, Waits)}


def ends_run(approval: Approval, cancelled_at: datetime | None) -> bool:
    """Whether silence about this call ends the run; not again, if the run was ended for it and begun anew."""
    if approval.status is not Status.EXPIRED:
        return False
    ends = approval.rule.on_timeout is OnTimeout.CANCEL_RUN or has_no_word_for_silence(approval)
    return ends and (cancelled_at is None or (approval.decided_at is not None and approval.decided_at > cancelled_at))


def has_no_word_for_silence(approval: Approval) -> bool:
    """A free-form question is answered with silence only by a value that the configuration has for it."""
    return approval.shape is Shape.FREE_FORM and isinstance(answer_to([approval]), NoAnswer)


def why_it_ends(approval: Approval) -> str:
    if approval.rule.on_timeout is OnTimeout.CANCEL_RUN:
        return "the policy ends the run"
    return "the configuration has no value for that (`nobody_answered` of the agent), so that the run ends"


def can_be_applied(approval: Approval, *, frozen: bool) -> bool:
    """Whether waking the call would lead anywhere: it is decided, nobody has to look first, and it may start. One that
    stopped half-way may go on to where it stopped: that it is in the thread by itself means that it was not saved how
    far it came."""
    if frozen and approval.status is Status.APPROVED and approval.effect is Effect.NONE:
        return False
    return approval.status is not Status.PENDING and approval.effect not in (Effect.STARTED, Effect.UNKNOWN)


def unfinished(approvals: Sequence[Approval]) -> bool:
    """Whether an effect was begun in this tenure and its outcome could not be written."""
    return any(a.effect is Effect.STARTED for a in approvals)
