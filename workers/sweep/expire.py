"""Ends what nobody answered."""

from approvals.ledger.expire import expire_due
from workers.sweep.world import World

BATCH = 500


def expire(world: World) -> int:
    """Expire every overdue approval, a batch at a time; their cards and runs follow in the later passes."""
    total = 0
    while batch := expire_due(world.db, BATCH):
        total += len(batch)
    return total
