"""An answer that is shown while the agent still writes it: a draft of the post that it becomes. The row says what
Slack may hold of it, so that whoever comes next can finish it or take it away. The words come when it ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import uuid4

from approvals.failpoints import Commit
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.posts import LEASE, add_post
from approvals.ledger.tenure import require_fence
from approvals.records import Run, RunId

ANSWER: Final = "answer-"
# What the lease of a draft is set to, so that the next one who looks may have it.
OVER: Final = timedelta(seconds=-1)
# How many characters of a draft its row keeps.
BEGINNING: Final = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A post that grows. `recipient` is the person whose message is being answered."""

    post_id: str
    run_id: RunId
    team_id: str
    channel_id: str
    thread_ts: str
    recipient: str | None


def key_of(message_id: str) -> str:
    """The post that says this message of the agent's."""
    return f"{ANSWER}{message_id}"


def open_draft(db: Database, run: Run, message_id: str, *, streaming: bool) -> Draft | None:
    """Before Slack is told anything of it. None where the run is somebody else's by now, or it has been said. Whoever
    opens it holds it: until it is given back, or for half a minute."""
    with db.statement() as tx:
        row = tx.execute(
            "INSERT INTO posts (run_id, key, kind, text, draft, streaming, lease_until)"
            " SELECT id, %(key)s, 'answer', '', 'growing', %(streaming)s, now() + %(lease)s FROM runs"
            " WHERE id = %(run)s AND fence = %(fence)s ON CONFLICT DO NOTHING"
            " RETURNING id, (SELECT author_id FROM messages WHERE run_id = %(run)s AND handed_at IS NOT NULL"
            " ORDER BY handed_at DESC LIMIT 1) AS author_id",
            {"run": run.id, "fence": run.fence, "key": key_of(message_id), "streaming": streaming, "lease": LEASE},
        ).fetchone()
    if row is None:
        return None
    return Draft(str(row["id"]), run.id, run.team_id, run.channel_id, run.thread_ts, row["author_id"])


def hold_draft(db: Database, post_id: str, words: str, *, streaming: bool) -> bool:
    """Before each word to Slack: it is ours for another half minute, and how it begins is known, by which it is found
    if Slack's answer gets lost. False: it has been settled, so say no more."""
    with db.statement() as tx:
        held = tx.execute(
            "UPDATE posts SET lease_until = now() + %s, streaming = %s, text = %s WHERE id = %s AND draft = 'growing'",
            (LEASE, streaming, words[:BEGINNING], post_id),
        )
    return held.rowcount == 1


def draft_shown(db: Database, post_id: str, ts: str | None, shown: int, *, streaming: bool) -> None:
    """Slack has so much of it. A post that was finished meanwhile has been written over, and is finished again."""
    with db.statement() as tx:
        tx.execute(
            "UPDATE posts SET draft_ts = coalesce(%s, draft_ts), shown = %s, streaming = %s, ts = NULL WHERE id = %s",
            (ts, shown, streaming, post_id),
        )


def give_back_draft(db: Database, post_id: str) -> None:
    """Nobody sends anything more of it: it may be finished."""
    with db.statement() as tx:
        tx.execute("UPDATE posts SET lease_until = now() + %s WHERE id = %s", (OVER, post_id))


def growing(db: Database, run_id: RunId) -> list[str]:
    """The messages of the agent whose posts still grow, whoever began them."""
    with db.statement() as tx:
        rows = tx.execute("SELECT key FROM posts WHERE run_id = %s AND draft = 'growing'", (run_id,)).fetchall()
    return [row["key"].removeprefix(ANSWER) for row in rows]


def settle_drafts(db: Database, run: Run, whole: Mapping[str, tuple[str, str]]) -> None:
    """Have every message that was heard said: its draft ends with the message's final id and its whole text, and what
    had no draft becomes a post. Drafts of what is no such message are taken back. An id that has been said already is
    another message's, of a provider that gives one twice: this one becomes a post of its own."""
    with db.transaction(Commit.SETTLE_DRAFTS) as tx:
        require_fence(tx, run.id, run.fence)
        for message_id, (final_id, text) in whole.items():
            key = free_key(tx, run.id, key_of(final_id), key_of(message_id))
            ended = tx.execute(
                "UPDATE posts SET draft = 'whole', key = %s, text = %s, retry_at = now()"
                " WHERE run_id = %s AND key = %s AND draft = 'growing'",
                (key, storable(text), run.id, key_of(message_id)),
            )
            if not ended.rowcount:
                add_post(tx, run.id, key=key, kind="answer", text=text)
        # Its key is given up: a message whose step was saved without the checkpoint after it is in the thread later.
        tx.execute(
            "UPDATE posts SET draft = 'withdrawn', key = key || '-' || id, retry_at = now()"
            " WHERE run_id = %s AND draft = 'growing'",
            (run.id,),
        )


def free_key(tx: Tx, run_id: RunId, key: str, draft: str) -> str:
    """The key itself, unless it is that of something other than this draft."""
    taken = tx.execute(
        "SELECT 1 FROM posts WHERE run_id = %(run)s AND key = %(key)s AND NOT (key = %(own)s AND draft = 'growing')",
        {"run": run_id, "key": key, "own": draft},
    ).fetchone()
    return f"{key}-{uuid4()}" if taken else key


def messages_of(db: Database, run_id: RunId) -> frozenset[str]:
    """The Slack messages that are known to say something of the run."""
    with db.statement() as tx:
        rows = tx.execute("SELECT ts, draft_ts FROM posts WHERE run_id = %s", (run_id,)).fetchall()
    return frozenset(ts for row in rows for ts in (row["ts"], row["draft_ts"]) if ts)
