"""What a call is about, as its tool saw it. The SQL beside it is the whole change."""

from pathlib import Path

from alembic import op

revision = "0013"
down_revision = "0009"


def upgrade() -> None:
    """The driver's own cursor, because SQLAlchemy would read `:` and `%` in the SQL."""
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    cursor = op.get_bind().connection.cursor()
    cursor.execute(statements.encode())


def downgrade() -> None:
    """There is no way back: what people were shown would be lost."""
    raise NotImplementedError("Countersign's migrations are not reversible; restore a backup instead.")
