"""Runs, messages, approvals, votes, cards, posts, audit log. The page beside it says what may happen to an
approval; the SQL beside it is the whole change."""

from approvals.ledger.migrations.beside import run_sql_beside

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    run_sql_beside(__file__)


def downgrade() -> None:
    """There is no way back: an audit log that can be dropped by a command is none."""
    raise NotImplementedError("Countersign's first migration is not reversible; restore a backup instead.")
