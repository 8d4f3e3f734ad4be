"""Somebody spoke to an agent: the run and its message, in one transaction, once per Slack message."""

from dataclasses import dataclass

from approvals.failpoints import Commit
from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.rows import to_run
from approvals.ledger.status_line import draw_again
from approvals.records import Run, RunId
from approvals.rules.words import Door, RunStatus

AWAKE_AGAIN = (RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What a person wrote, and where. `thread_ts` is the root of the Slack thread the run lives in."""

    team_id: str
    channel_id: str
    thread_ts: str
    ts: str
    author_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Started:
    """The run the message belongs to. `fresh` is False for a message that was there already."""

    run: Run
    fresh: bool


@dataclass(frozen=True, slots=True)
class OtherAgents:
    """The thread belongs to another agent's run, which was told nothing."""

    run: Run


def start_run(db: Database, agent: str, message: NewMessage, door: Door = Door.SLACK_MESSAGE) -> Started | OtherAgents:
    """Begin a run in this Slack thread, or add to the one of the same agent that is there."""
    with db.transaction(Commit.START_RUN) as tx:
        run = find_or_begin(tx, agent, message)
        return add_message(tx, run, message, door) if run.agent == agent else OtherAgents(run)


def add_message(tx: Tx, run: Run, message: NewMessage, door: Door) -> Started:
    """Keep one more message of a run that is locked in `tx`, and wake a run that had come to its end."""
    if keep_message(tx, run.id, message) is None:
        return Started(run, fresh=False)
    record_event(tx, "message", Actor(message.author_id, door), run_id=run.id, ts=message.ts)
    if run.status not in AWAKE_AGAIN:
        return Started(run, fresh=True)
    row = tx.execute(
        "UPDATE runs SET status = %s, reason = NULL, failures = 0, retry_at = now(), updated_at = now()"
        " WHERE id = %s RETURNING *",
        (RunStatus.QUEUED, run.id),
    ).fetchone()
    if run.status is RunStatus.FAILED:
        # Its button to try again is of no use any more.
        draw_again(tx, run.id)
    return Started(to_run(row) if row else run, fresh=True)


def find_or_begin(tx: Tx, agent: str, message: NewMessage) -> Run:
    """The thread's run. The no-op update locks it, so that two messages at once make one run."""
    row = tx.execute(
        "INSERT INTO runs (agent, team_id, channel_id, thread_ts) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (team_id, channel_id, thread_ts) DO UPDATE SET updated_at = now() RETURNING *",
        (agent, message.team_id, message.channel_id, message.thread_ts),
    ).fetchone()
    if row is None:
        raise RuntimeError("INSERT ... RETURNING returned nothing")
    return to_run(row)


def keep_message(tx: Tx, run_id: RunId, message: NewMessage) -> str | None:
    """Store the message and return its id; None if this channel and ts are stored already."""
    row = tx.execute(
        "INSERT INTO messages (run_id, channel_id, ts, author_id, text) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (channel_id, ts) DO NOTHING RETURNING id",
        (run_id, message.channel_id, message.ts, message.author_id, storable(message.text.replace("\x00", ""))),
    ).fetchone()
    return str(row["id"]) if row else None
