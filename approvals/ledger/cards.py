"""Which Slack messages show an approval, and which version of it they show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER, record_event
from approvals.ledger.database import Database, Row, Tx, storable
from approvals.records import ApprovalId
from approvals.rules.places import CardKind, CardPlace

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Card:
    """One Slack message of an approval; `ts` is None until Slack has it. `channel_id` may be a `#name` or, for
    a direct message, a person's id until then. `tried`: somebody had it before, and may have posted it."""

    id: str
    approval_id: ApprovalId
    kind: CardKind
    channel_id: str
    thread_ts: str | None
    ts: str | None
    shown_version: int
    lease_token: str
    tried: bool


def lease_card(db: Database, approval_id: ApprovalId) -> Card | None:
    """Take one card of the approval that is behind its row, if no other writer has it."""
    with db.transaction() as tx:
        row = tx.execute(
            "UPDATE cards SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s"
            " FROM (SELECT cards.id, lease_token IS NOT NULL AS tried FROM cards"
            " JOIN approvals ON approvals.id = approval_id"
            " WHERE approval_id = %(id)s AND shown_version < version AND retry_at <= now()"
            " AND (lease_until IS NULL OR lease_until < now()) ORDER BY cards.kind = 'mirror' LIMIT 1"
            " FOR UPDATE OF cards SKIP LOCKED) AS due"
            " WHERE cards.id = due.id RETURNING cards.*, due.tried",
            {"lease": LEASE, "id": approval_id},
        ).fetchone()
    return to_card(row) if row else None


def add_cards(tx: Tx, approval_id: ApprovalId, wanted: Iterable[CardPlace]) -> None:
    """Cards to be written; a place that has one already gets no second one."""
    for place in wanted:
        tx.execute(
            "INSERT INTO cards (approval_id, kind, channel_id, thread_ts) SELECT %(id)s, %(kind)s, %(channel)s,"
            " %(thread)s WHERE NOT EXISTS (SELECT 1 FROM cards WHERE approval_id = %(id)s"
            " AND channel_id = %(channel)s AND thread_ts IS NOT DISTINCT FROM %(thread)s AND kind = %(kind)s)",
            {"id": approval_id, "kind": place.kind, "channel": place.channel_id, "thread": place.thread_ts},
        )


def call_directly(db: Database, calls: Card, user_ids: Sequence[str]) -> None:
    """Slack has said who may decide: a card for each of them takes the place of the one that stood for them."""
    with db.transaction() as tx:
        gone = tx.execute(
            "DELETE FROM cards WHERE id = %s AND lease_token = %s RETURNING id", (calls.id, calls.lease_token)
        ).fetchone()
        if gone:
            add_cards(tx, calls.approval_id, [CardPlace(CardKind.CARD, user_id, None) for user_id in user_ids])


def bring_back(db: Database, card: Card, failure: str) -> bool:
    """A card that Slack will not take where the policy sends it goes to the run's own thread, in the mirror's
    place, so that it is somewhere; False where that cannot be, or another card shows it already."""
    with db.transaction() as tx:
        mirror = tx.execute(
            "UPDATE cards SET kind = %(card)s, shown_version = 0, failure = %(failure)s, retry_at = now()"
            " WHERE approval_id = %(id)s AND kind = %(mirror)s AND NOT EXISTS (SELECT 1 FROM cards AS other"
            " WHERE other.approval_id = %(id)s AND other.kind = %(card)s AND other.ts IS NOT NULL) RETURNING id",
            {
                "card": CardKind.CARD,
                "mirror": CardKind.MIRROR,
                "failure": storable(failure),
                "id": card.approval_id,
            },
        ).fetchone()
        if mirror is None:
            return False
        tx.execute(
            "DELETE FROM cards WHERE approval_id = %s AND ts IS NULL AND id <> %s", (card.approval_id, mirror["id"])
        )
        record_event(
            tx,
            "card_brought_back",
            WORKER,
            approval_id=card.approval_id,
            channel_id=card.channel_id,
            failure=failure,
        )
        return True


