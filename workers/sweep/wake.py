"""Repeats wake-ups that were lost: derived from the rows, so that Redis may be wiped at any time."""

from approvals.ledger.work import runs_to_wake
from workers.sweep.world import World


def wake(world: World) -> int:
    """Enqueue every run that has something to do, is held by nobody, and has no wake-up waiting."""
    waiting = world.wakeups.queued()
    if waiting is None:
        return 0
    return world.wakeups.wake_all(run_id for run_id in runs_to_wake(world.db) if run_id not in waiting)
