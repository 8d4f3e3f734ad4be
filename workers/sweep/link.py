"""Links new audit rows into the hash chain."""

from approvals.ledger.chain import link_rows
from workers.sweep.world import World


def link(world: World) -> int:
    """Every row that has no link yet, a batch at a time."""
    total = 0
    while linked := link_rows(world.db):
        total += linked
    return total
