"""Somebody wants to open a form about an approval: whether it would be in vain, and the attempt if it is."""

from approvals.ledger.audit import Actor, record_event, record_move
from approvals.ledger.database import Database, storable
from approvals.ledger.decide import Because, Refused, refuse_say
from approvals.ledger.rows import with_votes
from approvals.records import Approval, ApprovalKey
from approvals.rules.may_decide import Person, Standing, may_decide
from approvals.rules.words import Door, Say


def look_at(db: Database, key: ApprovalKey, say: Say | None, person: Person, door: Door) -> Approval | Refused:
    """The approval as it stands, or why this person cannot say that about it now; None: they only want to see
    it. Decides nothing, locks nothing: what is said is judged anew when it is said."""
    actor = Actor(person.user_id, door)
    with db.transaction() as tx:
        row = tx.execute("SELECT * FROM approvals WHERE id = %s", (storable(key.id),)).fetchone()
        if row is None:
            record_event(tx, "refused", actor, approval_id=storable(key.id[:64]), because=Because.NO_SUCH_APPROVAL)
            return Refused(Because.NO_SUCH_APPROVAL)
        approval = with_votes(tx, row)
        refusal = why_in_vain(approval, key, say, person)
        if refusal is not None:
            told = {"say": say, "because": refusal.because, "why": refusal.why}
            record_move(db, tx, "refused", actor, approval, to=None, **told)
    return refusal or approval


def why_in_vain(approval: Approval, key: ApprovalKey, say: Say | None, person: Person) -> Refused | None:
    """The first reason against it, or None. Pure."""
    if say is not None:
        return refuse_say(approval, key, say, person)
    if person.standing is not Standing.MEMBER:
        why = may_decide(approval.rule, approval.requesters, person, lets_it_run=False)
        return Refused(Because.NOT_ALLOWED, approval, why)
    current = (key.revision, key.attempt) == (approval.revision, approval.attempt)
    return None if current else Refused(Because.OLDER_CARD, approval)
