"""What there is to do, derived from the rows alone: Redis may be wiped at any time."""

from approvals.ledger.database import Database
from approvals.ledger.tenure import LOCK_KEY
from approvals.records import RunId

# Each branch is served by a partial index that holds only what is unfinished, and counts in some statuses of
# its run only: a message to a waiting run waits with it, and a run that failed waits for a person. Of an effect
# that paused itself the question is the next thing; questions that one pause asks are answered together. While all is
# frozen no run goes on of which a call stopped half-way: any answer might let that call go on.
ACTIONABLE = """
SELECT DISTINCT run_id, runs.updated_at FROM (
    SELECT id AS run_id, ARRAY['queued', 'running'] AS statuses FROM runs WHERE status IN ('queued', 'running')
    UNION
    SELECT id, ARRAY['queued', 'running', 'waiting', 'failed', 'stuck'] FROM runs WHERE cancel_asked_by IS NOT NULL
    UNION
    SELECT run_id, ARRAY['done'] FROM messages WHERE delivered_at IS NULL
    UNION
    SELECT run_id, ARRAY['waiting', 'done'] FROM approvals
    WHERE status <> 'pending' AND applied_at IS NULL AND effect NOT IN ('unknown', 'paused')
    AND NOT (status = 'approved' AND effect = 'none' AND EXISTS (SELECT 1 FROM freezes WHERE lifted_at IS NULL))
    AND NOT (EXISTS (SELECT 1 FROM freezes WHERE lifted_at IS NULL) AND EXISTS (
        SELECT 1 FROM approvals AS begun
        WHERE begun.run_id = approvals.run_id AND begun.effect = 'paused' AND begun.applied_at IS NULL
    ))
    AND NOT EXISTS (
        SELECT 1 FROM approvals AS beside WHERE beside.run_id = approvals.run_id
        AND beside.interrupt_id = approvals.interrupt_id AND beside.slot <> approvals.slot AND beside.applied_at IS NULL
        AND (beside.status = 'pending'
            OR (beside.status = 'approved' AND EXISTS (SELECT 1 FROM freezes WHERE lifted_at IS NULL)))
    )
) AS unfinished
JOIN runs ON runs.id = unfinished.run_id
WHERE runs.status = ANY (unfinished.statuses) AND runs.retry_at <= now()
"""

UNLOCKED = f"""
AND NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32 | objid::bigint) = {LOCK_KEY.format(run_id="runs.id::text")})
"""


def runs_to_wake(db: Database, limit: int = 500) -> list[RunId]:
    """Runs with something to do that no worker holds: a worker that holds one looks again by itself."""
    with db.statement() as tx:
        rows = tx.execute(f"{ACTIONABLE} {UNLOCKED} ORDER BY runs.updated_at LIMIT %s", (limit,)).fetchall()
    return [RunId(str(row["run_id"])) for row in rows]


def has_work(db: Database, run_id: RunId) -> bool:
    """Whether there is something to do in this run, whoever holds it."""
    with db.statement() as tx:
        row = tx.execute(f"SELECT EXISTS ({ACTIONABLE} AND runs.id = %s) AS yes", (run_id,)).fetchone()
    return bool(row and row["yes"])


def runs_with_lost_effects(db: Database, limit: int = 100) -> list[RunId]:
    """Runs with an effect that was started by a worker that no longer holds the run."""
    with db.statement() as tx:
        rows = tx.execute(
            "SELECT DISTINCT runs.id FROM runs JOIN approvals ON approvals.run_id = runs.id"
            f" WHERE approvals.effect = 'started' {UNLOCKED} LIMIT %s",
            (limit,),
        ).fetchall()
    return [RunId(str(row["id"])) for row in rows]
