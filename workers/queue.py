"""RQ, held to one thing: run `workers.jobs.advance` with one string. Redis is not trusted, so everything
else that a job can carry is refused before it can act."""

import signal
from types import FrameType
from typing import Any

import structlog
from redis.exceptions import RedisError
from rq.exceptions import StopRequested
from rq.job import Job
from rq.worker import SimpleWorker

from approvals.wakeup import JOB
from workers.stopping import Stopping

log = structlog.get_logger()


class WakeupOnly(Job):
    """A job of ours. RQ resolves functions and callbacks by name from Redis; only one name is ours."""

    @property
    def func(self) -> Any:
        """The function, if it is the one. A method call, other arguments or callbacks are refused too."""
        hooks = (self._success_callback_name, self._failure_callback_name, self._stopped_callback_name)
        if self.func_name != JOB or self.instance is not None or any(hooks):
            raise PermissionError("This job is not a wake-up of ours; it was refused.")
        if self.kwargs or len(self.args) != 1 or not isinstance(self.args[0], str):
            raise PermissionError("A wake-up carries one run id and nothing else; it was refused.")
        return super().func

    @property
    def success_callback(self) -> None:
        """None: callbacks are code named in Redis."""
        return None

    @property
    def failure_callback(self) -> None:
        """None: callbacks are code named in Redis."""
        return None

    @property
    def stopped_callback(self) -> None:
        """None: callbacks are code named in Redis."""
        return None


class WakeupWorker(SimpleWorker):
    """Runs wake-ups in its own process. A stop is taken between jobs, where no wake-up is in hand: RQ's own
    raises out of a signal handler and can lose the job that just arrived, or the signal itself."""

    job_class = WakeupOnly
    stopping: Stopping | None = None

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """The first signal: finish what is running, take nothing new."""
        if self.stopping is not None:
            self.stopping.ask()
        signal.signal(signal.SIGINT, self.request_force_stop)
        signal.signal(signal.SIGTERM, self.request_force_stop)
        self._shutdown_requested_date = None
        self._stop_requested = True

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """Ignored: a gated effect is either given its time or killed for good, and then it is unknown."""
        log.info("worker.stopping", then="waiting for the running step to end")

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """RQ waits for an absent Redis without end; a stop that was asked for meanwhile ends the wait."""
        try:
            super().heartbeat(timeout, pipeline)
        except RedisError as error:
            if self._stop_requested:
                raise StopRequested from error
            raise

    @property
    def should_run_maintenance_tasks(self) -> bool:
        """Read by RQ's loop exactly where no job is in hand, which makes it the place to stop. RQ's own
        maintenance moves jobs of dead workers to *failed*; ours is the sweep, from the rows."""
        if self._stop_requested:
            raise StopRequested
        return False

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """A refused or broken wake-up is logged by kind only; its content is not ours to repeat."""
        log.warning("wakeup.failed", error=exc_info[0].__name__ if exc_info and exc_info[0] else "unknown")
