"""How a run stands, and why it stopped where it did."""

from datetime import timedelta

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER, record_event
from approvals.ledger.cancel import cancel_open
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.posts import add_post
from approvals.ledger.tenure import FenceRaised, require_fence
from approvals.records import Approval, Run
from approvals.rules.words import RunStatus

TRIES = 3
FIRST_PAUSE = timedelta(seconds=2)


def set_status(db: Database, run: Run, status: RunStatus) -> None:
    """Note how the run stands. A run that comes to rest in good order has no failures behind it."""
    with db.statement(Commit.SET_STATUS) as tx:
        noted = tx.execute(
            "UPDATE runs SET status = %s, reason = NULL, updated_at = now(),"
            " failures = CASE WHEN %s THEN failures ELSE 0 END WHERE id = %s AND fence = %s",
            (status, status is RunStatus.RUNNING, run.id, run.fence),
        )
    if noted.rowcount != 1:
        raise FenceRaised(f"run {run.id} has gone past fence {run.fence}")


def note_failure(db: Database, run: Run, reason: str) -> RunStatus:
    """The agent raised. Try again a few times, each time later; then say so in the thread and stop."""
    with db.transaction(Commit.NOTE_FAILURE) as tx:
        require_fence(tx, run.id, run.fence)
        row = tx.execute(
            "UPDATE runs SET failures = failures + 1, retry_at = now() + %s * power(2, failures)"
            " WHERE id = %s RETURNING failures",
            (FIRST_PAUSE, run.id),
        ).fetchone()
        tired = row is not None and row["failures"] >= TRIES
        status = RunStatus.FAILED if tired else RunStatus.QUEUED
        write_status(tx, run, status, reason=reason)
        record_event(tx, "run_failed" if tired else "run_faltered", WORKER, run_id=run.id, reason=reason)
        if tired:
            add_post(tx, run.id, key=f"failed-{run.fence}", kind="notice", text=f"I had to stop: {reason}")
        return status


def note_stuck(db: Database, run: Run, reason: str) -> list[Approval]:
    """The run cannot go on safely, and trying again would not help: close what is open, say why."""
    with db.transaction(Commit.NOTE_STUCK) as tx:
        require_fence(tx, run.id, run.fence)
        write_status(tx, run, RunStatus.STUCK, reason=reason)
        record_event(tx, "run_stuck", WORKER, run_id=run.id, reason=reason)
        add_post(tx, run.id, key=f"stuck-{run.fence}", kind="notice", text=f"This run cannot go on: {reason}")
        return cancel_open(db, tx, run.id, WORKER, reason)


def write_status(tx: Tx, run: Run, status: RunStatus, *, reason: str | None) -> None:
    """The row itself."""
    told = storable(reason) if reason else reason
    tx.execute("UPDATE runs SET status = %s, reason = %s, updated_at = now() WHERE id = %s", (status, told, run.id))
