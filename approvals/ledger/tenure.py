"""One run per thread at a time: an advisory lock on the worker's own connection, and the run's fence,
a number that only rises, so that whoever lost the lock can write nothing that counts."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.rows import DictRow

from approvals.failpoints import Commit
from approvals.ledger.database import Database, Tx
from approvals.ledger.rows import to_run
from approvals.records import Run, RunId

# One 64-bit key per run. The seed keeps it apart from advisory locks of other programs in the database.
LOCK_KEY = "hashtextextended({run_id}, 5396814)"


class FenceRaised(Exception):
    """Somebody else has taken the run since; nothing of ours counts any more."""


def try_lock(connection: psycopg.Connection[DictRow], run_id: RunId) -> bool:
    """Take the run's lock without waiting. It is the session's: it dies with the connection."""
    key = LOCK_KEY.format(run_id="%s")
    row = connection.execute(f"SELECT pg_try_advisory_lock({key}) AS got", (run_id,)).fetchone()
    return bool(row and row["got"])


def unlock(connection: psycopg.Connection[DictRow], run_id: RunId) -> None:
    """Give the run's lock back."""
    connection.execute(f"SELECT pg_advisory_unlock({LOCK_KEY.format(run_id='%s')})", (run_id,))


@contextmanager
def held(connection: psycopg.Connection[DictRow], run_id: RunId) -> Iterator[bool]:
    """Hold the lock for a block, if it is free. On any error the connection is closed, not unlocked: a
    connection in doubt must not come back holding a lock, or write another checkpoint."""
    if not try_lock(connection, run_id):
        yield False
        return
    try:
        yield True
        # Closed meanwhile: the server has freed the lock by itself.
        if not connection.closed:
            unlock(connection, run_id)
    except BaseException:
        connection.close()
        raise


def raise_fence(db: Database, run_id: RunId) -> Run | None:
    """Begin a tenure: the run with its new fence, or None if there is no such run."""
    with db.statement(Commit.RAISE_FENCE) as tx:
        row = tx.execute(
            "UPDATE runs SET fence = fence + 1, updated_at = now() WHERE id = %s RETURNING *,"
            " EXISTS (SELECT 1 FROM posts WHERE run_id = runs.id AND draft = 'growing') AS has_drafts",
            (run_id,),
        ).fetchone()
    return to_run(row) if row else None


def require_fence(tx: Tx, run_id: RunId, fence: int) -> None:
    """Raise FenceRaised unless `fence` is the run's. The row is share-locked until the transaction ends,
    so that a fence cannot rise between this check and the write it protects."""
    row = tx.execute("SELECT fence FROM runs WHERE id = %s FOR SHARE", (run_id,)).fetchone()
    if row is None or row["fence"] != fence:
        raise FenceRaised(f"run {run_id} has gone past fence {fence}")
