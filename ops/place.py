"""What a command works with: the settings it needs, and the database of this installation."""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog

from approvals.ledger.database import Database
from approvals.ledger.migrate import check_migrated
from approvals.settings import FILE_SUFFIX, Need, Settings, load_settings


def settings_for(*needs: Need, if_given: tuple[Need, ...] = ()) -> Settings:
    """The environment. What is only used if it is given is checked then as well; else it is the empty secret."""
    given = {need for need in if_given if is_given(os.environ, need)}
    return load_settings(os.environ, frozenset(needs) | given)


def is_given(environ: Mapping[str, str], need: Need) -> bool:
    """Whether the variable, or the file that holds it, is named."""
    return any(environ.get(name, "").strip() for name in (need, need + FILE_SUFFIX))


@contextmanager
def database_of(settings: Settings) -> Iterator[Database]:
    """The database, which answers and has this release's tables; if not, the driver's own error or NotMigrated."""
    be_quiet()
    url = settings.database_url.get_secret_value()
    check_migrated(url)
    with Database(url, max_size=2) as db:
        yield db


def be_quiet() -> None:
    """A command says in its own words what went wrong; events are for processes that stay."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