def places_shown(db: Database, approval_id: ApprovalId) -> list[Card]:
    """The cards with buttons that Slack has, oldest first: a mirror says where they are."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT * FROM cards WHERE approval_id = %s AND kind = %s AND ts IS NOT NULL ORDER BY ts",
            (approval_id, CardKind.CARD),
        ).fetchall()
    return [to_card(row) for row in rows]


def shown_at(db: Database, approval_id: ApprovalId) -> tuple[str, str] | None:
    """Channel and ts of the first card with buttons that Slack has."""
    with db.transaction() as tx:
        row = tx.execute(
            "SELECT channel_id, ts FROM cards WHERE approval_id = %s AND kind = %s AND ts IS NOT NULL"
            " ORDER BY channel_id LIKE 'D%%', ts LIMIT 1",
            (approval_id, CardKind.CARD),
        ).fetchone()
    return (row["channel_id"], row["ts"]) if row else None


def card_shown(db: Database, card: Card, ts: str, version: int, channel_id: str | None = None) -> bool:
    """Slack shows `version` under `ts`. Kept even if the lease ran out: a later writer only shows more. False if
    meanwhile another message became the card."""
    with db.transaction(Commit.CARD_SHOWN) as tx:
        written = tx.execute(
            "UPDATE cards SET ts = %(ts)s, channel_id = coalesce(%(channel)s, channel_id),"
            " shown_version = greatest(shown_version, %(version)s), failure = NULL,"
            " failures = 0, lease_until = CASE WHEN lease_token = %(token)s THEN NULL ELSE lease_until END"
            " WHERE id = %(id)s AND (ts IS NOT DISTINCT FROM %(before)s OR ts = %(ts)s)",
            {
                "ts": ts,
                "before": card.ts,
                "version": version,
                "token": card.lease_token,
                "id": card.id,
                "channel": channel_id,
            },
        )
        if card.ts is None:
            # What says where the card is must say it anew.
            tx.execute(
                "UPDATE cards SET shown_version = 0 WHERE approval_id = %s AND kind = %s AND id <> %s",
                (card.approval_id, CardKind.MIRROR, card.id),
            )
        return written.rowcount == 1


def card_failed(db: Database, card: Card, failure: str, retry_in: timedelta) -> None:
    """Slack did not take it; the sweep tries again after `retry_in`."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE cards SET failure = %s, failures = failures + 1, retry_at = now() + %s, lease_until = NULL"
            " WHERE id = %s AND lease_token = %s",
            (storable(failure), retry_in, card.id, card.lease_token),
        )


# In line with a row means: nothing of the approval shows less than it says.
LAGS = """EXISTS (SELECT 1 FROM cards JOIN approvals ON approvals.id = approval_id
    WHERE approval_id = cards_behind.approval_id AND shown_version < version {and_now})"""
TIDIED_AT_ONCE = 2_000


def lagging(db: Database, limit: int = 100) -> list[ApprovalId]:
    """Approvals with a card that shows less than the row says and that nobody is writing."""
    now = LAGS.format(and_now="AND retry_at <= now() AND (lease_until IS NULL OR lease_until < now())")
    with db.transaction() as tx:
        tx.execute(
            "DELETE FROM cards_behind WHERE approval_id IN (SELECT approval_id FROM cards_behind"
            f" WHERE NOT {LAGS.format(and_now='')} LIMIT %s FOR UPDATE SKIP LOCKED)",
            (TIDIED_AT_ONCE,),
        )
        rows = tx.execute(f"SELECT approval_id FROM cards_behind WHERE {now} LIMIT %s", (limit,)).fetchall()
    return [ApprovalId(row["approval_id"]) for row in rows]


def to_card(row: Row) -> Card:
    """A row of `cards`."""
    return Card(
        id=str(row["id"]),
        approval_id=ApprovalId(row["approval_id"]),
        kind=CardKind(row["kind"]),
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        ts=row["ts"],
        shown_version=row["shown_version"],
        lease_token=str(row["lease_token"]),
        tried=row.get("tried", True),
    )
