"""A run that failed is tried again, by a button: who is it, then one verb, in the time that Slack gives."""

from typing import Final

import psycopg
import structlog

from approvals.ledger.end_run import see_run
from approvals.ledger.try_again import Left, TriedAgain, try_again
from approvals.rules.words import Door
from bot.desk import Desk, Who
from bot.patience import TooLate

NOT_KNOWN: Final = "I could not take that down in time. Please look whether the run goes on, and press again if not."

log = structlog.get_logger()


def have_tried_again(desk: Desk, named: str, who: Who, door: Door) -> TriedAgain | Left | None:
    """None: nothing is known of what became of it."""

    def work() -> TriedAgain | Left:
        seen = see_run(desk.db, named)
        person = desk.people.towards((who.user_id, who.team_id), seen.approvers if seen else ())
        return try_again(desk.db, seen, person, door)

    try:
        outcome = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("run.not_tried_again", error=type(error).__name__)
        return None
    return None if isinstance(outcome, TooLate) else outcome


def see_to_tried(desk: Desk, tried: TriedAgain) -> None:
    """After the commit: its worker goes on, and its status line says at whose word."""
    log.info("run.tried_again", run_id=tried.run.id)
    desk.wakeups.wake(tried.run.id)
    desk.show.status_line(tried.run.id)
