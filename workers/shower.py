"""Shows beside the agent's work. Slack takes a tenth of a second for each call, and limits how many: neither may hold
up a run or its lock. What is not shown when a process dies, the sweep shows from the rows."""

import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from approvals.records import ApprovalId, RunId

STOP_SECONDS: Final = 5.0

log = structlog.get_logger()


class Shows(Protocol):
    """What brings Slack in line with the rows."""

    def card(self, approval_id: ApprovalId) -> None: ...

    def posts(self, run_id: RunId | None = None) -> None: ...

    def status_line(self, run_id: RunId) -> None: ...


class Shower:
    """One thread, in the order in which it was asked; what waits to be shown already is not queued twice."""

    def __init__(self, show: Shows, before_posts: Callable[[RunId], None] = lambda _: None) -> None:
        self._show, self._before_posts = show, before_posts
        self._changed = threading.Condition()
        self._waiting: dict[tuple[str, str], Callable[[], None]] = {}
        self._busy = False
        self._thread: threading.Thread | None = None

    def card(self, approval_id: ApprovalId) -> None:
        """Soon."""
        self._add(("card", approval_id), lambda: self._show.card(approval_id))

    def posts(self, run_id: RunId) -> None:
        """Soon."""
        self._add(("posts", run_id), lambda: self._posts(run_id))

    def status_line(self, run_id: RunId) -> None:
        """Soon."""
        self._add(("status_line", run_id), lambda: self._show.status_line(run_id))

    def _posts(self, run_id: RunId) -> None:
        # What is being begun of them must be known before they are said.
        self._before_posts(run_id)
        self._show.posts(run_id)

    def finish(self, seconds: float = STOP_SECONDS) -> None:
        """Before a process ends: let what was asked for be shown, if Slack is quick enough."""
        end = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout=end - time.monotonic())

    def _add(self, key: tuple[str, str], do: Callable[[], None]) -> None:
        with self._changed:
            self._waiting.setdefault(key, do)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="shower")
                self._thread.start()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                key = next(iter(self._waiting))
                do = self._waiting.pop(key)
                self._busy = True
            try:
                do()
            except Exception as error:  # noqa: BLE001 - the edge of a thread: the sweep shows what was not shown here
                log.warning("shower.not_shown", what=key[0], id=key[1], error=type(error).__name__)
            with self._changed:
                self._busy = False
                self._changed.notify_all()
