"""Approvals that can no longer lead anywhere, because their run cannot or shall not go on."""

from approvals.ledger.audit import Actor
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.move import NOW, move
from approvals.ledger.rows import with_votes
from approvals.records import Approval, RunId
from approvals.rules.transitions import Verb
from approvals.rules.words import Effect, Status


def cancel_open(db: Database, tx: Tx, run_id: RunId, actor: Actor, reason: str) -> list[Approval]:
    """Cancel every approval of the run that waits, or is approved and not begun."""
    rows = tx.execute(
        "SELECT * FROM approvals WHERE run_id = %s AND effect = %s AND status IN (%s, %s) AND applied_at IS NULL"
        " ORDER BY id FOR UPDATE",
        (run_id, Effect.NONE, Status.PENDING, Status.APPROVED),
    ).fetchall()
    return [cancel(db, tx, with_votes(tx, row), actor, reason) for row in rows]


def cancel(db: Database, tx: Tx, approval: Approval, actor: Actor, reason: str) -> Approval:
    """Cancel one approval. Whoever had approved it stays on the row."""
    return move(
        db,
        tx,
        Verb.CANCEL,
        approval,
        actor,
        note=reason,
        reason=storable(reason),
        settled_by=actor.id,
        decided_at=approval.decided_at or NOW,
        decided_by=approval.decided_by or actor.id,
    )
