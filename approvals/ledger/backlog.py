"""How much waits that should not: numbers for whoever looks after the deployment."""

from dataclasses import dataclass

from approvals.ledger.database import Database


@dataclass(frozen=True)
class Backlog:
    """How many rows of each kind somebody should look at."""

    overdue: int
    unknown_effects: int
    stuck_runs: int
    waiting_for_a_worker: int
    cards_not_shown: int
    pages_not_sent: int


BACKLOG = """
SELECT
  (SELECT count(*) FROM approvals
    WHERE status = 'pending'
    AND expires_at < now() - interval '1 minute') AS overdue,
  (SELECT count(*) FROM approvals
    WHERE effect = 'unknown') AS unknown_effects,
  (SELECT count(*) FROM runs
    WHERE status = 'stuck') AS stuck_runs,
  (SELECT count(*) FROM runs
    WHERE status IN ('queued', 'running')
    AND updated_at < now() - interval '5 minutes') AS waiting_for_a_worker,
  (SELECT count(*) FROM cards_behind
    WHERE EXISTS (SELECT 1 FROM cards
    WHERE failures > 0
    AND cards.approval_id = cards_behind.approval_id)) AS cards_not_shown,
  (SELECT count(*) FROM pages
    WHERE failures > 0
    AND ended_at IS NULL) AS pages_not_sent
"""


def find_backlog(db: Database) -> Backlog:
    """All of them, as of one moment."""
    with db.statement() as tx:
        (row,) = tx.execute(BACKLOG).fetchall()
    return Backlog(**row)
