"""Slack waits three seconds. Work is given a little less; what takes longer is not waited for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from approvals.failpoints import Point, reach

SECONDS: Final = 2.0
# More than people click at once: work that waits for a thread is work that is not done in time.
THREADS: Final = 80

T = TypeVar("T")


class TooLate:
    """Not done as far as anybody knows: it may yet be, and then the sweep carries on from the rows."""


class Patience:
    """Runs work beside the thread that must answer Slack."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="in-time")

    def wait(self, work: Callable[[], T], seconds: float | None = None) -> T | TooLate:
        """What the work returned or raised, or TooLate. Work that has not begun by then never does. `seconds`:
        less than usual, where something else is to be done before Slack is answered."""
        reach(Point.CLICK_ARRIVED)
        future = self._executor.submit(work)
        try:
            return future.result(timeout=self._seconds if seconds is None else min(seconds, self._seconds))
        except TimeoutError:
            future.cancel()
            return TooLate()
        finally:
            reach(Point.BEFORE_ACK)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
