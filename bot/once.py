"""What need not be said twice. In memory and bounded: after a restart it may be said once more."""

from collections import OrderedDict
from threading import Lock
from typing import Final

MOST: Final = 4096


class Once:
    """Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seen: OrderedDict[tuple[str, ...], None] = OrderedDict()

    def first(self, *key: str) -> bool:
        """Whether this is asked for the first time."""
        with self._lock:
            if key in self._seen:
                return False
            self._seen[key] = None
            if len(self._seen) > MOST:
                self._seen.popitem(last=False)
            return True
