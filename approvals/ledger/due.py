"""What silence will lead to, planned when a call is opened or its effect is lost; and the taking of what is due.
Rows only: what then happens is each verb's own."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.ledger.database import Tx
from approvals.records import Approval, ApprovalId

# An effect of which nobody knows what came of it: called at once, and again this often, until somebody answers.
LOOK_EVERY = "1 hour"


class Nudge(StrEnum):
    """What becomes due while people are silent."""

    REMIND = "remind"
    ESCALATE = "escalate"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is due. `step` counts from 0 in the rule's own list."""

    approval_id: ApprovalId
    attempt: int
    kind: Nudge
    step: int


def plan_nudges(tx: Tx, approval: Approval) -> None:
    """The reminders and escalations of the rule that fall before the call expires."""
    rule = approval.rule
    planned = [(Nudge.REMIND, step, after) for step, after in enumerate(rule.remind)]
    planned += [(Nudge.ESCALATE, step, one.after) for step, one in enumerate(rule.escalate)]
    for kind, step, after in planned:
        tx.execute(
            "INSERT INTO due (approval_id, attempt, kind, step, at) VALUES (%s, %s, %s, %s, %s)",
            (approval.id, approval.attempt, kind, step, approval.opened_at + after),
        )


def plan_look(tx: Tx, approval: Approval, step: int = 0) -> None:
    """Those who may answer what came of an effect are called: now, or for a later step in an hour."""
    tx.execute(
        "INSERT INTO due (approval_id, attempt, kind, step, at) VALUES (%s, %s, %s, %s,"
        f" clock_timestamp() + CASE WHEN %s > 0 THEN interval '{LOOK_EVERY}' ELSE interval '0' END)"
        " ON CONFLICT DO NOTHING",
        (approval.id, approval.attempt, Nudge.UNKNOWN, step, step),
    )


def take_due(tx: Tx, limit: int) -> list[Due]:
    """What is due and nobody else has taken, by the database's clock; marked as looked at in this transaction."""
    rows = tx.execute(
        "UPDATE due SET done_at = clock_timestamp(), happened = false WHERE (approval_id, attempt, kind, step) IN"
        " (SELECT approval_id, attempt, kind, step FROM due WHERE done_at IS NULL AND at <= now()"
        " ORDER BY at LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING *",
        (limit,),
    ).fetchall()
    found = [Due(ApprovalId(r["approval_id"]), r["attempt"], Nudge(r["kind"]), r["step"]) for r in rows]
    return sorted(found, key=lambda due: (due.approval_id, due.kind, due.step))


def mark_happened(tx: Tx, due: Due) -> None:
    """It was not in vain: the approval still waited."""
    tx.execute(
        "UPDATE due SET happened = true WHERE approval_id = %s AND attempt = %s AND kind = %s AND step = %s",
        (due.approval_id, due.attempt, due.kind, due.step),
    )
