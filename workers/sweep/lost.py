"""Finds effects whose worker is gone, within seconds of its death, whether or not another worker lives."""

import psycopg
from psycopg.rows import dict_row

from approvals.ledger.lose import lose_started
from approvals.ledger.tenure import held, raise_fence
from approvals.ledger.work import runs_with_lost_effects
from workers.sweep.world import World


def lose(world: World) -> int:
    """Take each such run for a moment, as a worker would, and say that its effect is unknown."""
    run_ids = runs_with_lost_effects(world.db)
    if not run_ids:
        return 0
    total = 0
    with psycopg.connect(world.db.url, autocommit=True, row_factory=dict_row, connect_timeout=5) as connection:
        for run_id in run_ids:
            with held(connection, run_id) as ours:
                run = raise_fence(world.db, run_id) if ours else None
                total += len(lose_started(world.db, run)) if run else 0
    return total
