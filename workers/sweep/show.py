"""Brings Slack in line with the rows: cards that lag, and words that were not said."""

from approvals.ledger.cards import lagging
from workers.sweep.world import World

BATCH = 100


def show(world: World) -> int:
    """One batch; what Slack does not take now keeps its own time for the next try."""
    behind = lagging(world.db, BATCH)
    for approval_id in behind:
        world.show.card(approval_id)
    world.show.posts(None)
    world.show.status_lines()
    return len(behind)
