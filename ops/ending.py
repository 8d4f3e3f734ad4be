"""A run ended, or tried again, from the command line: by the same rule as its button in Slack, then a wake-up."""

from approvals.ledger.database import Database
from approvals.ledger.end_run import Ended, end_run, see_run
from approvals.ledger.try_again import TriedAgain, try_again
from approvals.rules.words import Door
from approvals.settings import Settings
from approvals.wakeup import Wakeups
from bot.cards.more_answers import cancel_answer, try_again_answer
from ops.deciding import redis_of
from ops.who import person_for


def end(db: Database, settings: Settings, named: str, user_id: str) -> tuple[bool, str]:
    """Whether it ends, and what to say. Without Redis the sweep wakes its worker within seconds."""
    redis = redis_of(settings)
    seen = see_run(db, named)
    known = person_for(user_id, seen.approvers if seen else (), seen.authors if seen else frozenset(), settings)
    outcome = end_run(db, seen, known.person, Door.COMMAND_LINE)
    words = cancel_answer(outcome)
    if not isinstance(outcome, Ended):
        return False, f"{words} {known.trouble}.".strip() if known.trouble else words
    if redis:
        Wakeups(redis).wake(outcome.run.id)
    return True, words


def retry(db: Database, settings: Settings, named: str, user_id: str) -> tuple[bool, str]:
    """Whether it goes on, and what to say. Without Redis the sweep wakes its worker within seconds."""
    redis = redis_of(settings)
    seen = see_run(db, named)
    known = person_for(user_id, seen.approvers if seen else (), seen.authors if seen else frozenset(), settings)
    outcome = try_again(db, seen, known.person, Door.COMMAND_LINE)
    words = try_again_answer(outcome)
    if not isinstance(outcome, TriedAgain):
        return False, f"{words} {known.trouble}.".strip() if known.trouble else words
    if redis:
        Wakeups(redis).wake(outcome.run.id)
    return True, words
