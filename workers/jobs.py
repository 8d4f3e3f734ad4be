"""The one job. Ids in, a few lines; everything it needs was put together when the process began."""

import uuid
from typing import Protocol

import psycopg
import structlog

from approvals.records import RunId

log = structlog.get_logger()


class Advances(Protocol):
    """What this process runs wake-ups with."""

    def advance(self, run_id: RunId) -> None:
        """Do all there is to do in one run."""


class Bench:
    """The process's own runner. RQ calls a job by its dotted name, so it has to be found here."""

    runner: Advances | None = None


def equip(runner: Advances) -> None:
    """Say what wake-ups run with in this process."""
    Bench.runner = runner


def advance(run_id: str) -> None:
    """Look at one run. A wake-up that cannot be followed is dropped: the rows are the work."""
    if Bench.runner is None:
        raise RuntimeError("This process was not started as a worker.")
    try:
        known = RunId(str(uuid.UUID(run_id)))
    except (ValueError, AttributeError, TypeError):
        log.warning("wakeup.refused", reason="not a run id")
        return
    try:
        Bench.runner.advance(known)
    except psycopg.OperationalError as error:
        log.warning("wakeup.database_away", run_id=known, error=type(error).__name__)
