"""Somebody ends a run while its agent works. What has an effect is never cut off; a model that only writes is."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
import structlog
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.runtime import RunControl

# How often the ledger is asked, while an agent works.
LOOK_SECONDS: Final = 0.5

log = structlog.get_logger()


class RunCancelled(BaseException):
    """Ends a model's call. No Exception: whoever tries a model again after one, or says something in its place, must
    not."""


class Ending(BaseCallbackHandler):
    """Hears from LangChain what the model of one run writes, and ends it. Other handlers' errors stay where they are;
    what is raised here gets through."""

    raise_error = True

    def __init__(self, asked: Callable[[], bool], busy: Callable[[], bool]) -> None:
        """`asked`: whether the run shall end. `busy`: whether a tool runs, in whose middle a model may be asked too."""
        self._asked, self._busy = asked, busy
        self._ends = threading.Event()

    @contextmanager
    def watch(self, control: RunControl) -> Iterator[None]:
        """While the agent is let run: once the end is asked for, it is drained, and its model is cut off."""
        over = threading.Event()
        looks = threading.Thread(target=self._look, args=(control, over), daemon=True, name="ending")
        looks.start()
        try:
            yield
        finally:
            over.set()
            looks.join()

    def _look(self, control: RunControl, over: threading.Event) -> None:
        while not over.wait(LOOK_SECONDS):
            if self._look_once():
                control.request_drain()
                return

    def _look_once(self) -> bool:
        try:
            if self._asked():
                self._ends.set()
        except psycopg.Error as error:
            log.warning("end.not_looked_for", error=type(error).__name__)
        return self._ends.is_set()

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        """The model is about to be asked, which takes longer than to look once more."""
        self._look_once()
        self._end()

    def on_llm_new_token(self, *_: Any, **__: Any) -> None:
        """It has written some more."""
        self._end()

    def _end(self) -> None:
        if self._ends.is_set() and not self._busy():
            raise RunCancelled
