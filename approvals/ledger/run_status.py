"""How a run stands, and why it stopped where it did."""

from datetime import timedelta

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER, record_event
from approvals.ledger.cancel import cancel_open
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.posts import add_post
from approvals.ledger.status_line import AGAIN_IN, draw_again, write_doing
from approvals.ledger.tenure import FenceRaised, require_fence
from approvals.records import Approval, Run, RunId
from approvals.rules.words import RunStatus

TRIES = 3
FIRST_PAUSE = timedelta(seconds=2)
STOPPED = "stopped"
TRY_AGAIN = "Press Try again on its status line above, or write here what to do instead."
WRITE = "Write here what to do instead."


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


def note_failure(
    db: Database, run: Run, reason: str, *, tries: int = TRIES, not_before: timedelta = timedelta()
) -> RunStatus:
    """The agent did not come to an end. Try again until it was tried `tries` times, each time later and no sooner than
    in `not_before`; then say so in the thread and stop. `reason`: a sentence of ours, never an exception's text."""
    with db.transaction(Commit.NOTE_FAILURE) as tx:
        require_fence(tx, run.id, run.fence)
        row = tx.execute(
            "UPDATE runs SET failures = failures + 1, retry_at = now() + greatest(%s * power(2, failures), %s)"
            " WHERE id = %s RETURNING failures, retry_at - now() AS pause",
            (FIRST_PAUSE, not_before, run.id),
        ).fetchone()
        if row is None:
            raise FenceRaised(f"run {run.id} is gone")
        tired = row["failures"] >= tries
        status = RunStatus.FAILED if tired else RunStatus.QUEUED
        write_status(tx, run, status, reason=reason)
        record_event(tx, "run_failed" if tired else "run_faltered", WORKER, run_id=run.id, reason=reason)
        write_doing(tx, run.id, STOPPED if tired else trying_again(reason, row["pause"]), ended=tired)
        if tired:
            add_post(tx, run.id, key=f"failed-{run.fence}", kind="notice", text=given_up(tx, run, reason))
        return status


def trying_again(reason: str, pause: timedelta) -> str:
    """What the status line says meanwhile: why, and when it goes on."""
    seconds = max(1, round(pause.total_seconds()))
    soon = f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"
    return f"{reason.partition('. ')[0].rstrip('.')}{AGAIN_IN}{soon}"


def given_up(tx: Tx, run: Run, reason: str) -> str:
    """What happened, and what people can do now; a run that never showed anything has no button."""
    line = tx.execute("SELECT 1 FROM status_lines WHERE run_id = %s", (run.id,)).fetchone()
    return f"I had to stop: {reason} {TRY_AGAIN if line else WRITE}"


def note_stuck(db: Database, run: Run, reason: str) -> list[Approval]:
    """The run cannot go on safely, and trying again would not help: close what is open, say why."""
    with db.transaction(Commit.NOTE_STUCK) as tx:
        require_fence(tx, run.id, run.fence)
        write_status(tx, run, RunStatus.STUCK, reason=reason)
        record_event(tx, "run_stuck", WORKER, run_id=run.id, reason=reason)
        add_post(tx, run.id, key=f"stuck-{run.fence}", kind="notice", text=f"This run cannot go on: {reason}")
        return cancel_open(db, tx, run.id, WORKER, reason)


def reopen(tx: Tx, run_id: RunId) -> None:
    """A run that had given up gets another chance when a person speaks: their say must reach the agent,
    or the run must stop anew, visibly. Nobody need press anything then."""
    reopened = tx.execute(
        "UPDATE runs SET status = %s, failures = 0, retry_at = now() WHERE id = %s AND status IN (%s, %s)",
        (RunStatus.QUEUED, run_id, RunStatus.FAILED, RunStatus.STUCK),
    )
    if reopened.rowcount:
        draw_again(tx, run_id)


def write_status(tx: Tx, run: Run, status: RunStatus, *, reason: str | None) -> None:
    """The row itself."""
    told = storable(reason) if reason else reason
    tx.execute("UPDATE runs SET status = %s, reason = %s, updated_at = now() WHERE id = %s", (status, told, run.id))
