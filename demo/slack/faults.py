"""Ways in which Slack can fail, to be put in the way of the next calls of a method. Decides nothing else."""

import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimited:
    """429 with Retry-After; nothing is done."""

    retry_after: int = 1


@dataclass(frozen=True, slots=True)
class ServerError:
    """An HTML page instead of JSON; nothing is done."""

    status: int = 500


@dataclass(frozen=True, slots=True)
class Refuse:
    """ok:false with this error; nothing is done."""

    error: str


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait, then do it and answer."""

    seconds: float


@dataclass(frozen=True, slots=True)
class DropAfter:
    """Do it, then close the connection without an answer."""


Fault = RateLimited | ServerError | Refuse | Delay | DropAfter


class Faults:
    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._lock = threading.Lock()
        self._waiting: list[tuple[str, Fault]] = []

    def inject(self, method: str, fault: Fault, times: int = 1) -> None:
        """`method` is a Web API method, `response_url`, or `*` for whatever comes next."""
        with self._lock:
            self._waiting.extend([(method, fault)] * times)

    def waiting(self) -> int:
        """How many have not struck yet."""
        with self._lock:
            return len(self._waiting)

    def clear(self) -> None:
        with self._lock:
            self._waiting.clear()

    def take(self, method: str) -> Fault | None:
        fault = self._take(method)
        if fault:
            self._on_change()
        return fault

    def _take(self, method: str) -> Fault | None:
        with self._lock:
            for index, (wanted, fault) in enumerate(self._waiting):
                if wanted in ("*", method):
                    del self._waiting[index]
                    return fault
            return None
