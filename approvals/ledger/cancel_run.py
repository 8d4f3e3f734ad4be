"""Somebody ends a run. What waits is cancelled at once; the run itself ends between two steps of its worker, so
that an effect that has begun still reports what came of it. A new message begins it again."""

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.cancel import cancel_open
from approvals.ledger.database import Database, storable
from approvals.ledger.posts import add_post
from approvals.ledger.rows import to_run
from approvals.ledger.status_line import write_cancelling
from approvals.ledger.tenure import require_fence
from approvals.records import Approval, Run, RunId
from approvals.rules.words import Door, RunStatus

OVER = (RunStatus.CANCELLED, RunStatus.DONE)


def cancel_run(db: Database, run_id: RunId, actor: Actor, reason: str) -> list[Approval] | None:
    """Ask for the end of a run; the approvals that were cancelled with it. None if there is no such run, or it
    has come to its end already."""
    with db.transaction() as tx:
        row = tx.execute("SELECT * FROM runs WHERE id = %s FOR UPDATE", (run_id,)).fetchone()
        if row is None or RunStatus(row["status"]) in OVER or row["cancel_asked_by"]:
            return None
        tx.execute(
            "UPDATE runs SET cancel_asked_by = %s, cancel_reason = %s, cancel_asked_at = clock_timestamp(),"
            " retry_at = now(), updated_at = now()"
            " WHERE id = %s",
            (actor.id, storable(reason), run_id),
        )
        write_cancelling(tx, run_id)
        record_event(tx, "cancel_run", actor, run_id=run_id, reason=reason)
        return cancel_open(db, tx, run_id, actor, reason)


def end_cancelled(db: Database, run: Run) -> list[Approval] | None:
    """The worker's part: note the end, if it was asked for. What the agent asked about meanwhile is closed too."""
    if not cancel_asked(db, run.id):
        return None
    with db.transaction() as tx:
        require_fence(tx, run.id, run.fence)
        row = tx.execute("SELECT * FROM runs WHERE id = %s AND cancel_asked_by IS NOT NULL", (run.id,)).fetchone()
        if row is None:
            return None
        actor, reason = Actor(row["cancel_asked_by"], Door.WORKER), row["cancel_reason"]
        # What was said before the end is told to nobody; what was said after it begins the run again.
        tx.execute(
            "UPDATE messages SET delivered_at = clock_timestamp() WHERE run_id = %s AND delivered_at IS NULL"
            " AND received_at <= %s",
            (run.id, row["cancel_asked_at"]),
        )
        later = tx.execute("SELECT 1 FROM messages WHERE run_id = %s AND delivered_at IS NULL", (run.id,)).fetchone()
        tx.execute(
            "UPDATE runs SET status = %s, reason = %s, cancel_asked_by = NULL, cancelled_at = clock_timestamp(),"
            " failures = 0, updated_at = now() WHERE id = %s",
            (RunStatus.QUEUED if later else RunStatus.CANCELLED, reason, run.id),
        )
        record_event(tx, "run_cancelled", actor, run_id=run.id, reason=reason)
        add_post(tx, run.id, key=f"cancelled-{run.fence}", kind="notice", text=f"Cancelled. {reason}")
        return cancel_open(db, tx, to_run(row).id, actor, reason)


def cancel_asked(db: Database, run_id: RunId) -> bool:
    """Whether somebody wants the run to end; asked before each of its steps."""
    with db.statement() as tx:
        found = tx.execute("SELECT 1 FROM runs WHERE id = %s AND cancel_asked_by IS NOT NULL", (run_id,)).fetchone()
    return found is not None
