"""A run ended, or tried again, from the command line: by the same rule as its button in Slack, then a wake-up."""

from collections.abc import Callable
from typing import TypeVar

from approvals.ledger.database import Database
from approvals.ledger.end_run import Ended, RunSeen, end_run, see_run
from approvals.ledger.try_again import TriedAgain, try_again
from approvals.rules.may_decide import Person
from approvals.rules.words import Door
from approvals.settings import Settings
from approvals.wakeup import Wakeups
from bot.cards.more_answers import cancel_answer, try_again_answer
from ops.deciding import redis_of
from ops.who import person_for

T = TypeVar("T")
Verb = Callable[[Database, RunSeen | None, Person, Door], T]


def end(db: Database, settings: Settings, named: str, user_id: str) -> tuple[bool, str]:
    """Whether it ends, and what to say."""
    return said_of(db, settings, named, user_id, (end_run, cancel_answer))


def retry(db: Database, settings: Settings, named: str, user_id: str) -> tuple[bool, str]:
    """Whether it goes on, and what to say."""
    return said_of(db, settings, named, user_id, (try_again, try_again_answer))


def said_of(
    db: Database, settings: Settings, named: str, user_id: str, verb_and_words: tuple[Verb[T], Callable[[T], str]]
) -> tuple[bool, str]:
    """Whether it did what it should, and what to say. Without Redis the sweep wakes the run within seconds."""
    verb, words_for = verb_and_words
    redis = redis_of(settings)
    seen = see_run(db, named)
    known = person_for(user_id, seen.approvers if seen else (), seen.authors if seen else frozenset(), settings)
    outcome = verb(db, seen, known.person, Door.COMMAND_LINE)
    words = words_for(outcome)
    if not isinstance(outcome, Ended | TriedAgain):
        return False, f"{words} {known.trouble}.".strip() if known.trouble else words
    if redis:
        Wakeups(redis).wake(outcome.run.id)
    return True, words
