"""What the sweep looks for is found among a million approvals. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: what is to be shown and linked would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
