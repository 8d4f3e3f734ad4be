"""Retention: a batch of runs that are over, and of the log's beginning, as old as the configuration says."""

from approvals.ledger.forget import cut_audit, forget_runs
from workers.sweep.world import World


def forget(world: World) -> int:
    """Nothing where the configuration says nothing."""
    keep = world.retention
    runs = len(forget_runs(world.db, keep.runs)) if keep.runs else 0
    return runs + (cut_audit(world.db, keep.audit) if keep.audit else 0)
