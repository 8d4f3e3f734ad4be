"""What the agent does while it works, told to its thread at most once a second. LangChain's callbacks say it;
a thread of its own writes it, so that neither Postgres nor Slack can hold the agent up."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from langchain_core.callbacks import BaseCallbackHandler

from approvals.records import RunId
from workers.outside import watched_as
from workers.trouble import mark

GAP_SECONDS: Final = 1.0
THINKING: Final = "thinking"

log = structlog.get_logger()


class Teller:
    """Keeps only the newest thing to say: what was true a second ago interests nobody."""

    def __init__(self, tell: Callable[[RunId, str], None]) -> None:
        self._tell = tell
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
            self._newest = None
        with self._telling:
            pass

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None)
            with self._telling:
                with self._changed:
                    newest, self._newest = self._newest, None
                if newest is not None:
                    self._told(*newest)
            time.sleep(GAP_SECONDS)

    def _told(self, run_id: RunId, doing: str) -> None:
        try:
            self._tell(run_id, doing)
        except Exception as error:  # noqa: BLE001 - the edge of a thread: a line that is not told harms nothing
            log.warning("status_line.not_told", run_id=run_id, error=type(error).__name__)


class Watches(BaseCallbackHandler):
    """Hears from LangChain what one run does."""

    def __init__(self, teller: Teller, run_id: RunId) -> None:
        self._teller, self._run_id = teller, run_id

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        """The model was asked."""
        self._teller.say(self._run_id, THINKING)

    def on_llm_error(self, error: BaseException, **_: Any) -> None:
        """The model raised: so that nobody takes it for a tool's error."""
        mark(error)

    def on_tool_start(self, serialized: dict[str, Any] | None, input_str: str, **more: Any) -> None:
        """A tool runs: for a gated one only after its guard has let it."""
        name = watched_as(more.get("metadata")) or more.get("name") or (serialized or {}).get("name") or "a tool"
        self._teller.say(self._run_id, f"calling {name}")
