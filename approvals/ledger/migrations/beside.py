"""A migration's SQL, which stands beside it in a file of the same name."""

from pathlib import Path

from alembic import op


def run_sql_beside(version: str) -> None:
    """All statements of the `.sql` beside this `.py`, through the driver's own cursor: SQLAlchemy would read `:` and
    `%` in them."""
    statements = Path(version).with_suffix(".sql").read_text(encoding="utf-8")
    cursor = op.get_bind().connection.cursor()
    cursor.execute(statements.encode())
