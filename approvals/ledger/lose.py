"""Effects whose worker is gone: started under an older fence, never reported."""

from approvals.failpoints import Commit
from approvals.ledger.claim import lose
from approvals.ledger.database import Database
from approvals.ledger.rows import lock_approval
from approvals.records import Approval, Run
from approvals.rules.words import Effect


def lose_started(db: Database, run: Run) -> list[Approval]:
    """Mark as unknown what was started under an older fence than this tenure's; what is declared idempotent is
    cleared anew. `run` carries its fence."""
    if not has_started(db, run):
        return []
    with db.transaction(Commit.LOSE) as tx:
        rows = tx.execute(
            "SELECT id FROM approvals WHERE run_id = %s AND effect = %s AND effect_fence < %s ORDER BY id",
            (run.id, Effect.STARTED, run.fence),
        ).fetchall()
        locked = [lock_approval(tx, row["id"]) for row in rows]
        return [lose(db, tx, a) for a in locked if a is not None and a.effect is Effect.STARTED]


def has_started(db: Database, run: Run) -> bool:
    """Whether there is anything to lose: nearly never, and this is asked at the beginning of each tenure."""
    with db.statement() as tx:
        found = tx.execute(
            "SELECT 1 FROM approvals WHERE run_id = %s AND effect = %s LIMIT 1", (run.id, Effect.STARTED)
        ).fetchone()
    return found is not None
