"""What the agent does while it works, told to its thread at most once a second. LangChain's callbacks say it;
a thread of its own writes it, so that neither Postgres nor Slack can hold the agent up."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

import structlog
from langchain_core.callbacks import BaseCallbackHandler

from approvals.ledger.status_line import CALLING
from approvals.records import RunId
from workers.outside import watched_as
from workers.trouble import mark

GAP_SECONDS: Final = 1.0
# What goes on for long is told again, each time after longer: the time it has taken is a part of it.
FIRST_BEAT_SECONDS: Final = 5.0
LAST_BEAT_SECONDS: Final = 60.0
THINKING: Final = "thinking"
WRITING: Final = "writing"

log = structlog.get_logger()


class Teller:
    """Keeps only the newest thing to say: what was true a second ago interests nobody."""

    def __init__(
        self,
        tell: Callable[[RunId, str], None],
        tell_again: Callable[[RunId], None] = lambda _: None,
        beat_seconds: float = FIRST_BEAT_SECONDS,
    ) -> None:
        self._tell, self._tell_again, self._beat = tell, tell_again, beat_seconds
        # What was told last, as long as it goes on, and after how long it is told again.
        self._going_on: RunId | None = None
        self._pause = beat_seconds
        self._changed = threading.Condition()
        self._newest: tuple[RunId, str] | None = None
        self._telling = threading.Lock()
        self._thread: threading.Thread | None = None

    def say(self, run_id: RunId, doing: str) -> None:
        """To be told soon, unless something newer comes first. Returns at once."""
        with self._changed:
            self._newest = (run_id, doing)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="status-line")
                self._thread.start()
            self._changed.notify()

    def hush(self) -> None:
        """Forget what was not told yet, and wait for what is being told: then nothing of it comes later."""
        with self._changed:
            self._newest = self._going_on = None
        with self._telling:
            pass

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None, timeout=self._pause)
            with self._telling:
                run_id, doing = self._take()
                if run_id is not None:
                    self._told(run_id, doing)
            time.sleep(GAP_SECONDS)

    def _take(self) -> tuple[RunId | None, str | None]:
        """What to tell now: something new, or of what goes on that it does."""
        with self._changed:
            newest, self._newest = self._newest, None
            if newest is not None:
                self._going_on, self._pause = newest[0], self._beat
                return newest
            self._pause = min(self._pause + self._beat, LAST_BEAT_SECONDS)
            return self._going_on, None

    def _told(self, run_id: RunId, doing: str | None) -> None:
        try:
            if doing is None:
                self._tell_again(run_id)
            else:
                self._tell(run_id, doing)
        except Exception as error:  # noqa: BLE001 - the edge of a thread: a line that is not told harms nothing
            log.warning("status_line.not_told", run_id=run_id, error=type(error).__name__)


class Watches(BaseCallbackHandler):
    """Hears from LangChain what one run does."""

    def __init__(self, teller: Teller, run_id: RunId) -> None:
        self._teller, self._run_id = teller, run_id
        # The tools that run, each with the graph that it runs in. Tools run in threads of their own.
        self._running: dict[UUID, tuple[tuple[str, ...], str]] = {}

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        """The model was asked."""
        self._teller.say(self._run_id, THINKING)

    def on_llm_error(self, error: BaseException, **_: Any) -> None:
        """The model raised: so that nobody takes it for a tool's error."""
        mark(error)

    def on_tool_start(self, serialized: dict[str, Any] | None, input_str: str, *, run_id: UUID, **more: Any) -> None:
        """A tool runs: for a gated one only after its guard has let it."""
        watched = watched_as(more.get("metadata"))
        name = str(watched or more.get("name") or (serialized or {}).get("name") or "a tool")
        path = str((more.get("metadata") or {}).get("langgraph_checkpoint_ns") or "")
        self._running[run_id] = (tuple(path.split("|")[:-1]), " ".join(name.split()))
        self._teller.say(self._run_id, f"{CALLING}{' '.join(name.split())}")

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """It has come back."""
        self._running.pop(run_id, None)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """So it has."""
        self._running.pop(run_id, None)

    def calls(self) -> bool:
        """Whether a tool runs."""
        return bool(self._running)

    def running_in(self, namespace: tuple[str, ...]) -> str | None:
        """The tool that runs in this graph; of several the one that was called last; None if none does any more."""
        names = [name for where, name in list(self._running.values()) if where == namespace]
        return names[-1] if names else None
