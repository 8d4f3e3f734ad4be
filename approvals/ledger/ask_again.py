"""An expired call, once more: a new approval of the same paused call while the agent still waits for it, else a
message to the agent. Both begin from no votes, and are linked to the old one."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.ledger.audit import Actor, record_event, record_move
from approvals.ledger.cards import add_cards
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.due import plan_nudges
from approvals.ledger.open_approval import new_id
from approvals.ledger.rows import lock_approval, state_of, to_approval, to_run
from approvals.ledger.start_run import NewMessage, add_message
from approvals.records import Approval, Run
from approvals.rules.may_decide import Person, Standing, Why, may_decide
from approvals.rules.places import places
from approvals.rules.transitions import Verb
from approvals.rules.words import Door, RunStatus, Status

ONCE_MORE = (
    "Nobody answered your request to call {tool} with {args} in time. "
    "If it is still needed, call it again, and say what has changed since."
)
COPIED = (
    "run_id, agent, interrupt_id, slot, slots, shape, asker, answers, answer_schema, checkpoint_ns, tool_call_id, tool,"
    " tool_hash, args_json, args_schema, filled_in, fingerprint, digest, rule, rule_hash, claim, requesters, asked_by"
)


class NotAsked(StrEnum):
    """Why it was not asked again."""

    NO_SUCH_APPROVAL = "no_such_approval"
    NOT_EXPIRED = "not_expired"
    ASKED_ALREADY = "asked_already"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True)
class Reopened:
    """The same paused call waits anew."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Handed:
    """The agent had gone on: it was told to ask for it again."""

    run: Run


@dataclass(frozen=True, slots=True)
class Not:
    """Nothing happened."""

    because: NotAsked
    approval: Approval | None = None
    why: Why | None = None


def ask_again(db: Database, approval_id: str, person: Person, door: Door) -> Reopened | Handed | Not:
    """Whoever asked, and whoever may decide, can have an expired call asked about once more."""
    actor = Actor(person.user_id, door)
    with db.transaction() as tx:
        old = lock_approval(tx, storable(approval_id))
        if old is None:
            return Not(NotAsked.NO_SUCH_APPROVAL)
        refusal = refuse(tx, old, person)
        if refusal is not None:
            record_move(db, tx, "refused", actor, old, to=None, say="ask_again", because=refusal.because)
            return refusal
        row = tx.execute("SELECT * FROM runs WHERE id = %s FOR UPDATE", (old.run_id,)).fetchone()
        if row is None:
            raise LookupError(f"the run of {old.id} is gone")
        run = to_run(row)
        if old.applied_at is None and run.status is RunStatus.WAITING:
            return Reopened(reopen(db, tx, old, run, actor))
        return Handed(hand_over(tx, old, run, person, door))


def refuse(tx: Tx, old: Approval, person: Person) -> Not | None:
    """The first reason against it, or None."""
    if person.standing is not Standing.MEMBER:
        why = may_decide(old.rule_now, old.requesters, person, lets_it_run=False)
        return Not(NotAsked.NOT_ALLOWED, old, why)
    if old.status is not Status.EXPIRED:
        return Not(NotAsked.NOT_EXPIRED, old)
    asked = tx.execute(
        "SELECT 1 FROM approvals WHERE replaces = %s UNION SELECT 1 FROM messages WHERE ts = %s",
        (old.id, message_key(old)),
    ).fetchone()
    if asked:
        return Not(NotAsked.ASKED_ALREADY, old)
    why = may_decide(old.rule_now, old.requesters, person, lets_it_run=False)
    return Not(NotAsked.NOT_ALLOWED, old, why) if why and person.user_id not in old.requesters else None


def reopen(db: Database, tx: Tx, old: Approval, run: Run, actor: Actor) -> Approval:
    """A new row for the same question. The old one is no longer what the agent is told."""
    row = tx.execute(
        f"INSERT INTO approvals ({COPIED}, id, round, replaces, opened_at, expires_at) SELECT {COPIED}, %s, round + 1,"
        " id, at.now, at.now + %s FROM approvals, (SELECT clock_timestamp() AS now) AS at WHERE id = %s RETURNING *",
        (new_id(), old.rule.timeout, old.id),
    ).fetchone()
    if row is None:
        raise LookupError(f"{old.id} vanished while it was locked")
    tx.execute("UPDATE approvals SET applied_at = clock_timestamp(), version = version + 1 WHERE id = %s", (old.id,))
    approval = to_approval(row)
    add_cards(tx, approval.id, places(approval.rule, run.channel_id, run.thread_ts))
    plan_nudges(tx, approval)
    record_move(db, tx, Verb.OPEN, actor, approval, to=state_of(approval), tool=approval.tool, again=old.id)
    return approval


def hand_over(tx: Tx, old: Approval, run: Run, person: Person, door: Door) -> Run:
    """A message in the name of whoever pressed: they are one of those who asked, from then on."""
    text = ONCE_MORE.format(tool=old.tool, args=old.args_json)
    message = NewMessage(run.team_id, run.channel_id, run.thread_ts, message_key(old), person.user_id, text)
    tx.execute("UPDATE approvals SET version = version + 1 WHERE id = %s", (old.id,))
    record_event(tx, "ask_again", Actor(person.user_id, door), run_id=run.id, approval_id=old.id)
    return add_message(tx, run, message, door).run


def message_key(old: Approval) -> str:
    """In a Slack ts's place: once for each expired approval."""
    return f"again-{old.id}"
