"""The sweep's pass over the scheduled reports: whichever is due goes one step further."""

from approvals.config.values import ReportConfig
from approvals.ledger.report import read_report
from approvals.ledger.report_runs import claim_report
from workers.reports.deliver import Delivery
from workers.sweep.world import World


def report(world: World) -> int:
    """How many reports are whole now that were not before."""
    return sum(advance(world, config) for config in world.reports)


def advance(world: World, config: ReportConfig) -> bool:
    run = claim_report(world.db, config.name, config.channel, config.schedule)
    if run is None:
        return False
    found = read_report(world.db, config.name, config.schedule, run.period)
    return Delivery(world.db, world.messenger, run, found).step(quiet=config.quiet)
