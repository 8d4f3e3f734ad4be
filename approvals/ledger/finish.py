"""What came of a claimed effect: done, failed, paused by a question of the tool's own, or not known."""

import psycopg
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_exponential

from approvals.failpoints import Commit, Point, reach
from approvals.ledger.audit import WORKER, record_move
from approvals.ledger.claim import lose
from approvals.ledger.database import Database, storable
from approvals.ledger.move import NOW, move
from approvals.ledger.rows import lock_approval, state_of
from approvals.ledger.tenure import FenceRaised, require_fence
from approvals.records import Approval
from approvals.rules.transitions import STARTED, Verb, arrow

# A restart of Postgres in the middle of an effect must not make its outcome unknown.
PATIENCE_SECONDS = 15


@retry(
    retry=retry_if_exception_type(psycopg.OperationalError),
    stop=stop_after_delay(PATIENCE_SECONDS),
    wait=wait_exponential(multiplier=0.1, max=2),
    reraise=True,
)
def finish(
    db: Database, claimed: Approval, verb: Verb, *, result: str | None = None, replay: bytes | None = None
) -> Approval:
    """Move a claimed approval along FINISH, FAIL or PAUSE. `result` is what people read, `replay` the
    very message for the agent, should the checkpoint be lost. Raises FenceRaised for one who is too late:
    the row may say unknown by then, and only a person may say more; the attempt stays on the audit."""
    reach(Point.AFTER_TOOL)
    try:
        with db.transaction(Commit.FINISH) as tx:
            require_fence(tx, claimed.run_id, claimed.effect_fence or 0)
            approval = lock_approval(tx, claimed.id)
            if approval is not None and approval.effect_fence == claimed.effect_fence and is_at(verb, approval):
                # An earlier try was committed, and only the answer got lost.
                return approval
            if approval is None or arrow(verb, state_of(approval)) is None:
                raise FenceRaised(f"{claimed.id} is no longer started by this worker")
            text = storable(result) if result else result
            ended = None if verb is Verb.PAUSE else NOW
            return move(db, tx, verb, approval, WORKER, votes=False, result=text, replay=replay, effect_ended_at=ended)
    except FenceRaised:
        with db.transaction() as tx:
            record_move(db, tx, "late_outcome", WORKER, claimed, to=None, outcome=verb)
        raise


def lose_claimed(db: Database, claimed: Approval, why: str) -> Approval:
    """Say of one's own claim that its outcome is not known; `why` is half a sentence for people. Raises FenceRaised
    for one who is too late: then others have said so already."""
    with db.transaction(Commit.LOSE_CLAIMED) as tx:
        require_fence(tx, claimed.run_id, claimed.effect_fence or 0)
        approval = lock_approval(tx, claimed.id)
        if approval is None or state_of(approval) != STARTED or approval.effect_fence != claimed.effect_fence:
            raise FenceRaised(f"{claimed.id} is no longer started by this worker")
        return lose(db, tx, approval, why)


def is_at(verb: Verb, approval: Approval) -> bool:
    """Whether the verb, from started, has led here already. Pure."""
    return state_of(approval) == arrow(verb, STARTED)
