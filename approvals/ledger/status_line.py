"""What the agent does now, as one line per turn in the run's thread. Rows here; the words are the card room's."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from approvals.ledger.database import Database, Row, Tx, storable
from approvals.records import Message, RunId

LEASE = timedelta(seconds=15)
# In `doing`, between our words and a tool's own about how far it is. No name of a tool holds one.
NOTE = "\n"
# What `doing` says of a tool that runs, before its name; and of a run that ends, while such a tool runs on or alone.
CALLING = "calling "
CANCELLING = "cancelling"
# What it says of a turn after which a newer one began.
DONE = "done"
# An edit a second: Slack allows some fifty a minute for each method, shared by every run.
LEAST_GAP = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class StatusLine:
    """`doing` is a sentence of ours that may hold a tool's name, and behind a line end a tool's own words; `ended_at`
    is None while the turn goes on. `now` is the database's clock when the line was taken; `over`: the run has come
    to an end. `again`: it failed in this turn, and people may have it tried again."""

    id: str
    run_id: RunId
    channel_id: str
    thread_ts: str
    doing: str
    began_at: datetime
    ended_at: datetime | None
    now: datetime
    version: int
    ts: str | None
    lease_token: str
    tried: bool
    over: bool = False
    again: bool = False
    agent: str = ""

    @property
    def note(self) -> str:
        """What a tool says of how far it is: untrusted."""
        return self.doing.partition(NOTE)[2]


# In a line that says when a run goes on by itself.
AGAIN_IN = "; trying again in "
# And in one that says at whose word it does.
AGAIN_FOR = "trying again for "
NEWEST = "(SELECT message_id FROM status_lines WHERE run_id = %(run)s ORDER BY began_at DESC LIMIT 1)"


def note_doing(db: Database, run_id: RunId, doing: str, *, ended: bool = False, message: Message | None = None) -> None:
    """What the newest turn of the run does now; with `message`, a new turn begins. Says nothing twice."""
    with db.transaction() as tx:
        if message is not None:
            tx.execute(
                "INSERT INTO status_lines (message_id, run_id, doing) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                (message.id, run_id, storable(doing)),
            )
            close_older(tx, run_id)
            return
        write_doing(tx, run_id, doing, ended=ended)


def write_doing(tx: Tx, run_id: RunId, doing: str, *, ended: bool, at_once: bool = False) -> None:
    """`note_doing` beside other rows, which the line must not contradict. `at_once`: somebody pressed, and looks. Of a
    run that is being cancelled nothing is said but that it is, and its end."""
    close_older(tx, run_id)
    tx.execute(
        "UPDATE status_lines SET doing = %(doing)s, version = version + 1,"
        " ended_at = CASE WHEN %(ended)s THEN clock_timestamp() END,"
        " retry_at = CASE WHEN %(at_once)s THEN now() ELSE retry_at END"
        f" WHERE message_id = {NEWEST} AND (doing, ended_at IS NOT NULL) <> (%(doing)s, %(ended)s)"
        " AND (%(ended)s OR NOT EXISTS (SELECT 1 FROM runs WHERE id = %(run)s AND cancel_asked_by IS NOT NULL))",
        {"doing": storable(doing), "ended": ended, "at_once": at_once, "run": run_id},
    )


def close_older(tx: Tx, run_id: RunId) -> None:
    """A turn is over when a newer one has begun, and took until then."""
    tx.execute(
        "UPDATE status_lines SET doing = %(done)s, version = version + 1, retry_at = now(),"
        " ended_at = (SELECT min(began_at) FROM status_lines AS later WHERE later.run_id = status_lines.run_id"
        " AND later.began_at > status_lines.began_at)"
        f" WHERE run_id = %(run)s AND ended_at IS NULL AND message_id <> {NEWEST}",
        {"done": DONE, "run": run_id},
    )


def write_cancelling(tx: Tx, run_id: RunId) -> None:
    """Before the run is asked to end: somebody has pressed, and looks. A tool that runs is not cut off."""
    tx.execute(
        "UPDATE status_lines SET version = version + 1, retry_at = now(), doing = %(cancelling)s ||"
        " CASE WHEN starts_with(doing, %(calling)s)"
        " THEN ' ' || split_part(substr(doing, length(%(calling)s) + 1), %(note)s, 1) ELSE '' END"
        f" WHERE message_id = {NEWEST} AND ended_at IS NULL",
        {"cancelling": CANCELLING, "calling": CALLING, "note": NOTE, "run": run_id},
    )


def draw_all_again(db: Database, run_id: RunId) -> None:
    """Somebody pressed what a line should not have offered: each of the run's is drawn as it stands."""
    with db.transaction() as tx:
        close_older(tx, run_id)
        tx.execute("UPDATE status_lines SET version = version + 1, retry_at = now() WHERE run_id = %s", (run_id,))


