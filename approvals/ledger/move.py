"""The one way an approval's row changes: ask the table, write, count the version, leave an audit row."""

from collections.abc import Mapping

from psycopg import sql

from approvals.ledger.audit import Actor, record_move
from approvals.ledger.database import Database, Tx
from approvals.ledger.rows import state_of, to_approval, with_votes
from approvals.records import Approval
from approvals.rules.transitions import Verb, arrow

NOW = sql.SQL("clock_timestamp()")


class IllegalMove(Exception):
    """A verb was used where the transition table has no arrow: a bug in the caller, not a refusal."""


def move(
    db: Database,
    tx: Tx,
    verb: Verb,
    approval: Approval,
    actor: Actor,
    *,
    note: str | None = None,
    votes: bool = True,
    **columns: object,
) -> Approval:
    """Take `approval` (locked in `tx`) along the verb's arrow, set `columns` too, and return the new row;
    with its votes, unless the caller has no use for them."""
    to = arrow(verb, state_of(approval))
    if to is None:
        raise IllegalMove(f"{verb} from {state_of(approval)} ({approval.id})")
    changes: dict[str, object] = {"status": to.status, "effect": to.effect, **columns}
    given = {name: value for name, value in changes.items() if not isinstance(value, sql.Composable)}
    row = tx.execute(update(changes), {**given, "id": approval.id}).fetchone()
    if row is None:
        raise IllegalMove(f"{approval.id} vanished while it was locked")
    record_move(db, tx, verb, actor, approval, to=to, note=note)
    return with_votes(tx, row) if votes else to_approval(row)


def update(changes: Mapping[str, object]) -> sql.Composed:
    """The UPDATE for these columns. A value that is SQL itself (`NOW`) stands in the statement."""
    assignments = [
        sql.SQL("{} = {}").format(
            sql.Identifier(name), value if isinstance(value, sql.Composable) else sql.Placeholder(name)
        )
        for name, value in changes.items()
    ]
    return sql.SQL("UPDATE approvals SET version = version + 1, {} WHERE id = {} RETURNING *").format(
        sql.SQL(", ").join(assignments), sql.Placeholder("id")
    )
