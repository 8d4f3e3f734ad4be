"""Messages of people, handed to the agent one at a time and in order."""

from approvals.ledger.database import Database
from approvals.ledger.rows import to_message
from approvals.ledger.tenure import require_fence
from approvals.records import Message, Run


def next_message(db: Database, run: Run) -> Message | None:
    """The oldest message that the agent has not been given."""
    with db.transaction() as tx:
        row = tx.execute(
            "SELECT * FROM messages WHERE run_id = %s AND delivered_at IS NULL ORDER BY received_at, ts LIMIT 1",
            (run.id,),
        ).fetchone()
    return to_message(row) if row else None


def mark_delivered(db: Database, run: Run, message: Message) -> None:
    """Set before the agent is given the message: its author counts as a requester from that moment, and a
    crash in between is found by looking for the message's id in the thread."""
    with db.transaction() as tx:
        require_fence(tx, run.id, run.fence)
        tx.execute("UPDATE messages SET delivered_at = clock_timestamp() WHERE id = %s", (message.id,))
