"""A transaction of which one knows afterwards whether it was committed, even if the answer to COMMIT got lost."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

import psycopg

from approvals.failpoints import Commit
from approvals.ledger.database import Database, Tx

LOOKS: Final = 10
PAUSE_SECONDS: Final = 0.05

T = TypeVar("T")


def certainly(db: Database, commit: Commit, work: Callable[[Tx], T]) -> T:
    """What `work` returns, committed. It raises only where nothing was committed, or the server stays away: so
    nobody is told that nothing was recorded when it was. `work` must write."""
    number = None
    try:
        with db.transaction(commit) as tx:
            done = work(tx)
            row = tx.execute("SELECT pg_current_xact_id()::text AS number").fetchone()
            number = row["number"] if row else None
    except psycopg.OperationalError:
        if number is None or not was_committed(db, number):
            raise
    return done


def was_committed(db: Database, number: str) -> bool:
    """Ask the server. For a moment it may still be at it: the connection was cut, not the work."""
    for _ in range(LOOKS):
        with db.transaction() as tx:
            row = tx.execute("SELECT pg_xact_status(%s::xid8) AS status", (number,)).fetchone()
        if row is None or row["status"] != "in progress":
            return row is not None and row["status"] == "committed"
        time.sleep(PAUSE_SECONDS)
    return False
