"""Edits, answers, cards in several places, posts under a card, and a run's status line. The SQL beside it is the
whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """The SQL beside it."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: what people edited and answered would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
