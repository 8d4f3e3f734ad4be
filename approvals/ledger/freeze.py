"""The emergency stop: while it is in force no gated call of any run starts. It survives restarts, because it is
a row, and it is strict: when `freeze` has returned, no claim that did not see it can still be on its way."""

from dataclasses import dataclass
from datetime import datetime

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database, Row, Tx, storable
from approvals.rules.may_decide import Person
from approvals.rules.words import Door

# Claims hold it shared, the stop takes it alone: it waits for claims that are under way, and later ones for it.
FREEZE_LOCK = 5_396_815


@dataclass(frozen=True, slots=True)
class Freeze:
    """The stop that is in force."""

    frozen_by: str
    reason: str | None
    frozen_at: datetime


@dataclass(frozen=True, slots=True)
class Changed:
    """It is so now. `before` is the stop that was lifted, of `unfreeze`."""

    now: Freeze | None
    before: Freeze | None = None


@dataclass(frozen=True, slots=True)
class AsItWas:
    """It was so already."""

    now: Freeze | None


def freeze(db: Database, person: Person, reason: str | None, door: Door) -> Changed | AsItWas:
    """Stop everything that is gated and has not begun."""
    with db.transaction() as tx:
        tx.execute("SELECT pg_advisory_xact_lock(%s)", (FREEZE_LOCK,))
        if found := in_force(tx):
            return AsItWas(found)
        row = tx.execute(
            "INSERT INTO freezes (frozen_by, reason) VALUES (%s, %s) RETURNING *",
            (person.user_id, storable(reason) if reason else None),
        ).fetchone()
        record_event(tx, "freeze", Actor(person.user_id, door), reason=reason)
        touch_waiting(tx)
        return Changed(to_freeze(row) if row else None)


def unfreeze(db: Database, person: Person, door: Door) -> Changed | AsItWas:
    """Let approved calls start again."""
    with db.transaction() as tx:
        tx.execute("SELECT pg_advisory_xact_lock(%s)", (FREEZE_LOCK,))
        found = in_force(tx)
        if found is None:
            return AsItWas(None)
        tx.execute(
            "UPDATE freezes SET lifted_by = %s, lifted_at = clock_timestamp() WHERE lifted_at IS NULL",
            (person.user_id,),
        )
        record_event(tx, "unfreeze", Actor(person.user_id, door))
        touch_waiting(tx)
        return Changed(None, found)


def frozen(tx: Tx) -> Freeze | None:
    """For a claim: the stop in force, which cannot begin before this transaction ends."""
    tx.execute("SELECT pg_advisory_xact_lock_shared(%s)", (FREEZE_LOCK,))
    return in_force(tx)


def find_freeze(db: Database) -> Freeze | None:
    """The stop in force, for looking."""
    with db.statement() as tx:
        return in_force(tx)


def in_force(tx: Tx) -> Freeze | None:
    """The stop in force."""
    row = tx.execute("SELECT * FROM freezes WHERE lifted_at IS NULL").fetchone()
    return to_freeze(row) if row else None


def touch_waiting(tx: Tx) -> None:
    """Every card of a call that waits, or is approved and has not begun, says it: so it must be written anew."""
    tx.execute(
        "UPDATE cards SET shown_version = 0 FROM approvals WHERE approvals.id = approval_id"
        " AND (approvals.status = 'pending' OR (approvals.status = 'approved' AND approvals.effect = 'none'"
        " AND approvals.applied_at IS NULL))"
    )


def to_freeze(row: Row) -> Freeze:
    """A row of `freezes`."""
    return Freeze(row["frozen_by"], row["reason"], row["frozen_at"])
