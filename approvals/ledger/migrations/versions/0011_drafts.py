"""Answers that appear while they are written. The SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: what Slack holds of drafts would be forgotten."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
