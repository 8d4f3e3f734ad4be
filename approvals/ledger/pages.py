"""Pages to be sent: kept until the pager has taken them, and ended there when the approval needs nobody any more."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from approvals.ledger.audit import CLOCK, record_event
from approvals.ledger.database import Database, Row, Tx, storable
from approvals.records import ApprovalId
from approvals.rules.words import Status

LEASE = timedelta(seconds=60)
LEAST_WAIT = timedelta(seconds=10)
MOST_WAIT = timedelta(minutes=10)


class PageEvent(StrEnum):
    """What a pager is told."""

    TRIGGER = "trigger"
    RESOLVE = "resolve"


@dataclass(frozen=True, slots=True)
class Page:
    """One thing to tell a pager. By its `key` it takes what is told twice as told once."""

    id: str
    approval_id: ApprovalId
    pager: str
    key: str
    event: PageEvent
    failures: int
    lease_token: str


def lease_pages(db: Database, limit: int = 20) -> list[Page]:
    """Take what is to be told: first that somebody is needed, and, once that was taken, that nobody is any more.
    A page of an approval that closed before it was sent is sent to nobody."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE pages SET ended_at = clock_timestamp() FROM approvals WHERE approvals.id = approval_id"
            " AND ended_at IS NULL AND sent_at IS NULL AND status <> %s"
            " AND (lease_until IS NULL OR lease_until < now())",
            (Status.PENDING,),
        )
        rows = tx.execute(
            "UPDATE pages SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s FROM"
            " (SELECT pages.id FROM pages JOIN approvals ON approvals.id = approval_id WHERE ended_at IS NULL"
            " AND (sent_at IS NULL OR status <> %(pending)s) AND retry_at <= now()"
            " AND (lease_until IS NULL OR lease_until < now()) ORDER BY retry_at LIMIT %(limit)s"
            " FOR UPDATE OF pages SKIP LOCKED) AS due WHERE pages.id = due.id RETURNING pages.*",
            {"lease": LEASE, "pending": Status.PENDING, "limit": limit},
        ).fetchall()
    return [to_page(row) for row in rows]


def page_taken(db: Database, page: Page) -> None:
    """The pager has it."""
    column = "sent_at" if page.event is PageEvent.TRIGGER else "ended_at"
    with db.transaction() as tx:
        taken = tx.execute(
            f"UPDATE pages SET {column} = clock_timestamp(), lease_until = NULL, failure = NULL, failures = 0,"
            " retry_at = now() WHERE id = %s AND lease_token = %s",
            (page.id, page.lease_token),
        )
        if taken.rowcount:
            record_event(tx, f"page_{page.event}", CLOCK, approval_id=page.approval_id, pager=page.pager)
            show_anew(tx, page.approval_id)


def page_failed(db: Database, page: Page, failure: str) -> None:
    """Tried again, more and more seldom. The first failure, and each of another kind, is on the audit log."""
    wait = min(LEAST_WAIT * 2**page.failures, MOST_WAIT) if page.failures < 10 else MOST_WAIT
    with db.transaction() as tx:
        before = tx.execute("SELECT failure FROM pages WHERE id = %s FOR UPDATE", (page.id,)).fetchone()
        failed = tx.execute(
            "UPDATE pages SET lease_until = NULL, failure = %s, failures = failures + 1, retry_at = now() + %s"
            " WHERE id = %s AND lease_token = %s",
            (storable(failure), wait, page.id, page.lease_token),
        )
        if failed.rowcount and before and before["failure"] != failure:
            why = f"{page.event}: {failure}"
            record_event(tx, "page_failed", CLOCK, approval_id=page.approval_id, pager=page.pager, failure=why)
            show_anew(tx, page.approval_id)


def show_anew(tx: Tx, approval_id: ApprovalId) -> None:
    """The cards say which pager could not be set off."""
    tx.execute("UPDATE cards SET shown_version = 0 WHERE approval_id = %s", (approval_id,))


def to_page(row: Row) -> Page:
    """A row of `pages`."""
    return Page(
        id=str(row["id"]),
        approval_id=ApprovalId(row["approval_id"]),
        pager=row["pager"],
        key=row["key"],
        event=PageEvent.RESOLVE if row["sent_at"] else PageEvent.TRIGGER,
        failures=row["failures"],
        lease_token=str(row["lease_token"]),
    )
