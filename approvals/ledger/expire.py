"""Silence, handled: approvals that nobody decided in time, by the database's clock."""

from approvals.failpoints import Commit
from approvals.ledger.audit import CLOCK
from approvals.ledger.database import Database, Tx
from approvals.ledger.move import move
from approvals.ledger.rows import with_votes
from approvals.records import Approval
from approvals.rules.transitions import Verb
from approvals.rules.words import Status


def expire_due(db: Database, limit: int = 100) -> list[Approval]:
    """Expire at most `limit` overdue approvals. Any number of clocks may do this at once: a row that
    another has locked is left to it."""
    with db.transaction(Commit.EXPIRE) as tx:
        rows = tx.execute(
            "SELECT * FROM approvals WHERE status = %s AND expires_at <= clock_timestamp()"
            " ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED",
            (Status.PENDING, limit),
        ).fetchall()
        due = [with_votes(tx, row) for row in rows]
        return [move(db, tx, Verb.EXPIRE, a, CLOCK, decided_by="system", decided_at=a.expires_at) for a in due]


def expired_by_now(db: Database, tx: Tx, approval: Approval) -> Approval:
    """A click that comes after the end, but before the sweep, finds the approval expired all the same."""
    if approval.status is not Status.PENDING:
        return approval
    late = tx.execute("SELECT clock_timestamp() >= %s AS late", (approval.expires_at,)).fetchone()
    if not late or not late["late"]:
        return approval
    return move(db, tx, Verb.EXPIRE, approval, CLOCK, decided_by="system", decided_at=approval.expires_at)
