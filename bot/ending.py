"""Ending a run, for the button and the command."""

from functools import partial
from typing import Final

import structlog

from approvals.ledger.end_run import Ended, GoesOn, NotEnded, end_run
from approvals.ledger.status_line import draw_all_again
from approvals.rules.words import Door
from bot.about_run import said_of
from bot.desk import Desk, Who

NOT_KNOWN: Final = "I could not take that down in time. Please look whether the run has ended, and try again if not."

log = structlog.get_logger()


def end(desk: Desk, named: str, who: Who, door: Door) -> Ended | GoesOn | None:
    """None: nothing is known of what became of it."""
    return said_of(desk, named, who, partial(end_run, desk.db, door=door))


def see_to_ended(desk: Desk, ended: Ended) -> None:
    """After the commit: its worker ends it, and its cards say so."""
    log.info("run.ended", run_id=ended.run.id)
    desk.wakeups.wake(ended.run.id)
    desk.show.status_line(ended.run.id)
    for approval in ended.approvals:
        desk.show.card(approval.id)


def see_to_over(desk: Desk, goes_on: GoesOn) -> None:
    """The button should not have been there."""
    if goes_on.because is NotEnded.OVER and goes_on.run_id is not None:
        draw_all_again(desk.db, goes_on.run_id)
        desk.show.status_line(goes_on.run_id)
