"""Scheduled reports: each once per period. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: every report would be posted again."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
