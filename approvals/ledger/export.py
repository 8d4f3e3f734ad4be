"""The audit log's rows with their links, in one snapshot, a few at a time."""

from collections.abc import Iterator
from typing import Final

from approvals.ledger.chain import text
from approvals.ledger.database import Database, Row

AT_A_TIME: Final = 500
LINK: Final = ("link_no", "prev_hash", "row_hash")
QUERY: Final = (
    "SELECT audit_log.*, link_no, prev_hash, row_hash FROM audit_log"
    " LEFT JOIN audit_links ON audit_id = audit_log.id ORDER BY audit_log.id"
)


def exported_rows(db: Database) -> Iterator[dict[str, object]]:
    """Oldest first."""
    with db.transaction() as tx, tx.cursor("audit_export") as cursor:
        cursor.itersize = AT_A_TIME
        for row in cursor.execute(QUERY):
            yield exported(row)


def exported(row: Row) -> dict[str, object]:
    """Every value as the chain hashes it, and the link apart."""
    content = {name: row[name] if name == "details" else text(row[name]) for name in row if name not in LINK}
    link = {name: row[name] for name in LINK} if row["link_no"] is not None else None
    return content | {"link": link}
