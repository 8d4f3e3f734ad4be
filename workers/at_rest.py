"""What a run that rests waits for, in words for its status line. Pure."""

from collections.abc import Sequence

from approvals.records import Approval
from approvals.rules.words import DecisionType, Effect, Status


def waiting_for(approvals: Sequence[Approval]) -> str:
    """What a run that rests waits for, for its status line."""
    pending = [a for a in approvals if a.status is Status.PENDING]
    answers = sum(tuple(a.rule.decisions) == (DecisionType.RESPOND,) for a in pending)
    looks = sum(a.effect is Effect.UNKNOWN for a in approvals)
    counted = ((len(pending) - answers, "approval", "approvals"), (answers, "answer", "answers"))
    parts = [f"{n} {one if n == 1 else many}" for n, one, many in counted if n]
    parts += ["somebody to look at what happened"] if looks else []
    return f"waiting for {' and '.join(parts)}" if parts else "waiting"
