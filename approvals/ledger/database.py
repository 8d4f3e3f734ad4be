"""The pool and the one way to open a transaction. Knows no table but the installation's own row."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool

from approvals.failpoints import Commit, after, before

Tx = psycopg.Connection[DictRow]
Row = dict[str, Any]

# No transaction of ours waits for anything but Postgres itself.
FROZEN_SECONDS = 15


def storable(text: str) -> str:
    """The text with what Postgres cannot hold made visible: NUL, and halves of surrogate pairs."""
    return text.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")


class Database:
    """A lazily opened pool. `wait_seconds` bounds how long a caller waits for a connection and, as
    lock_timeout, for a row: a Slack handler must answer within 3 s, so it passes less than that. A process that
    is frozen in the middle of a transaction loses it, and with it the rows that it had locked."""

    def __init__(self, url: str, *, max_size: int = 4, wait_seconds: float = 10.0) -> None:
        self.url = url
        self._audit_key: bytes | None = None
        self._pool = ConnectionPool[Tx](
            url,
            min_size=0,
            max_size=max_size,
            timeout=wait_seconds,
            # The pool's own default lets its attempts wait for one another up to minutes after an outage, and
            # whoever comes meanwhile waits with them. Given up on sooner, the next caller begins anew.
            reconnect_timeout=wait_seconds,
            open=False,
            check=ConnectionPool.check_connection,
            kwargs={
                "row_factory": dict_row,
                "connect_timeout": max(1, int(wait_seconds)),
                "application_name": "countersign",
                "options": f"-c lock_timeout={int(wait_seconds * 1000)} -c timezone=UTC"
                f" -c idle_in_transaction_session_timeout={FROZEN_SECONDS * 1000}",
            },
        )

    @contextmanager
    def transaction(self, commit: Commit | None = None) -> Iterator[Tx]:
        """One transaction: committed when the block ends, rolled back when it raises. `commit` is the name under
        which a test can strike around the commit."""
        self._pool.open()
        with self._pool.connection() as connection:
            yield connection
            before(commit)
        after(commit)

    @contextmanager
    def statement(self, commit: Commit | None = None) -> Iterator[Tx]:
        """For one statement, which commits by itself: a third of the ways to the server that a transaction takes.
        Several statements in it are several transactions; what must hold together belongs into `transaction`."""
        self._pool.open()
        with self._pool.connection() as connection:
            connection.autocommit = True
            try:
                before(commit)
                yield connection
            finally:
                if not connection.closed:
                    connection.autocommit = False
        after(commit)

    def audit_key(self, tx: Tx) -> bytes:
        """The key that hashes argument values in the audit log; one per installation, read once. Through the
        caller's own transaction: a second connection per first click would empty the pool."""
        if self._audit_key is None:
            row = tx.execute("SELECT audit_key FROM installation").fetchone()
            if row is None:
                raise RuntimeError("The installation row is gone; restore it from a backup.")
            self._audit_key = bytes(row["audit_key"])
        return self._audit_key

    def close(self) -> None:
        """Give every connection back to the server."""
        self._pool.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
