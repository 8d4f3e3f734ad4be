"""Whether time goes on, and whether anything waits that should not: read from the rows."""

from collections.abc import Iterator
from typing import Final

from approvals.ledger.clock_beat import find_beat
from approvals.ledger.database import Database
from approvals.ledger.freeze import find_freeze
from approvals.settings import Settings
from ops.doctor.finding import Finding
from ops.place import database_of

# Each counts what somebody should look at; the way on stands behind it.
COUNTS: Final = (
    (
        "overdue",
        "SELECT count(*) AS n FROM approvals WHERE status = 'pending' AND expires_at < now() - interval '1 minute'",
        "approvals are past their end and not expired; start the clock (python -m workers.clock)",
    ),
    (
        "unknown-effects",
        "SELECT count(*) AS n FROM approvals WHERE effect = 'unknown'",
        "effects may or may not have happened; a person must answer on their cards",
    ),
    (
        "stuck-runs",
        "SELECT count(*) AS n FROM runs WHERE status = 'stuck'",
        "runs cannot go on; `countersign runs list` says why",
    ),
    (
        "waiting-for-a-worker",
        "SELECT count(*) AS n FROM runs WHERE status IN ('queued', 'running')"
        " AND updated_at < now() - interval '5 minutes'",
        "runs have had nothing done for five minutes; look whether workers run (python -m workers)",
    ),
    (
        "cards-not-shown",
        "SELECT count(*) AS n FROM cards_behind WHERE EXISTS (SELECT 1 FROM cards WHERE failures > 0"
        " AND cards.approval_id = cards_behind.approval_id)",
        "approvals have a card that Slack does not take; the bot's and clock's logs say why",
    ),
    (
        "pages-not-sent",
        "SELECT count(*) AS n FROM pages WHERE failures > 0 AND ended_at IS NULL",
        "pages were not taken by their pager; the cards say why",
    ),
)


def clock(settings: Settings) -> Iterator[Finding]:
    """A clock has swept within the last half minute."""
    with database_of(settings) as db:
        beat = find_beat(db)
    if beat.alive:
        yield Finding("clock", True, "A clock runs.")
    elif beat.began:
        yield Finding(
            "clock", False, "No clock has run for half a minute: nothing expires. Start python -m workers.clock."
        )
    else:
        yield Finding("clock", False, "No clock has ever run on this database. Start python -m workers.clock.")


def backlog(settings: Settings) -> Iterator[Finding]:
    """What waits that should not, and the emergency stop."""
    with database_of(settings) as db:
        stop = find_freeze(db)
        if stop:
            yield Finding("frozen", False, f"Everything is frozen by {stop.frozen_by}; /countersign unfreeze lifts it.")
        for name, query, then in COUNTS:
            count = count_of(db, query)
            yield Finding(name, count == 0, f"{count} {then}." if count else "Nothing.")


def count_of(db: Database, query: str) -> int:
    """One number."""
    with db.statement() as tx:
        row = tx.execute(query).fetchone()
    return int(row["n"]) if row else 0
