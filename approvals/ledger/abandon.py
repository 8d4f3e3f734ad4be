"""A turn that cannot be gone on with is closed: its calls are answered for in the agent's history, and none of its
approvals can lead anywhere any more."""

from approvals.ledger.apply import STOPPED_HALF_WAY
from approvals.ledger.audit import WORKER, record_event
from approvals.ledger.claim import supersede
from approvals.ledger.database import Database
from approvals.ledger.move import NOW, move
from approvals.ledger.rows import lock_approval, state_of
from approvals.ledger.tenure import require_fence
from approvals.records import Approval, Run
from approvals.rules.transitions import CLEARED, PAUSED, WAITING, Verb


def abandon(db: Database, run: Run, reason: str) -> list[Approval]:
    """Close what is open in the run, before the agent's thread is touched: what is then left of the turn runs
    nothing. An effect of which nobody knows what came of it still waits for a person."""
    with db.transaction() as tx:
        require_fence(tx, run.id, run.fence)
        rows = tx.execute(
            "SELECT id FROM approvals WHERE run_id = %s AND applied_at IS NULL ORDER BY opened_at, id", (run.id,)
        ).fetchall()
        record_event(tx, "turn_abandoned", WORKER, run_id=run.id, reason=reason)
        locked = [lock_approval(tx, row["id"]) for row in rows]
        closed: list[Approval] = []
        for approval in filter(None, locked):
            if state_of(approval) in (WAITING, CLEARED):
                closed.append(supersede(db, tx, approval, reason))
            elif state_of(approval) == PAUSED:
                closed.append(
                    move(
                        db, tx, Verb.BYPASS, approval, WORKER, note=reason, result=STOPPED_HALF_WAY, effect_ended_at=NOW
                    )
                )
        return closed
