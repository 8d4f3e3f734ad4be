"""The emergency stop by command: who is it, may they, then one verb, in the time that Slack gives."""

from collections.abc import Callable
from typing import Final, assert_never

import psycopg
import structlog

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.freeze import AsItWas, Changed, freeze, unfreeze
from approvals.rules.may_decide import Person, Standing, allows
from approvals.rules.words import Door
from bot.cards.silence import since
from bot.cards.words import at, who
from bot.desk import Desk, Who
from bot.patience import TooLate

NOT_KNOWN: Final = "I could not take that down in time. Please look at `/countersign`, and try again if need be."
MAY_NOT: Final = (
    "Not changed: the policy does not let you use the emergency stop. Whoever is named under `freeze` in "
    "countersign.yml may, or, where nobody is, whoever may decide something."
)
FROZEN: Final = (
    "Frozen: no gated call of any run starts until somebody types `/countersign unfreeze`. The cards say so."
)
LIFTED: Final = "Lifted: calls that are approved start again."
NOT_FROZEN: Final = "Nothing is frozen."

log = structlog.get_logger()


def stop(desk: Desk, person_is: Who, reason: str | None) -> str:
    """Freeze; the sentence for whoever typed it."""
    return _in_time(desk, person_is, "freeze", lambda person: freeze(desk.db, person, reason, Door.SLACK_COMMAND))


def go_on(desk: Desk, person_is: Who) -> str:
    """Unfreeze."""
    return _in_time(desk, person_is, "unfreeze", lambda person: unfreeze(desk.db, person, Door.SLACK_COMMAND))


def may_freeze(desk: Desk, person: Person) -> bool:
    """Members whom the configuration names."""
    return person.standing is Standing.MEMBER and any(allows(one, person, asked=False) for one in desk.freezers)


def _in_time(desk: Desk, person_is: Who, say: str, verb: Callable[[Person], Changed | AsItWas]) -> str:
    def work() -> Changed | AsItWas | None:
        person = desk.people.towards((person_is.user_id, person_is.team_id), desk.freezers)
        if may_freeze(desk, person):
            return verb(person)
        with desk.db.transaction() as tx:
            record_event(tx, "refused", Actor(person.user_id, Door.SLACK_COMMAND), say=say, because="not_allowed")
        return None

    try:
        outcome = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("stop.not_kept", error=type(error).__name__)
        return NOT_KNOWN
    return words_for(outcome)


def words_for(outcome: Changed | AsItWas | TooLate | None) -> str:
    """The sentence for every outcome."""
    match outcome:
        case Changed(now, before):
            if now is not None:
                return FROZEN
            return f"{LIFTED} {who(before.frozen_by)} had frozen them {at(before.frozen_at)}." if before else LIFTED
        case AsItWas(now):
            return f"{since(now)} Nothing changed." if now else NOT_FROZEN
        case TooLate():
            return NOT_KNOWN
        case None:
            return MAY_NOT
        case _:
            assert_never(outcome)
