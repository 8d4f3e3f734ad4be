"""Reminders, escalations, extensions, asking again, pages and the emergency stop. The SQL beside it is the whole
change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: who was reminded and who froze what would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
