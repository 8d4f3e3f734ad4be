"""What silence has led to so far: when people were called again, which pages failed, and whether an expired call was
asked about once more. Looks, and touches nothing."""

from dataclasses import dataclass
from datetime import datetime

from approvals.ledger.ask_again import message_key
from approvals.ledger.database import Database, Tx
from approvals.ledger.due import Nudge
from approvals.records import Approval, ApprovalId
from approvals.rules.rule import Escalation


@dataclass(frozen=True, slots=True)
class Escalated:
    """One step that was taken."""

    step: Escalation
    at: datetime


@dataclass(frozen=True, slots=True)
class FailedPage:
    """A pager that has not taken a page. It is tried again while the approval waits."""

    pager: str
    failure: str


@dataclass(frozen=True, slots=True)
class Silence:
    """`again`: the newer approval of an expired call; `handed`: its agent was told to ask for it once more."""

    reminded: tuple[datetime, ...] = ()
    escalated: tuple[Escalated, ...] = ()
    failed_pages: tuple[FailedPage, ...] = ()
    again: ApprovalId | None = None
    handed: bool = False


def silence_of(db: Database, approval: Approval) -> Silence:
    """Of one approval, at its present attempt."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT kind, step, done_at FROM due WHERE approval_id = %s AND attempt = %s AND happened ORDER BY done_at",
            (approval.id, approval.attempt),
        ).fetchall()
        failed = tx.execute(
            "SELECT pager, failure FROM pages WHERE approval_id = %s AND failure IS NOT NULL AND sent_at IS NULL"
            " ORDER BY created_at",
            (approval.id,),
        ).fetchall()
        again, handed = asked_again(tx, approval)
    steps = approval.rule.escalate
    return Silence(
        reminded=tuple(row["done_at"] for row in rows if row["kind"] == Nudge.REMIND),
        escalated=tuple(
            Escalated(steps[row["step"]], row["done_at"])
            for row in rows
            if row["kind"] == Nudge.ESCALATE and row["step"] < len(steps)
        ),
        failed_pages=tuple(FailedPage(row["pager"], row["failure"]) for row in failed),
        again=again,
        handed=handed,
    )


def asked_again(tx: Tx, approval: Approval) -> tuple[ApprovalId | None, bool]:
    """The newer approval, and whether the agent was handed a message."""
    row = tx.execute(
        "SELECT (SELECT id FROM approvals WHERE replaces = %(id)s LIMIT 1) AS heir,"
        " EXISTS (SELECT 1 FROM messages WHERE run_id = %(run)s AND ts = %(key)s) AS handed",
        {"id": approval.id, "run": approval.run_id, "key": message_key(approval)},
    ).fetchone()
    if row is None:
        return None, False
    return (ApprovalId(row["heir"]) if row["heir"] else None), row["handed"]
