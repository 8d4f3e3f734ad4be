"""The guard's permission: one compare-and-set that turns *approved, for exactly this* into *started*."""

from dataclasses import dataclass

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER, Actor, record_move
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.due import plan_look
from approvals.ledger.freeze import frozen
from approvals.ledger.move import NOW, move
from approvals.ledger.rows import state_of, to_approval
from approvals.ledger.tenure import require_fence
from approvals.records import Approval, RunId
from approvals.rules import digest
from approvals.rules.transitions import CLEARED, PAUSED, STARTED, Verb
from approvals.rules.words import Effect, Status

# By itself; then a person is asked: what kills its worker each time is no accident.
MOST_ATTEMPTS = 3
GONE = "the worker was gone before it reported"
CHANGED = "the rule or the tool changed while this call waited"
NO_TOOL = "the agent has no such tool now: it was removed, or the MCP server that has it cannot be reached"


@dataclass(frozen=True, slots=True)
class CallRef:
    """Which call, as LangGraph names it: stable across processes and retries, new for each new call."""

    run_id: RunId
    checkpoint_ns: str
    tool_call_id: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tool says now that a call with these arguments is about; without a `fingerprint`, why it says nothing."""

    args_json: str
    fingerprint: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Claimed:
    """Go: `started` is committed. Run the arguments of this row and no others."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Ended:
    """The effect has an outcome already, which stands for the call."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class NotPermitted:
    """Closed without permission: rejected, expired, cancelled or superseded (perhaps just now)."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class AwaitsPerson:
    """Nobody has decided, or it is unknown what came of the last attempt, or everything is frozen and this has not
    begun. Nothing may run."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class NoRecord:
    """There is no approval for this call."""


ClaimOutcome = Claimed | Ended | NotPermitted | AwaitsPerson | NoRecord


@dataclass(frozen=True, slots=True)
class Now:
    """What would run now, to be compared with what was shown: the tool's identity, the rule of the call, and what the
    tool says that it is about."""

    tool_hash: str
    rule_hash: str
    seen: Seen | None = None


def claim(
    db: Database, call: CallRef, *, tool_hash: str, rule_hash: str, fence: int, seen: Seen | None = None
) -> ClaimOutcome:
    """Claim the approval of `call` for the tool and rule as they are now. Raises FenceRaised."""
    now = Now(tool_hash, rule_hash, seen)
    with db.transaction(Commit.CLAIM) as tx:
        require_fence(tx, call.run_id, fence)
        approval = lock_call(tx, call)
        if approval is None:
            return NoRecord()
        state = state_of(approval)
        if state in (CLEARED, PAUSED):
            return take(db, tx, approval, now, fence)
        if state == STARTED and approval.effect_fence != fence:
            approval = lose(db, tx, approval)
            if state_of(approval) != CLEARED:
                return AwaitsPerson(approval)
            return take(db, tx, approval, now, fence)
        return standing(approval)


def take(db: Database, tx: Tx, approval: Approval, now: Now, fence: int) -> ClaimOutcome:
    """Start it if what would run is what was shown, under the rule people were held to. The emergency stop keeps calls
    from starting. One that stopped at a question of its own has started: it is the answer that is held back
    (`work.py`), and what runs it without one comes to that question again, or it would be lost."""
    changed = what_changed(approval, now)
    if changed is None and state_of(approval) != PAUSED and frozen(tx):
        return AwaitsPerson(approval)
    if changed is None:
        return Claimed(
            move(db, tx, Verb.CLAIM, approval, WORKER, votes=False, effect_fence=fence, effect_started_at=NOW)
        )
    if state_of(approval) == PAUSED:
        # It began under what was shown; what is left of it may not run under something else.
        return Ended(fail_changed(db, tx, approval, fence))
    # Without what the tool said: the audit log keeps no values.
    return NotPermitted(supersede(db, tx, approval, changed, note=changed.partition(":")[0]))


def what_changed(approval: Approval, now: Now) -> str | None:
    """Why what would run now is not what was shown, or None if it is. Pure."""
    if not now.tool_hash:
        return NO_TOOL
    # In today's spelling, and only if the row's rule is the one that its hash was made of.
    same_rule = now.rule_hash == digest.rule_hash(approval.rule) and digest.seals(approval.rule_hash, approval.rule)
    shown = digest.call_digest(approval.tool, now.tool_hash, approval.args_json, approval.fingerprint)
    if not same_rule or shown != approval.digest:
        return CHANGED
    return other_world(approval, now.seen)


def other_world(approval: Approval, seen: Seen | None) -> str | None:
    """Why what the call is about is not what people were shown, or None. Once the call has begun it may itself be what
    changed it. Pure."""
    before = approval.fingerprint
    if before is None or state_of(approval) == PAUSED or approval.attempt > 1:
        return None
    if seen is None or seen.fingerprint is None or seen.args_json != approval.args_json:
        why = f": {seen.why}" if seen is not None and seen.why else ""
        return f"what this call is about could not be looked at again{why}"
    if seen.fingerprint == before:
        return None
    edited = "; it was looked at before the call was edited" if approval.revision > 1 else ""
    return f'what this call is about is not as it was shown: it was "{before}" and is "{seen.fingerprint}" now{edited}'


def supersede(
    db: Database, tx: Tx, approval: Approval, reason: str = CHANGED, actor: Actor = WORKER, *, note: str | None = None
) -> Approval:
    """Close an approval that can no longer be used as it was shown. Its decider stays on the row. `note` is for the
    audit log, where that must say less than the reason."""
    return move(
        db,
        tx,
        Verb.SUPERSEDE,
        approval,
        actor,
        note=note or reason,
        reason=reason,
        decided_at=approval.decided_at or NOW,
        settled_by=actor.id,
    )


def supersede_call(db: Database, call: CallRef, fence: int, reason: str, *, note: str) -> None:
    """Close a call that was approved as edited and would not run as it was shown. `note`: the same without what the
    tool said. Raises FenceRaised."""
    with db.transaction() as tx:
        require_fence(tx, call.run_id, fence)
        approval = lock_call(tx, call)
        if approval is not None and state_of(approval) == CLEARED:
            supersede(db, tx, approval, reason, note=note)


def fail_changed(db: Database, tx: Tx, approval: Approval, fence: int) -> Approval:
    """A paused effect whose tool or rule changed ends as failed: it passes through started, on record."""
    started = move(db, tx, Verb.CLAIM, approval, WORKER, effect_fence=fence)
    return move(db, tx, Verb.FAIL, started, WORKER, note=CHANGED, effect_ended_at=NOW, result=CHANGED)


def lose(db: Database, tx: Tx, approval: Approval, why: str = GONE) -> Approval:
    """An effect that was started and whose outcome nobody knows. Where the policy says that the tool takes its key
    twice as one effect, that need not be known, and it is cleared anew."""
    if approval.rule.idempotent and approval.attempt < MOST_ATTEMPTS:
        again = approval.attempt + 1
        return move(db, tx, Verb.RERUN, approval, WORKER, note=why, attempt=again, effect_fence=None)
    lost = move(db, tx, Verb.LOSE, approval, WORKER, note=why, reason=storable(why))
    plan_look(tx, lost)
    return lost


def standing(approval: Approval) -> ClaimOutcome:
    """What an approval that cannot be claimed means for the call. Pure."""
    if approval.effect in (Effect.DONE, Effect.FAILED):
        return Ended(approval)
    if approval.status is Status.PENDING or approval.effect in (Effect.UNKNOWN, Effect.STARTED):
        return AwaitsPerson(approval)
    return NotPermitted(approval)


def lock_call(tx: Tx, call: CallRef) -> Approval | None:
    """The one live row of a call, locked; without its votes, which are over when an effect begins."""
    row = tx.execute(
        "SELECT * FROM approvals WHERE run_id = %s AND checkpoint_ns = %s AND tool_call_id = %s AND shape = 'gated'"
        " ORDER BY round DESC LIMIT 1 FOR UPDATE",
        (call.run_id, call.checkpoint_ns, call.tool_call_id),
    ).fetchone()
    return to_approval(row) if row else None


def note_rewrite(db: Database, approval: Approval) -> None:
    """Leave on record that code behind the gate handed the tool other arguments than were shown."""
    with db.transaction() as tx:
        record_move(db, tx, "rewrite_ignored", WORKER, approval, to=None)
