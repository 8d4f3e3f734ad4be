"""Pauses in other shapes than the gate's own, and which subagent asks. The SQL beside it is the whole
change."""

from pathlib import Path

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """The driver's own cursor, because SQLAlchemy would read `:` and `%` in the SQL."""
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    cursor = op.get_bind().connection.cursor()
    cursor.execute(statements.encode())


def downgrade() -> None:
    """There is no way back: questions of other shapes would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
