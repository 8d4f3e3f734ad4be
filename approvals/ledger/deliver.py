"""Messages of people, handed to the agent one at a time and in order."""

from approvals.failpoints import Commit
from approvals.ledger.database import Database
from approvals.ledger.rows import to_message
from approvals.ledger.tenure import require_fence
from approvals.records import Message, Run


def next_message(db: Database, run: Run) -> Message | None:
    """The oldest message that the agent has not been given."""
    with db.statement() as tx:
        row = tx.execute(
            "SELECT * FROM messages WHERE run_id = %s AND delivered_at IS NULL ORDER BY received_at, ts LIMIT 1",
            (run.id,),
        ).fetchone()
    return to_message(row) if row else None


def mark_handed(db: Database, run: Run, message: Message) -> None:
    """Before the agent is given the message: from that moment its author is one of those who asked."""
    with db.transaction(Commit.MARK_HANDED) as tx:
        require_fence(tx, run.id, run.fence)
        tx.execute("UPDATE messages SET handed_at = clock_timestamp() WHERE id = %s", (message.id,))


def mark_delivered(db: Database, run: Run, message: Message) -> None:
    """Once the agent's saved thread holds the message. A crash before this is no second delivery: the runner
    looks for the message's id in the thread."""
    with db.transaction(Commit.MARK_DELIVERED) as tx:
        require_fence(tx, run.id, run.fence)
        tx.execute("UPDATE messages SET delivered_at = clock_timestamp() WHERE id = %s", (message.id,))
