"""The sweep: its passes, in the order in which one makes work for the next."""

from collections.abc import Callable

import structlog

from workers.reports.due import report
from workers.sweep.expire import expire
from workers.sweep.forget import forget
from workers.sweep.homes import homes
from workers.sweep.link import link
from workers.sweep.live import live
from workers.sweep.lost import lose
from workers.sweep.nudge import nudge
from workers.sweep.page import page
from workers.sweep.show import show
from workers.sweep.wake import wake
from workers.sweep.world import World

PASSES: tuple[Callable[[World], int], ...] = (
    live,
    expire,
    lose,
    nudge,
    wake,
    show,
    page,
    link,
    homes,
    report,
    forget,
)

log = structlog.get_logger()


def sweep(world: World, is_stopping: Callable[[], bool] = lambda: False) -> dict[str, int]:
    """All passes once; what each one did. A pass that fails leaves the others to do theirs, and the next
    sweep tries it again. Where Postgres is away each of them fails slowly: whoever wants to stop waits for one only."""
    done: dict[str, int] = {}
    for one in PASSES:
        if is_stopping():
            break
        try:
            done[one.__name__] = one(world)
        except Exception as error:  # noqa: BLE001 - one of the three edges: time must go on
            log.warning("sweep.pass_failed", sweep_pass=one.__name__, error=type(error).__name__)
    return done
