"""How every process of ours begins: logging, and one clear line with exit code 2 when it cannot start."""

import logging
import sys
from collections.abc import Callable
from typing import Final

import psycopg
import structlog
from redis.exceptions import RedisError
from structlog.typing import Processor

from approvals.ledger.migrate import check_migrated
from approvals.wakeup import connect

WRONG_START: Final = 2
SETTINGS: Final = "It is set up by environment variables, listed in README.md; `countersign doctor` looks at them."


class CannotStart(Exception):
    """Something outside the program must be put right first. As text: one line that says what to do."""


def begin(main: Callable[[], int | None], *expected: type[Exception], usage: str = "") -> int:
    """Run `main`; an `expected` error (or CannotStart) becomes its own one line and exit code 2. Whoever asks for
    help gets the usage, and nothing is started."""
    if usage and {"-h", "--help"} & {*sys.argv[1:]}:
        print(f"Usage: {usage}\n{SETTINGS}")  # noqa: T201
        return 0
    try:
        return main() or 0
    except Exception as error:
        if not isinstance(error, (CannotStart, *expected)):
            raise
        print(f"countersign: {error}", file=sys.stderr)  # noqa: T201
        return WRONG_START


def set_up_logging(log_format: str) -> None:
    """Logs to standard error, one event per line: for people (`console`) or for machines (`json`)."""
    # Plain: structlog's own choice shows the local variables of every frame, and arguments are among them.
    people = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    machines: list[Processor] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(machines if log_format == "json" else [people]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


def check_database(database_url: str) -> None:
    """The database answers and has this release's tables, or CannotStart. Raises NotMigrated too."""
    try:
        check_migrated(database_url)
    except psycopg.ProgrammingError as error:
        # Without the driver's words: they quote the address, and the password is in it.
        raise CannotStart(
            "DATABASE_URL is not an address that PostgreSQL understands; correct it (is % written as %25 in it?)."
        ) from error
    except (psycopg.Error, OSError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise CannotStart(
            f"DATABASE_URL: PostgreSQL does not answer ({lines[0]}); start it or correct the address."
        ) from error


def check_redis(redis_url: str) -> None:
    """Redis answers, or CannotStart."""
    try:
        connect(redis_url).ping()
    except (RedisError, ValueError) as error:
        raise CannotStart(
            f"REDIS_URL: Redis does not answer ({type(error).__name__}); start it or correct the address."
        ) from error
