"""Keeps N worker processes alive: starts them again on any exit, passes a stop on, and waits for them.
Imports no agent: what breaks a worker must not break what restarts it."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from approvals.process import WRONG_START

READY_FD = "COUNTERSIGN_READY_FD"
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 10.0
# A worker that has lived this long was well; its next end starts counting anew.
WELL_AFTER_SECONDS = 30.0
HOPELESS_STARTS = 3
TICK_SECONDS = 0.05

log = structlog.get_logger()


@dataclass(slots=True)
class Place:
    """One worker's place: the process that has it now, and when the next may start."""

    process: subprocess.Popen[bytes] | None = None
    ready_fd: int | None = None
    started: float = 0.0
    ends: int = 0
    not_before: float = 0.0


@dataclass(slots=True)
class Supervisor:
    """N places. `proven` once any worker has started well: only before that is a wrong start final, since
    afterwards it can only mean that Postgres or Redis is away."""

    environ: Mapping[str, str]
    count: int
    places: list[Place] = field(default_factory=list)
    proven: bool = False
    stopping: bool = False

    def run(self) -> int:
        """Until a stop signal (0), or a start that cannot succeed: wrong (2), or crashing again and again (1)."""
        signal.signal(signal.SIGTERM, self._ask_stop)
        signal.signal(signal.SIGINT, self._ask_stop)
        self.places = [Place() for _ in range(self.count)]
        while not self.stopping:
            for place in self.places:
                code = self._tend(place)
                if not self.proven and (code == WRONG_START or place.ends >= HOPELESS_STARTS):
                    self._stop_all()
                    return WRONG_START if code == WRONG_START else 1
            time.sleep(TICK_SECONDS)
        self._stop_all()
        return 0

    def _ask_stop(self, *_: object) -> None:
        self.stopping = True

    def _tend(self, place: Place) -> int | None:
        """Look after one place; the exit code of a worker that ended just now."""
        if place.process is None:
            if time.monotonic() >= place.not_before:
                self._start(place)
            return None
        if not self.proven and is_ready(place):
            self.proven = True
        code = place.process.poll()
        if code is not None:
            self._ended(place, code)
        return code

    def _start(self, place: Place) -> None:
        readable, writable = os.pipe()
        place.process = subprocess.Popen(
            [sys.executable, "-m", "workers.worker"],
            env={**self.environ, READY_FD: str(writable)},
            pass_fds=(writable,),
            # Of its own group: Ctrl-C must reach us, who then stop it between jobs.
            process_group=0,
        )
        os.close(writable)
        place.ready_fd, place.started = readable, time.monotonic()

    def _ended(self, place: Place, code: int) -> None:
        if is_ready(place):
            self.proven = True
        if place.ready_fd is not None:
            os.close(place.ready_fd)
        well = code == 0 or time.monotonic() - place.started > WELL_AFTER_SECONDS
        place.ends = 0 if well else place.ends + 1
        pause = 0.0 if well else min(FIRST_PAUSE_SECONDS * 2**place.ends, LONGEST_PAUSE_SECONDS)
        place.process, place.ready_fd, place.not_before = None, None, time.monotonic() + pause
        if code != 0:
            log.warning("worker.ended", code=code, again_in_seconds=round(pause, 1))

    def _stop_all(self) -> None:
        """Ask every worker to stop after what it is doing, and wait: an effect gets the time it needs. Who
        cannot wait kills us; then those effects are unknown, and people are asked."""
        alive = [place.process for place in self.places if place.process is not None]
        for process in alive:
            process.terminate()
        for process in alive:
            process.wait()


def is_ready(place: Place) -> bool:
    """Whether the worker has said that it is ready. Looks, and does not wait."""
    if place.ready_fd is None:
        return False
    readable, _, _ = select.select([place.ready_fd], [], [], 0)
    return bool(readable) and os.read(place.ready_fd, 1) == b"r"
