"""What the Home asks for is found in its order, however much waits. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back that anybody needs: an index holds nothing of its own."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
