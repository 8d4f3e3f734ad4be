"""The hash chain over the audit log: linked by the clock, checked by anyone with read access."""

from dataclasses import dataclass

from approvals.failpoints import Commit
from approvals.ledger.database import Database, Row, Tx
from approvals.rules.digest import canonical, sha256

LINK_LOCK = 0x6C696E6B  # "link": two clocks must not give out the same number
GENESIS = "0" * 64
LINKED = "SELECT * FROM audit_links LEFT JOIN audit_log ON audit_log.id = audit_id ORDER BY link_no"


@dataclass(frozen=True, slots=True)
class Intact:
    """Every linked row is as it was. `head` is worth writing down somewhere else: it betrays a cut end."""

    linked: int
    unlinked: int
    head: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The first link that does not hold, and the audit row it is about."""

    link_no: int
    audit_id: int
    what: str


def link_rows(db: Database, limit: int = 1000) -> int:
    """Link rows that have no link yet, oldest first; how many were linked."""
    with db.transaction(Commit.LINK) as tx:
        tx.execute("SELECT pg_advisory_xact_lock(%s)", (LINK_LOCK,))
        last = tx.execute("SELECT link_no, row_hash FROM audit_links ORDER BY link_no DESC LIMIT 1").fetchone()
        link_no, prev = (last["link_no"], last["row_hash"]) if last else cut_of(tx)
        rows = tx.execute(
            "WITH taken AS (DELETE FROM audit_unlinked WHERE audit_id IN"
            " (SELECT audit_id FROM audit_unlinked ORDER BY audit_id LIMIT %s) RETURNING audit_id)"
            " SELECT audit_log.* FROM audit_log JOIN taken ON audit_id = id ORDER BY id",
            (limit,),
        ).fetchall()
        for row in rows:
            link_no, prev = link_no + 1, add_link(tx, row, link_no + 1, prev)
    return len(rows)


def add_link(tx: Tx, row: Row, link_no: int, prev: str) -> str:
    """One link; returns its hash."""
    row_hash = link_hash(row, link_no, prev)
    tx.execute("INSERT INTO audit_links VALUES (%s, %s, %s, %s)", (link_no, row["id"], prev, row_hash))
    return row_hash


def link_hash(row: Row, link_no: int, prev: str) -> str:
    """Hash of a row, its place, and everything before it."""
    content = {name: row[name] if name == "details" else text(row[name]) for name in sorted(row)}
    return sha256(canonical([prev, link_no, content]))


def text(value: object) -> str | None:
    """A column's value as it is hashed: times in UTC to the microsecond, numbers and ids as text."""
    if value is None:
        return None
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def verify(db: Database) -> Intact | Broken:
    """Recompute the whole chain, in one snapshot. The rows are streamed: a log of years need not fit in memory."""
    with db.transaction() as tx:
        tx.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cut, prev = cut_of(tx)
        count = cut
        forged = forged_cut(tx, cut, prev)
        if forged:
            return forged
        with tx.cursor(name="chain") as links:
            links.execute(LINKED)
            for count, both in enumerate(links, start=cut + 1):
                link = {name: both.pop(name) for name in ("link_no", "audit_id", "prev_hash", "row_hash")}
                broken = check_link(link, both if both["id"] is not None else None, count, prev)
                if broken:
                    return broken
                prev = link["row_hash"]
        total = tx.execute("SELECT count(*) AS rows FROM audit_log").fetchone()
    return Intact(linked=count - cut, unlinked=(total["rows"] if total else 0) - (count - cut), head=prev)


def cut_of(tx: Tx) -> tuple[int, str]:
    """Where the chain begins: the number and hash of the last link that retention cut off, or the very beginning."""
    row = tx.execute("SELECT link_no, row_hash FROM audit_cuts ORDER BY link_no DESC LIMIT 1").fetchone()
    return (row["link_no"], row["row_hash"]) if row else (0, GENESIS)


def forged_cut(tx: Tx, cut: int, row_hash: str) -> Broken | None:
    """A cut that the log itself does not know of was made by other hands."""
    if cut == 0:
        return None
    known = tx.execute(
        "SELECT 1 FROM audit_log WHERE action = 'audit_cut' AND details ->> 'link_no' = %s"
        " AND details ->> 'row_hash' = %s",
        (str(cut), row_hash),
    ).fetchone()
    return None if known else Broken(cut, 0, "the log was cut there, and does not say so itself")


def check_link(link: Row, row: Row | None, expected_no: int, prev: str) -> Broken | None:
    """What is wrong with one link, if anything. Pure."""
    number, audit_id = link["link_no"], link["audit_id"]
    if number != expected_no:
        return Broken(expected_no, audit_id, f"link {expected_no} is missing")
    if row is None:
        return Broken(number, audit_id, f"audit row {audit_id} was removed")
    if link["prev_hash"] != prev:
        return Broken(number, audit_id, f"link {number} does not continue the one before it")
    if link["row_hash"] != link_hash(row, number, prev):
        return Broken(number, audit_id, f"audit row {audit_id} was changed")
    return None
