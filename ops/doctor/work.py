"""Whether time goes on, and whether anything waits that should not: read from the rows."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from approvals.ledger.backlog import find_backlog
from approvals.ledger.clock_beat import find_beat
from approvals.ledger.freeze import find_freeze
from approvals.settings import Settings
from ops.doctor.finding import Finding
from ops.place import database_of

# What somebody should look at, by its field in `Backlog`, and the way on.
WAYS_ON: Final = {
    "overdue": "approvals are past their end and not expired; start the clock (python -m workers.clock)",
    "unknown-effects": "effects may or may not have happened; a person must answer on their cards",
    "stuck-runs": "runs cannot go on; `countersign runs list` says why",
    "waiting-for-a-worker": "runs have had nothing done for five minutes; look whether workers run (python -m workers)",
    "cards-not-shown": "approvals have a card that Slack does not take; the bot's and clock's logs say why",
    "pages-not-sent": "pages were not taken by their pager; the cards say why",
}


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
        waits = asdict(find_backlog(db))
        for name, way_on in WAYS_ON.items():
            count = waits[name.replace("-", "_")]
            yield Finding(name, count == 0, f"{count} {way_on}." if count else "Nothing.")
