"""Whose Home shows what: opened, drawn anew when something changed, published by one writer at a time."""

from dataclasses import dataclass
from datetime import timedelta

from approvals.ledger.clock_beat import beat_in
from approvals.ledger.database import Database, Row

LEASE = timedelta(seconds=30)
# Slack lets us publish a hundred times a minute, for all people together; nobody reads faster than this.
LEAST_GAP = timedelta(seconds=5)
# Whoever has not looked for a day sees it anew when they open it.
WATCHED_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HomeView:
    """One person's Home. `page` counts from 0; `shown_hash` is of what Slack shows, None if that is not known."""

    user_id: str
    team_id: str
    page: int
    shown_hash: str | None
    lease_token: str


def note_home(db: Database, user_id: str, team_id: str, page: int | None = None) -> None:
    """Somebody opened their Home, or turned to a page of it: it is to be drawn now. None: the page that it was on."""
    with db.transaction() as tx:
        tx.execute(
            "INSERT INTO home_views (user_id, team_id, page, stale_at) VALUES (%(user)s, %(team)s,"
            " coalesce(%(page)s, 0), clock_timestamp()) ON CONFLICT (user_id) DO UPDATE SET team_id = %(team)s,"
            " page = coalesce(%(page)s, home_views.page), opened_at = clock_timestamp(), stale_at = clock_timestamp(),"
            " shown_hash = NULL, retry_at = now()",
            {"user": user_id, "team": team_id, "page": page},
        )


def mark_home(db: Database, user_id: str) -> None:
    """This person did something that their Home must show, if they have one."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE home_views SET stale_at = clock_timestamp(), retry_at = now() WHERE user_id = %s", (user_id,)
        )


def lease_home(db: Database, user_id: str | None = None) -> HomeView | None:
    """Take one Home that may show less than there is: of one person, or the one that has waited longest. Everything
    that a Home shows changes with a row of the audit log; only that a clock has stopped or begun does not."""
    with db.transaction() as tx:
        alive = beat_in(tx).alive
        row = tx.execute(
            "UPDATE home_views SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s FROM"
            " (SELECT user_id FROM home_views WHERE (%(user)s::text IS NULL OR user_id = %(user)s)"
            " AND (stale_at IS NOT NULL OR warned = %(alive)s"
            " OR seen_link < (SELECT coalesce(max(link_no), 0) FROM audit_links))"
            " AND opened_at > now() - %(watched)s AND retry_at <= now()"
            " AND (lease_until IS NULL OR lease_until < now())"
            " ORDER BY coalesce(shown_at, 'epoch') LIMIT 1 FOR UPDATE SKIP LOCKED) AS due"
            " WHERE home_views.user_id = due.user_id RETURNING home_views.*",
            {"lease": LEASE, "user": user_id, "alive": alive, "watched": WATCHED_FOR},
        ).fetchone()
    return to_home_view(row) if row else None


def home_shown(db: Database, home: HomeView, *, shown_hash: str, page: int, link: int, warned: bool) -> None:
    """Slack shows what `shown_hash` is of, or it did already. What was marked meanwhile stays to be drawn."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE home_views SET shown_hash = %(hash)s, page = CASE WHEN page = %(before)s THEN %(page)s ELSE page"
            " END, seen_link = %(link)s, warned = %(warned)s, shown_at = now(), lease_until = NULL,"
            " retry_at = CASE WHEN stale_at > lease_until - %(lease)s::interval THEN now() ELSE now() + %(gap)s END,"
            " stale_at = CASE WHEN stale_at > lease_until - %(lease)s::interval THEN stale_at END"
            " WHERE user_id = %(user)s AND lease_token = %(token)s",
            {
                "hash": shown_hash,
                "before": home.page,
                "page": page,
                "link": link,
                "warned": warned,
                "gap": LEAST_GAP,
                "lease": LEASE,
                "user": home.user_id,
                "token": home.lease_token,
            },
        )


def home_failed(db: Database, home: HomeView, retry_in: timedelta) -> None:
    """Slack did not take it."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE home_views SET lease_until = NULL, retry_at = now() + %s WHERE user_id = %s AND lease_token = %s",
            (retry_in, home.user_id, home.lease_token),
        )


def to_home_view(row: Row) -> HomeView:
    """A row of `home_views`."""
    return HomeView(row["user_id"], row["team_id"], row["page"], row["shown_hash"], str(row["lease_token"]))
