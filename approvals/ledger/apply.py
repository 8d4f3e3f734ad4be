"""The agent has heard: a closed approval whose call is no longer pending in LangGraph."""

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER
from approvals.ledger.cancel import cancel
from approvals.ledger.database import Database
from approvals.ledger.move import NOW, move
from approvals.ledger.rows import lock_approval, state_of
from approvals.ledger.tenure import require_fence
from approvals.records import ApprovalId, Run
from approvals.rules.transitions import CLEARED, PAUSED, WAITING, Verb

NO_LONGER_ASKED = "The agent's thread no longer asks for it."
ANSWERED_ELSEWHERE = "Not run: other code of the agent answered in the tool's place."
STOPPED_HALF_WAY = "It had stopped at a question of its own, which was not answered; what it did before that stands."
# What an approved call comes to whose agent went on without it.
CAME_OF_IT = {CLEARED: ANSWERED_ELSEWHERE, PAUSED: STOPPED_HALF_WAY}


def mark_applied(db: Database, run: Run, approval_id: ApprovalId) -> None:
    """Note that the agent went on. An approved call that went on without its guard never ran, or never ended: it
    is failed, visibly, instead of waiting for an effect that cannot come. What is not behind the guard has no
    effect on record."""
    with db.transaction(Commit.MARK_APPLIED) as tx:
        require_fence(tx, run.id, run.fence)
        approval = lock_approval(tx, approval_id)
        if approval is None or approval.applied_at is not None:
            return
        if approval.guarded and state_of(approval) in CAME_OF_IT:
            words = CAME_OF_IT[state_of(approval)]
            move(db, tx, Verb.BYPASS, approval, WORKER, result=words, effect_ended_at=NOW)
        tx.execute("UPDATE approvals SET applied_at = clock_timestamp() WHERE id = %s", (approval_id,))


def withdraw(db: Database, run: Run, approval_id: ApprovalId) -> None:
    """Close an approval that still waits although the agent's thread no longer asks: nobody could use a yes."""
    with db.transaction(Commit.WITHDRAW) as tx:
        require_fence(tx, run.id, run.fence)
        approval = lock_approval(tx, approval_id)
        if approval is not None and state_of(approval) == WAITING:
            cancel(db, tx, approval, WORKER, NO_LONGER_ASKED)
    mark_applied(db, run, approval_id)
