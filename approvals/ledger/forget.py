"""Retention: runs that are over, and the beginning of the audit log, as old as the configuration says. A run with
anything open is never touched; what the log loses is on record in the log."""

from datetime import timedelta

from approvals.ledger.audit import CLOCK, record_event
from approvals.ledger.chain import LINK_LOCK
from approvals.ledger.database import Database, Tx
from approvals.records import RunId
from approvals.rules.words import RunStatus

OVER = (RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED, RunStatus.STUCK)
OPEN = "status = 'pending' OR effect IN ('started', 'paused', 'unknown') OR applied_at IS NULL"
OF_APPROVALS = ("cards_behind", "due", "pages", "votes", "revisions", "cards")
# LangGraph's own tables hold a run's thread under the same id.
OF_THREADS = ("checkpoint_writes", "checkpoint_blobs", "checkpoints")


def forget_runs(db: Database, older_than: timedelta, limit: int = 50) -> list[RunId]:
    """Forget runs that came to their end that long ago, with all that hangs on them but the audit log."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT id FROM runs WHERE status = ANY(%s) AND updated_at < now() - %s AND NOT EXISTS"
            f" (SELECT 1 FROM approvals WHERE run_id = runs.id AND ({OPEN})) AND NOT EXISTS"
            " (SELECT 1 FROM messages WHERE run_id = runs.id AND delivered_at IS NULL)"
            " ORDER BY updated_at LIMIT %s FOR UPDATE SKIP LOCKED",
            (list(OVER), older_than, limit),
        ).fetchall()
        run_ids = [RunId(str(row["id"])) for row in rows]
        if run_ids:
            forget(tx, run_ids)
        for run_id in run_ids:
            record_event(tx, "run_forgotten", CLOCK, run_id=run_id)
    return run_ids


def forget(tx: Tx, run_ids: list[RunId]) -> None:
    """Locked runs, and their rows in the order in which they hang on each other."""
    approvals = "(SELECT id FROM approvals WHERE run_id = ANY(%(runs)s::uuid[]))"
    given = {"runs": run_ids}
    tx.execute(f"UPDATE approvals SET replaces = NULL WHERE replaces IN {approvals}", given)
    tx.execute("UPDATE messages SET answered = NULL WHERE run_id = ANY(%(runs)s::uuid[])", given)
    for table in ("status_lines", "posts"):
        tx.execute(f"DELETE FROM {table} WHERE run_id = ANY(%(runs)s::uuid[])", given)
    for table in OF_APPROVALS:
        tx.execute(f"DELETE FROM {table} WHERE approval_id IN {approvals}", given)
    for table in ("approvals", "messages"):
        tx.execute(f"DELETE FROM {table} WHERE run_id = ANY(%(runs)s::uuid[])", given)
    for table in OF_THREADS:
        tx.execute(f"DELETE FROM {table} WHERE thread_id = ANY(%(runs)s::text[])", given)
    tx.execute("DELETE FROM runs WHERE id = ANY(%(runs)s::uuid[])", given)


def cut_audit(db: Database, older_than: timedelta, limit: int = 5_000) -> int:
    """Cut linked rows off the beginning of the log, as many as are that old; the chain goes on from the cut."""
    with db.transaction() as tx:
        tx.execute("SELECT pg_advisory_xact_lock(%s)", (LINK_LOCK,))
        rows = tx.execute(
            "SELECT link_no, row_hash, audit_id, at < now() - %s AS old FROM audit_links JOIN audit_log"
            " ON audit_log.id = audit_id ORDER BY link_no LIMIT %s",
            (older_than, limit),
        ).fetchall()
        # Links are in the order in which rows became visible: the first that is young ends it.
        young = next((number for number, row in enumerate(rows) if not row["old"]), len(rows))
        old = rows[:young]
        if not old:
            return 0
        last = old[-1]
        tx.execute("SET LOCAL countersign.cutting = 'on'")
        tx.execute("DELETE FROM audit_links WHERE link_no <= %s", (last["link_no"],))
        tx.execute("DELETE FROM audit_log WHERE id = ANY(%s)", ([row["audit_id"] for row in old],))
        tx.execute("INSERT INTO audit_cuts (link_no, row_hash) VALUES (%s, %s)", (last["link_no"], last["row_hash"]))
        record_event(tx, "audit_cut", CLOCK, link_no=last["link_no"], row_hash=last["row_hash"], rows=len(old))
    return len(old)
