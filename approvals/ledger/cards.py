"""Which Slack messages show an approval, and which version of it they show."""

from dataclasses import dataclass
from datetime import timedelta

from approvals.ledger.database import Database, Row, storable
from approvals.records import ApprovalId

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Card:
    """One Slack message of an approval; `ts` is None until Slack has it."""

    id: str
    approval_id: ApprovalId
    channel_id: str
    thread_ts: str | None
    ts: str | None
    shown_version: int
    lease_token: str


def lease_card(db: Database, approval_id: ApprovalId) -> Card | None:
    """Take one card of the approval that is behind its row, if no other writer has it."""
    with db.transaction() as tx:
        row = tx.execute(
            "UPDATE cards SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s"
            " WHERE id = (SELECT cards.id FROM cards JOIN approvals ON approvals.id = approval_id"
            " WHERE approval_id = %(id)s AND shown_version < version AND retry_at <= now()"
            " AND (lease_until IS NULL OR lease_until < now()) LIMIT 1 FOR UPDATE OF cards SKIP LOCKED)"
            " RETURNING *",
            {"lease": LEASE, "id": approval_id},
        ).fetchone()
    return to_card(row) if row else None


def card_shown(db: Database, card: Card, ts: str, version: int) -> None:
    """Slack shows `version` under `ts`. Kept even if the lease ran out: a later writer only shows more."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE cards SET ts = %(ts)s, shown_version = greatest(shown_version, %(version)s), failure = NULL,"
            " failures = 0, lease_until = CASE WHEN lease_token = %(token)s THEN NULL ELSE lease_until END"
            " WHERE id = %(id)s",
            {"ts": ts, "version": version, "token": card.lease_token, "id": card.id},
        )


def card_failed(db: Database, card: Card, failure: str, retry_in: timedelta) -> None:
    """Slack did not take it; the sweep tries again after `retry_in`."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE cards SET failure = %s, failures = failures + 1, retry_at = now() + %s, lease_until = NULL"
            " WHERE id = %s AND lease_token = %s",
            (storable(failure), retry_in, card.id, card.lease_token),
        )


def lagging(db: Database, limit: int = 100) -> list[ApprovalId]:
    """Approvals with a card that shows less than the row says and that nobody is writing."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT DISTINCT approval_id FROM cards JOIN approvals ON approvals.id = approval_id"
            " WHERE shown_version < version AND retry_at <= now()"
            " AND (lease_until IS NULL OR lease_until < now()) LIMIT %s",
            (limit,),
        ).fetchall()
    return [ApprovalId(row["approval_id"]) for row in rows]


def card_at(db: Database, channel_id: str, ts: str) -> ApprovalId | None:
    """Which approval the Slack message shows, if it is a card of ours."""
    with db.transaction() as tx:
        row = tx.execute("SELECT approval_id FROM cards WHERE channel_id = %s AND ts = %s", (channel_id, ts)).fetchone()
    return ApprovalId(row["approval_id"]) if row else None


def to_card(row: Row) -> Card:
    """A row of `cards`."""
    return Card(
        id=str(row["id"]),
        approval_id=ApprovalId(row["approval_id"]),
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        ts=row["ts"],
        shown_version=row["shown_version"],
        lease_token=str(row["lease_token"]),
    )
