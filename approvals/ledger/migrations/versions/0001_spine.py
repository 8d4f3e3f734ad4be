"""Runs, messages, approvals, votes, cards, posts, audit log. The page beside it says what may happen to an
approval; the SQL beside it is the whole change."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables. The driver's own cursor, because SQLAlchemy would read `:` and `%` in the SQL."""
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    cursor = op.get_bind().connection.cursor()
    cursor.execute(statements.encode())


def downgrade() -> None:
    """There is no way back: an audit log that can be dropped by a command is none."""
    raise NotImplementedError("Countersign's first migration is not reversible; restore a backup instead.")
