"""Silence, handled: approvals that nobody decided in time, by the database's clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from approvals.failpoints import Commit
from approvals.ledger.audit import CLOCK, args_mac
from approvals.ledger.database import Database, Row, Tx
from approvals.ledger.move import IllegalMove, move
from approvals.records import Approval, ApprovalId, RunId
from approvals.rules.transitions import WAITING, Verb, arrow
from approvals.rules.words import Status


@dataclass(frozen=True, slots=True)
class ExpiredCall:
    """What a batch tells of each of its approvals."""

    id: ApprovalId
    run_id: RunId


def expire_due(db: Database, limit: int = 100) -> list[ExpiredCall]:
    """Expire at most `limit` overdue approvals, the longest overdue first. Any number of clocks may do this at
    once: a row that another has locked is left to it. The same move as `move` makes, for all of them together:
    one by one, five thousand at once would take the clock several seconds."""
    with db.transaction(Commit.EXPIRE) as tx:
        # now() and not the clock itself: a function that changes while it runs cannot be looked up in an index.
        rows = tx.execute(
            "SELECT id, run_id, revision, attempt, digest, args_json FROM approvals"
            " WHERE status = %s AND expires_at <= now() ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED",
            (Status.PENDING, limit),
        ).fetchall()
        if rows:
            expire_all(db, tx, rows)
    return [ExpiredCall(ApprovalId(row["id"]), RunId(str(row["run_id"]))) for row in rows]


def expire_all(db: Database, tx: Tx, rows: Sequence[Row]) -> None:
    """Rows that are locked and pending, and their audit rows."""
    to = arrow(Verb.EXPIRE, WAITING)
    if to is None:
        raise IllegalMove(f"{Verb.EXPIRE} from {WAITING}")
    tx.execute(
        "UPDATE approvals SET status = %s, effect = %s, decided_by = %s, decided_at = expires_at,"
        " version = version + 1 WHERE id = ANY(%s)",
        (to.status, to.effect, CLOCK.id, [row["id"] for row in rows]),
    )
    columns = ("id", "run_id", "revision", "attempt", "digest")
    macs = [args_mac(db, tx, row["args_json"]) for row in rows]
    tx.execute(
        "INSERT INTO audit_log (action, actor, door, state_from, state_to, approval_id, run_id, revision, attempt,"
        " digest, args_mac) SELECT %s, %s, %s, %s, %s, each.* FROM unnest(%s::text[], %s::uuid[], %s::int[],"
        " %s::int[], %s::text[], %s::text[]) AS each",
        (Verb.EXPIRE, CLOCK.id, CLOCK.door, str(WAITING), str(to), *([r[c] for r in rows] for c in columns), macs),
    )


def expired_by_now(db: Database, tx: Tx, approval: Approval) -> Approval:
    """A click that comes after the end, but before the sweep, finds the approval expired all the same."""
    if approval.status is not Status.PENDING:
        return approval
    late = tx.execute("SELECT clock_timestamp() >= %s AS late", (approval.expires_at,)).fetchone()
    if not late or not late["late"]:
        return approval
    return move(db, tx, Verb.EXPIRE, approval, CLOCK, decided_by="system", decided_at=approval.expires_at)
