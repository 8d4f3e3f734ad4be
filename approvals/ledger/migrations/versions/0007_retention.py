"""Old runs and the beginning of the audit log can be forgotten. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: what was cut is gone."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
