"""A person ends a run: whoever told its agent what to do, and whoever may decide one of its calls."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.cancel_run import cancel_run
from approvals.ledger.database import Database, storable
from approvals.ledger.rows import to_approval, to_run
from approvals.records import Approval, Run, RunId
from approvals.rules.may_decide import Person, Standing, may_decide
from approvals.rules.rule import Approvers
from approvals.rules.words import Door


class NotEnded(StrEnum):
    """Why a run goes on."""

    NO_SUCH_RUN = "no_such_run"
    NOT_ALLOWED = "not_allowed"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Ended:
    """It ends. `approvals` waited, and were cancelled with it."""

    run: Run
    approvals: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class GoesOn:
    """Nothing changed. `run_id` is None where there is no such run."""

    because: NotEnded
    run_id: RunId | None = None


@dataclass(frozen=True, slots=True)
class RunSeen:
    """A run, whoever spoke to its agent, and all its approvals."""

    run: Run
    authors: frozenset[str]
    approvals: tuple[Approval, ...]

    @property
    def approvers(self) -> tuple[Approvers, ...]:
        """Everybody who may decide one of its calls."""
        return tuple(dict.fromkeys(one for approval in self.approvals for one in approval.approvers))


def see_run(db: Database, named: str) -> RunSeen | None:
    """By its own id, or by the id of one of its approvals, which people read on cards."""
    with db.transaction() as tx:
        row = tx.execute(
            "SELECT * FROM runs WHERE id::text = lower(%(named)s)"
            " OR id = (SELECT run_id FROM approvals WHERE id = upper(%(named)s))",
            {"named": storable(named)},
        ).fetchone()
        if row is None:
            return None
        approvals = tx.execute("SELECT * FROM approvals WHERE run_id = %s", (row["id"],)).fetchall()
        authors = tx.execute("SELECT DISTINCT author_id FROM messages WHERE run_id = %s", (row["id"],)).fetchall()
    return RunSeen(
        to_run(row), frozenset(one["author_id"] for one in authors), tuple(to_approval(one) for one in approvals)
    )


def may_end(seen: RunSeen, person: Person) -> bool:
    """Pure. Ending lets nothing run."""
    if person.standing is not Standing.MEMBER:
        return False
    decides = (may_decide(a.rule_now, a.requesters, person, lets_it_run=False) is None for a in seen.approvals)
    return person.user_id in seen.authors or any(decides)


def end_run(db: Database, seen: RunSeen | None, person: Person, door: Door) -> Ended | GoesOn:
    """Ended, and why, on the audit; so is who was not let."""
    actor = Actor(person.user_id, door)
    if seen is None:
        return GoesOn(NotEnded.NO_SUCH_RUN)
    if not may_end(seen, person):
        with db.transaction() as tx:
            record_event(tx, "refused", actor, run_id=seen.run.id, say="cancel_run", because=NotEnded.NOT_ALLOWED)
        return GoesOn(NotEnded.NOT_ALLOWED, seen.run.id)
    cancelled = cancel_run(db, seen.run.id, actor, "A person ended the run.")
    return GoesOn(NotEnded.OVER, seen.run.id) if cancelled is None else Ended(seen.run, tuple(cancelled))
