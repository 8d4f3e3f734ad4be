"""Pauses in other shapes than the gate's own, and which subagent asks. The SQL beside it is the whole
change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: questions of other shapes would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
