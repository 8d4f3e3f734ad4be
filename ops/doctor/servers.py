"""PostgreSQL answers and has this release's tables; Redis answers."""

from collections.abc import Iterator

from approvals.process import CannotStart, check_database, check_redis
from approvals.settings import Settings
from ops.doctor.finding import Finding
from workers.checkpoints import checkpoints_are_set_up


def database(settings: Settings) -> Iterator[Finding]:
    """Its tables are Countersign's and LangGraph's."""
    url = settings.database_url.get_secret_value()
    check_database(url)
    if not checkpoints_are_set_up(url):
        raise CannotStart("The database has no LangGraph tables yet; run `countersign release` first.")
    yield Finding("database", True, "PostgreSQL answers and has the tables of this release.")


def redis(settings: Settings) -> Iterator[Finding]:
    """Only wake-ups go through it: without it everything takes a few seconds longer."""
    check_redis(settings.redis_url.get_secret_value())
    yield Finding("redis", True, "Redis answers.")
