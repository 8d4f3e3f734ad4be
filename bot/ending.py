"""Ending a run, for the button and the command: who is it, then one verb, in the time that Slack gives."""

from typing import Final

import psycopg
import structlog

from approvals.ledger.end_run import Ended, GoesOn, end_run, see_run
from approvals.rules.words import Door
from bot.desk import Desk, Who
from bot.patience import TooLate

NOT_KNOWN: Final = "I could not take that down in time. Please look whether the run has ended, and try again if not."

log = structlog.get_logger()


def end(desk: Desk, named: str, who: Who, door: Door) -> Ended | GoesOn | None:
    """None: nothing is known of what became of it."""

    def work() -> Ended | GoesOn:
        seen = see_run(desk.db, named)
        person = desk.people.towards((who.user_id, who.team_id), seen.approvers if seen else ())
        return end_run(desk.db, seen, person, door)

    try:
        outcome = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("run.not_ended", error=type(error).__name__)
        return None
    return None if isinstance(outcome, TooLate) else outcome


def see_to_ended(desk: Desk, ended: Ended) -> None:
    """After the commit: its worker ends it, and its cards say so."""
    log.info("run.ended", run_id=ended.run.id)
    desk.wakeups.wake(ended.run.id)
    for approval in ended.approvals:
        desk.show.card(approval.id)
