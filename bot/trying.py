"""A run that failed is tried again, by a button."""

from functools import partial
from typing import Final

import structlog

from approvals.ledger.try_again import Left, TriedAgain, try_again
from approvals.rules.words import Door
from bot.about_run import said_of
from bot.desk import Desk, Who

NOT_KNOWN: Final = "I could not take that down in time. Please look whether the run goes on, and press again if not."

log = structlog.get_logger()


def have_tried_again(desk: Desk, named: str, who: Who, door: Door) -> TriedAgain | Left | None:
    """None: nothing is known of what became of it."""
    return said_of(desk, named, who, partial(try_again, desk.db, door=door))


def see_to_tried(desk: Desk, tried: TriedAgain) -> None:
    """After the commit: its worker goes on, and its status line says at whose word."""
    log.info("run.tried_again", run_id=tried.run.id)
    desk.wakeups.wake(tried.run.id)
    desk.show.status_line(tried.run.id)