def draw_again(tx: Tx, run_id: RunId) -> None:
    """What the newest line offers has changed, whatever it says."""
    tx.execute(f"UPDATE status_lines SET version = version + 1 WHERE message_id = {NEWEST}", {"run": run_id})


def still_doing(db: Database, run_id: RunId) -> None:
    """The newest turn goes on with what it does: its line is written again, with the time that it has taken."""
    with db.statement() as tx:
        tx.execute(
            f"UPDATE status_lines SET version = version + 1 WHERE ended_at IS NULL AND message_id = {NEWEST}",
            {"run": run_id},
        )


def lease_status_line(db: Database, run_id: RunId | None = None) -> StatusLine | None:
    """Take one line that shows less than its row, of one run or of any, if it may be written already."""
    with db.transaction() as tx:
        row = tx.execute(
            "WITH leased AS (UPDATE status_lines SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s"
            " FROM (SELECT message_id AS id, lease_token IS NOT NULL AS tried FROM status_lines"
            " WHERE shown_version < version"
            " AND retry_at <= now() AND (lease_until IS NULL OR lease_until < now())"
            " AND (%(run)s::uuid IS NULL OR run_id = %(run)s) ORDER BY retry_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due"
            " WHERE message_id = due.id RETURNING status_lines.*, due.tried)"
            " SELECT leased.*, runs.channel_id, runs.thread_ts, now() AS now,"
            " leased.ended_at IS NOT NULL OR runs.cancel_asked_by IS NOT NULL OR runs.status IN"
            " ('done', 'failed', 'cancelled', 'stuck') AS over, runs.agent,"
            " runs.status = 'failed' AND runs.cancel_asked_by IS NULL AND leased.ended_at IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM status_lines AS later WHERE later.run_id = leased.run_id"
            " AND later.began_at > leased.began_at) AS again"
            " FROM leased JOIN runs ON runs.id = leased.run_id",
            {"lease": LEASE, "run": run_id},
        ).fetchone()
    return to_status_line(row) if row else None


def status_line_shown(db: Database, line: StatusLine, ts: str) -> None:
    """Slack shows this version; the next may follow after a moment."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE status_lines SET ts = %s, shown_version = greatest(shown_version, %s), lease_until = NULL,"
            " retry_at = now() + %s WHERE message_id = %s AND lease_token = %s",
            (ts, line.version, LEAST_GAP, line.id, line.lease_token),
        )


def status_line_failed(db: Database, line: StatusLine, retry_in: timedelta) -> None:
    """Slack did not take it. A line that is gone or cannot be written is only tried again later."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE status_lines SET lease_until = NULL, retry_at = now() + %s WHERE message_id = %s"
            " AND lease_token = %s",
            (retry_in, line.id, line.lease_token),
        )


def to_status_line(row: Row) -> StatusLine:
    """A row of `status_lines` joined with its run."""
    return StatusLine(
        id=str(row["message_id"]),
        run_id=RunId(str(row["run_id"])),
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        doing=row["doing"],
        began_at=row["began_at"],
        ended_at=row["ended_at"],
        now=row["now"],
        version=row["version"],
        ts=row["ts"],
        lease_token=str(row["lease_token"]),
        tried=row["tried"],
        over=row["over"],
        again=row["again"],
        agent=row["agent"],
    )
