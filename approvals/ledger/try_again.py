"""A person has a run that failed tried again: whoever may end it. It goes on from where its thread stands, so that no
message is delivered twice, and no call runs twice."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database
from approvals.ledger.end_run import RunSeen, may_end
from approvals.ledger.rows import to_run
from approvals.ledger.status_line import AGAIN_FOR, write_doing
from approvals.records import Run
from approvals.rules.may_decide import Person
from approvals.rules.words import Door, RunStatus


class NotTried(StrEnum):
    """Why nothing changed."""

    NO_SUCH_RUN = "no_such_run"
    NOT_ALLOWED = "not_allowed"
    # Somebody else pressed, or wrote a message, or it went on by itself.
    GOES_ON = "goes_on"
    # It has come to its end; or it cannot go on, and says so in its thread.
    OVER = "over"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class TriedAgain:
    """It goes on; its worker is to be woken."""

    run: Run


@dataclass(frozen=True, slots=True)
class Left:
    """Nothing changed."""

    because: NotTried


def try_again(db: Database, seen: RunSeen | None, person: Person, door: Door) -> TriedAgain | Left:
    """failed -> queued, once, with no failures behind it. On the audit, and so is who was not let."""
    if seen is None:
        return Left(NotTried.NO_SUCH_RUN)
    actor = Actor(person.user_id, door)
    with db.transaction() as tx:
        if not may_end(seen, person):
            record_event(tx, "refused", actor, run_id=seen.run.id, say="try_again", because=NotTried.NOT_ALLOWED)
            return Left(NotTried.NOT_ALLOWED)
        row = tx.execute("SELECT * FROM runs WHERE id = %s FOR UPDATE", (seen.run.id,)).fetchone()
        left = why_not(to_run(row), cancelled=row["cancel_asked_by"] is not None) if row else NotTried.NO_SUCH_RUN
        if left is not None:
            return Left(left)
        again = tx.execute(
            "UPDATE runs SET status = %s, reason = NULL, failures = 0, retry_at = now(), updated_at = now()"
            " WHERE id = %s RETURNING *",
            (RunStatus.QUEUED, seen.run.id),
        ).fetchone()
        record_event(tx, "try_again", actor, run_id=seen.run.id)
        write_doing(tx, seen.run.id, f"{AGAIN_FOR}{person.user_id}", ended=False, at_once=True)
        return TriedAgain(to_run(again) if again else seen.run)


def why_not(run: Run, *, cancelled: bool) -> NotTried | None:
    """Pure. None if it failed, and waits for somebody to say this."""
    match run.status:
        case RunStatus.FAILED:
            return NotTried.OVER if cancelled else None
        case RunStatus.STUCK:
            return NotTried.STUCK
        case RunStatus.DONE | RunStatus.CANCELLED:
            return NotTried.OVER
        case RunStatus.QUEUED | RunStatus.RUNNING | RunStatus.WAITING:
            return NotTried.GOES_ON
