"""How many requests are being answered at this moment."""

from threading import Condition
from types import TracebackType


class InHand:
    """Entered for each of them. Safe to share between threads."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._count = 0

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def wait_until_none(self, seconds: float) -> bool:
        """False if there are still some after so long."""
        with self._changed:
            return self._changed.wait_for(lambda: self._count == 0, seconds)
