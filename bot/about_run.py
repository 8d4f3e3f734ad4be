"""One verb about a run, for a button or a command: which run, who is it, in the time that Slack gives."""

from collections.abc import Callable
from typing import TypeVar

import psycopg
import structlog

from approvals.ledger.end_run import RunSeen, see_run
from approvals.rules.may_decide import Person
from bot.desk import Desk, Who
from bot.patience import TooLate

T = TypeVar("T")

log = structlog.get_logger()


def said_of(desk: Desk, named: str, who: Who, verb: Callable[[RunSeen | None, Person], T]) -> T | None:
    """What came of it; None where nothing is known of that. `named`: a run, or one of its approvals."""

    def work() -> T:
        seen = see_run(desk.db, named)
        return verb(seen, desk.people.towards((who.user_id, who.team_id), seen.approvers if seen else ()))

    try:
        outcome = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("run.nothing_said", error=type(error).__name__)
        return None
    return None if isinstance(outcome, TooLate) else outcome
