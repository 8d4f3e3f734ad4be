"""Reminders, escalations, and calls to look at what nobody knows of: what is due, a batch at a time."""

from approvals.ledger.nudge import nudge_due
from workers.sweep.world import World

BATCH = 100


def nudge(world: World) -> int:
    """One batch. The posts are said, and the cards written, by the pass that shows."""
    return len(nudge_due(world.db, BATCH))
