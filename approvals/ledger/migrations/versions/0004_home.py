"""Homes, pages that end, and the clock's heartbeat. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: pages that are open at a pager would never be ended."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
