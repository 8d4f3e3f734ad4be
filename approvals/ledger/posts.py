"""What the bot has to say in a run's thread: kept until Slack has it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from approvals.failpoints import Commit
from approvals.ledger.database import Database, Row, Tx, storable
from approvals.records import Approval, ApprovalId, RunId
from approvals.rules.places import CardKind

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Begun:
    """What Slack may hold of a post that was begun before its words were all there. `ts` is None where Slack's answer
    is not known; `streaming`: by chat.startStream. `shown`: how many characters. `withdrawn`: it goes away again."""

    ts: str | None
    streaming: bool
    shown: int
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Post:
    """One thing to say. `kind` is `answer` (the agent's words), `notice` (ours), or `vote` and `edit`: those
    stand under a card and call who may still decide, in words that are made when they are sent. Of what is taken
    away `text` is its beginning. `thread_ts` is None only where that card has not been posted. `tried`: somebody had
    it before, and may have posted it. `begun`: Slack may hold a beginning of it, which is finished in its place."""

    id: str
    run_id: RunId
    channel_id: str
    thread_ts: str | None
    kind: str
    text: str
    created_at: datetime
    tried: bool
    approval_id: ApprovalId | None = None
    begun: Begun | None = None


def add_post(tx: Tx, run_id: RunId, *, key: str, kind: str, text: str) -> None:
    """Keep something to say; the key makes saying it twice impossible."""
    tx.execute(
        "INSERT INTO posts (run_id, key, kind, text) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (run_id, key, kind, storable(text)),
    )


def call_under_cards(tx: Tx, approval: Approval, *, kind: str, step: int | None = None) -> None:
    """Call those who may still decide, under every card that has buttons: an edited message rings nobody."""
    number = len(approval.votes) if step is None else step
    tx.execute(
        "INSERT INTO posts (run_id, key, kind, text, card_id)"
        " SELECT %(run)s, %(key)s || '-' || cards.id, %(kind)s, '', cards.id FROM cards"
        " WHERE approval_id = %(id)s AND cards.kind = %(card)s ON CONFLICT DO NOTHING",
        {
            "run": approval.run_id,
            "key": f"{kind}-{approval.id}-{approval.revision}-{approval.attempt}-{number}",
            "kind": kind,
            "id": approval.id,
            "card": CardKind.CARD,
        },
    )


def say(db: Database, run_id: RunId, *, key: str, kind: str, text: str) -> None:
    """`add_post` in a transaction of its own."""
    with db.transaction(Commit.SAY) as tx:
        add_post(tx, run_id, key=key, kind=kind, text=text)


def lease_posts(db: Database, run_id: RunId | None = None, limit: int = 20) -> list[Post]:
    """Take unsaid posts, of one run or of any, for half a minute; nobody else gets them meanwhile."""
    with db.transaction() as tx:
        rows = tx.execute(
            "WITH leased AS (UPDATE posts SET lease_until = now() + %(lease)s"
            " FROM (SELECT id, failures > 0 OR lease_until IS NOT NULL AS tried FROM posts"
            " WHERE ts IS NULL AND draft IS DISTINCT FROM 'growing'"
            " AND retry_at <= now() AND (lease_until IS NULL OR lease_until < now())"
            " AND (%(run)s::uuid IS NULL OR run_id = %(run)s) ORDER BY created_at LIMIT %(limit)s"
            " FOR UPDATE SKIP LOCKED) AS due WHERE posts.id = due.id RETURNING posts.*, due.tried)"
            " SELECT leased.*, cards.approval_id, coalesce(cards.channel_id, runs.channel_id) AS channel_id,"
            " CASE WHEN cards.id IS NULL THEN runs.thread_ts ELSE coalesce(cards.thread_ts, cards.ts) END"
            " AS thread_ts FROM leased JOIN runs ON runs.id = leased.run_id LEFT JOIN cards ON cards.id = card_id",
            {"lease": LEASE, "run": run_id, "limit": limit},
        ).fetchall()
    return [to_post(row) for row in sorted(rows, key=lambda row: row["created_at"])]


def post_said(db: Database, post_id: str, ts: str) -> None:
    """Slack has it."""
    with db.transaction(Commit.POST_SAID) as tx:
        tx.execute(
            "UPDATE posts SET ts = %s, lease_until = NULL, failure = NULL,"
            " text = CASE WHEN draft = 'withdrawn' THEN '' ELSE text END WHERE id = %s",
            (ts, post_id),
        )


def post_failed(db: Database, post_id: str, failure: str, retry_in: timedelta) -> None:
    """Slack did not take it; try again later."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE posts SET lease_until = NULL, failure = %s, failures = failures + 1, retry_at = now() + %s"
            " WHERE id = %s",
            (storable(failure), retry_in, post_id),
        )


def to_post(row: Row) -> Post:
    """A row of `posts` joined with its run and, if it stands under one, its card."""
    return Post(
        id=str(row["id"]),
        run_id=RunId(str(row["run_id"])),
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        kind=row["kind"],
        text=row["text"],
        created_at=row["created_at"],
        tried=row["tried"],
        approval_id=ApprovalId(row["approval_id"]) if row["approval_id"] else None,
        begun=to_begun(row) if row["draft"] else None,
    )


def to_begun(row: Row) -> Begun:
    """What a row of `posts` knows of its beginning in Slack."""
    return Begun(row["draft_ts"], row["streaming"], row["shown"], row["draft"] == "withdrawn")
