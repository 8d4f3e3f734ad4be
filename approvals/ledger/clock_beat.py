"""Whether time goes on: every sweep of any clock leaves a mark."""

from dataclasses import dataclass
from datetime import timedelta

from approvals.ledger.database import Database, Tx

# A sweep comes every few seconds; one that has much to do may take longer.
DEAD_AFTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Beat:
    """`began`: some clock has run on this database. `alive`: one did so just now."""

    began: bool
    alive: bool


def beat(db: Database) -> None:
    """A clock is at work."""
    with db.transaction() as tx:
        tx.execute(
            "INSERT INTO clock_beats (beat_at) VALUES (clock_timestamp())"
            " ON CONFLICT (only_one) DO UPDATE SET beat_at = clock_timestamp()"
        )


def find_beat(db: Database) -> Beat:
    """As it is now."""
    with db.transaction() as tx:
        return beat_in(tx)


def beat_in(tx: Tx) -> Beat:
    """The same, inside a transaction."""
    row = tx.execute("SELECT clock_timestamp() - beat_at < %s AS alive FROM clock_beats", (DEAD_AFTER,)).fetchone()
    return Beat(row is not None, bool(row and row["alive"]))
