"""Which errors a person can mend, and the one line about each. Everything else is a bug and keeps its traceback."""

import psycopg
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError

from approvals.config.errors import ConfigError
from approvals.ledger.migrate import NotMigrated
from approvals.process import CannotStart
from approvals.settings import SettingsError


def line_about(error: Exception) -> str | None:
    """What to do, in one line; None if nobody outside can mend it."""
    if isinstance(error, SettingsError | ConfigError | NotMigrated | CannotStart):
        return str(error)
    if isinstance(error, CommandError):
        return (
            f"The database is not one that this release can bring up to date ({error}); "
            "use the release that it belongs to, or a newer one."
        )
    # SQLAlchemy wraps what the driver raised.
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, psycopg.errors.InsufficientPrivilege | psycopg.errors.ReadOnlySqlTransaction):
        return f"DATABASE_URL: PostgreSQL does not let this user do that ({reason_of(cause)}); use the owner's address."
    if isinstance(cause, psycopg.OperationalError):
        return f"DATABASE_URL: PostgreSQL does not answer ({reason_of(cause)}); start it or correct the address."
    if isinstance(cause, psycopg.ProgrammingError) and cause.sqlstate is None:
        # Without the driver's words: they quote the address, and the password is in it.
        return "DATABASE_URL is not an address that PostgreSQL understands; correct it (is % written as %25 in it?)."
    return None


def reason_of(error: BaseException) -> str:
    """The server's own words: their first line, without what the driver says around it."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
