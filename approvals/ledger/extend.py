"""An approver gives a waiting call more time: the rule's timeout once more, as often as the policy allows."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.ledger.audit import Actor, record_move
from approvals.ledger.database import Database, storable
from approvals.ledger.expire import expired_by_now
from approvals.ledger.move import move
from approvals.ledger.rows import lock_approval
from approvals.records import Approval, ApprovalKey
from approvals.rules.may_decide import Person, Why, may_decide
from approvals.rules.transitions import Verb
from approvals.rules.words import Door, Status


class NotExtended(StrEnum):
    """Why there is no more time."""

    NO_SUCH_APPROVAL = "no_such_approval"
    CLOSED = "closed"
    OFTEN_ENOUGH = "often_enough"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True)
class Extended:
    """`approval.expires_at` is the new end."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class NoMoreTime:
    """Nothing changed."""

    because: NotExtended
    approval: Approval | None = None
    why: Why | None = None


def extend(db: Database, key: ApprovalKey, person: Person, door: Door) -> Extended | NoMoreTime:
    """More time for whoever may decide; giving time lets nothing run."""
    actor = Actor(person.user_id, door)
    with db.transaction() as tx:
        approval = lock_approval(tx, storable(key.id))
        if approval is None:
            return NoMoreTime(NotExtended.NO_SUCH_APPROVAL)
        approval = expired_by_now(db, tx, approval)
        refusal = refuse(approval, person)
        if refusal is not None:
            told = {"say": "extend", "because": refusal.because, "why": refusal.why}
            record_move(db, tx, "refused", actor, approval, to=None, **told)
            return refusal
        until = approval.expires_at + approval.rule.timeout
        given = approval.extensions + 1
        note = f"until {until.isoformat()}"
        return Extended(move(db, tx, Verb.EXTEND, approval, actor, note=note, expires_at=until, extensions=given))


def refuse(approval: Approval, person: Person) -> NoMoreTime | None:
    """The first reason against it, or None. Pure."""
    why = may_decide(approval.rule_now, approval.requesters, person, lets_it_run=False)
    if why is not None:
        return NoMoreTime(NotExtended.NOT_ALLOWED, approval, why)
    if approval.status is not Status.PENDING:
        return NoMoreTime(NotExtended.CLOSED, approval)
    if approval.extensions >= approval.rule.extend:
        return NoMoreTime(NotExtended.OFTEN_ENOUGH, approval)
    return None
