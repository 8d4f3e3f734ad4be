"""An event loop in a thread of its own, for what exists as coroutines only. Begun with its first use."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

# Everything that runs here has a limit of its own; this is for a loop that is held up itself.
SPARE_SECONDS: Final = 10.0
CLOSING_SECONDS: Final = 10.0


class HeldUp(Exception):
    """The loop did not come to an end of what it was given."""


class Loop:
    """One per process. Calls come from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, what: Callable[[], Coroutine[Any, Any, T]], seconds: float) -> T:
        """What the coroutine returns or raises. `seconds` is the limit that it keeps itself. Raises HeldUp."""
        future = asyncio.run_coroutine_threadsafe(what(), self._running())
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        if not done.wait(seconds + SPARE_SECONDS):
            future.cancel()
            raise HeldUp
        return future.result()

    def begin(self, what: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Beside the work: nobody waits for it, and it raises nothing."""
        asyncio.run_coroutine_threadsafe(what(), self._running())

    def close(self) -> None:
        """End the thread; whatever still runs in it is cancelled and gets a moment for it."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(CLOSING_SECONDS)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                # A daemon: a process that ends in any other way than by `close` must not wait for it.
                self._thread = threading.Thread(target=_serve, args=(self._loop,), daemon=True, name="mcp")
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
