"""Looking, without touching: single rows and the lists that the command line and the runner read."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from approvals.ledger.database import Database
from approvals.ledger.open_approval import asked_by
from approvals.ledger.rows import to_approval, to_run, with_votes
from approvals.records import Approval, ApprovalId, Run, RunId
from approvals.rules.redact import secrets_in
from approvals.rules.words import Status


def find_approval(db: Database, approval_id: str) -> Approval | None:
    """One approval, with the votes that count now."""
    with db.statement() as tx:
        row = tx.execute("SELECT * FROM approvals WHERE id = %s", (approval_id,)).fetchone()
        return with_votes(tx, row) if row else None


def find_call(db: Database, run_id: RunId, checkpoint_ns: str, tool_call_id: str) -> Approval | None:
    """The approval of one call, as LangGraph names the call."""
    with db.statement() as tx:
        row = tx.execute(
            "SELECT * FROM approvals WHERE run_id = %s AND checkpoint_ns = %s AND tool_call_id = %s AND shape = 'gated'"
            " ORDER BY round DESC LIMIT 1",
            (run_id, checkpoint_ns, tool_call_id),
        ).fetchone()
    return to_approval(row) if row else None


def approvals_of(db: Database, run_id: RunId) -> list[Approval]:
    """A run's approvals that the agent has not heard about, oldest first."""
    with db.statement() as tx:
        rows = tx.execute(
            "SELECT * FROM approvals WHERE run_id = %s AND applied_at IS NULL ORDER BY opened_at, id",
            (run_id,),
        ).fetchall()
    return [to_approval(row) for row in rows]


def list_approvals(db: Database, *, status: Status | None = None, limit: int = 200) -> list[Approval]:
    """The newest approvals, of one status or of all."""
    with db.statement() as tx:
        rows = tx.execute(
            "SELECT * FROM approvals WHERE %(status)s::text IS NULL OR status = %(status)s"
            " ORDER BY opened_at DESC, id LIMIT %(limit)s",
            {"status": status, "limit": limit},
        ).fetchall()
        return [with_votes(tx, row) for row in rows]


def find_run(db: Database, run_id: str) -> Run | None:
    """One run."""
    with db.statement() as tx:
        row = tx.execute("SELECT * FROM runs WHERE id::text = %s", (run_id,)).fetchone()
    return to_run(row) if row else None


def find_run_in(db: Database, team_id: str, channel_id: str, thread_ts: str) -> Run | None:
    """The run that lives in this Slack thread."""
    with db.statement() as tx:
        row = tx.execute(
            "SELECT * FROM runs WHERE team_id = %s AND channel_id = %s AND thread_ts = %s",
            (team_id, channel_id, thread_ts),
        ).fetchone()
    return to_run(row) if row else None


def list_runs(db: Database, limit: int = 200) -> list[Run]:
    """The runs that moved last."""
    with db.statement() as tx:
        rows = tx.execute("SELECT * FROM runs ORDER BY updated_at DESC, id LIMIT %s", (limit,)).fetchall()
    return [to_run(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Setting:
    """In what a call is made: which agent, in which channel, and who spoke to it last ("" if nobody did)."""

    agent: str
    channel_id: str
    asked_by: str


def setting_of(db: Database, run_id: RunId) -> Setting:
    """The setting of the calls that a run makes now."""
    with db.statement() as tx:
        row = tx.execute("SELECT agent, channel_id FROM runs WHERE id = %s", (run_id,)).fetchone()
        if row is None:
            raise LookupError(f"there is no run {run_id}")
        return Setting(row["agent"], row["channel_id"], asked_by(tx, run_id) or "")


@dataclass(frozen=True, slots=True)
class EarlierNo:
    """Somebody rejected the very same call a short while ago."""

    by: str
    at: datetime
    reason: str | None


def earlier_no(db: Database, approval: Approval, within: timedelta = timedelta(hours=24)) -> EarlierNo | None:
    """The last rejection of the identical digest before this approval was opened, in whatever run."""
    with db.statement() as tx:
        row = tx.execute(
            "SELECT decided_by, decided_at, reason FROM approvals WHERE digest = %s AND status = %s"
            " AND decided_at < %s AND decided_at > %s AND id <> %s ORDER BY decided_at DESC LIMIT 1",
            (approval.digest, Status.REJECTED, approval.opened_at, approval.opened_at - within, approval.id),
        ).fetchone()
    return EarlierNo(row["decided_by"], row["decided_at"], row["reason"]) if row else None


def secrets_of_run(db: Database, run_id: RunId) -> frozenset[str]:
    """The values in a run's calls that the policy hides, those that an edit replaced too: nothing said in its thread
    may show them."""
    with db.statement() as tx:
        rows = tx.execute(
            "WITH hiding AS (SELECT id, args_json, rule -> 'redact' AS redact FROM approvals WHERE run_id = %s"
            " AND jsonb_array_length(coalesce(rule -> 'redact', '[]')) > 0)"
            " SELECT args_json, redact FROM hiding UNION SELECT revisions.args_json, redact FROM hiding"
            " JOIN revisions ON revisions.approval_id = hiding.id",
            (run_id,),
        ).fetchall()
    return frozenset().union(*(secrets_in(json.loads(row["args_json"]), tuple(row["redact"])) for row in rows))


def replaced_by(db: Database, approval_id: ApprovalId) -> ApprovalId | None:
    """The newer approval that stands in for this one."""
    with db.statement() as tx:
        row = tx.execute("SELECT id FROM approvals WHERE replaces = %s", (approval_id,)).fetchone()
    return ApprovalId(row["id"]) if row else None
