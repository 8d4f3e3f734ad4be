"""Brings a database to this release's tables, and tells whether it is there. Knows no table by name."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, pool, text

MIGRATION_LOCK = 0x636F756E74  # "count"; any number, as long as no other program uses it here


class NotMigrated(Exception):
    """The database does not have this release's tables."""


def migrate(database_url: str) -> None:
    """Apply every migration that is missing. Safe to repeat and to run from several machines at once."""
    with connected(database_url) as connection, only_one(connection):
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def check_migrated(database_url: str) -> None:
    """Raise NotMigrated, with what to do, unless the database is at this release's newest migration."""
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    with connected(database_url) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        raise NotMigrated("The database has no Countersign tables yet; run `countersign release` first.")
    if found != head:
        raise NotMigrated(
            f"The database is at migration {found} and this release needs {head}; "
            "run `countersign release` of this release first."
        )


def alembic_config() -> Config:
    """Alembic's settings without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


@contextmanager
def connected(database_url: str) -> Iterator[Connection]:
    """One SQLAlchemy connection over psycopg, as alembic wants it."""
    # Connected here, so that a server that does not answer is psycopg's own error.
    ours = psycopg.connect(database_url, connect_timeout=5)
    engine = create_engine("postgresql+psycopg://", creator=lambda: ours, poolclass=pool.NullPool)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@contextmanager
def only_one(connection: Connection) -> Iterator[None]:
    """Hold the migration lock. Polled: a session that blocks in pg_advisory_lock holds a snapshot, which
    deadlocks with the CREATE INDEX CONCURRENTLY of LangGraph's own set-up beside it."""
    while not connection.execute(text(f"SELECT pg_try_advisory_lock({MIGRATION_LOCK})")).scalar():
        connection.commit()
        time.sleep(0.1)
    connection.commit()
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(text(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})"))
        connection.commit()


@contextmanager
def only_one_session(connection: "psycopg.Connection[Any]") -> Iterator[None]:
    """The same lock for a plain autocommit session: LangGraph's set-up, which must not run beside itself."""
    while not first_value(connection, f"SELECT pg_try_advisory_lock({MIGRATION_LOCK}) AS value"):
        time.sleep(0.1)
    try:
        yield
    finally:
        connection.execute(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})")


def first_value(connection: "psycopg.Connection[Any]", query: LiteralString) -> object:
    """The column named `value` of the first row, for sessions whose rows are dicts."""
    row = connection.execute(query).fetchone()
    return row["value"] if row else None
