"""Work that is waited for only so long. Whoever gives up on it stops waiting; the work itself cannot be stopped."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

from langchain_core.tools import BaseTool

from workers.outcomes import Outcome, OutcomeUnknown, refused
from workers.tool_extras import WrongExtras, extras_of

T = TypeVar("T")


class TooSlow(Exception):
    """The work was not done in time. It goes on in its thread, and whatever it returns is lost."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """What the work returns. Raises TooSlow, and whatever the work raises, LangGraph's pause included. It runs in the
    caller's own context, which LangGraph's `interrupt()` and its tracing look at."""
    context, done = copy_context(), Future[T]()

    def run() -> None:
        try:
            done.set_result(context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is the caller's, who raises it anew
            done.set_exception(error)

    # No pool: one that is full of work nobody waits for would let nothing else begin.
    Thread(target=run, daemon=True, name="time-limit").start()
    if not wait([done], seconds).done:
        raise TooSlow
    return done.result()


def in_time(tool: BaseTool, work: Callable[[], T]) -> T:
    """A call of the tool within the time that its author gives it. Raises OutcomeUnknown, and what the work raises."""
    limit = extras_of(tool).time_limit
    if limit is None:
        return work()
    try:
        return within(limit, work)
    except TooSlow as error:
        raise OutcomeUnknown(f"it gave no answer within {limit:g} s, and may still be at it") from error


def free_in_time(tool: BaseTool | None, call: dict[str, Any], work: Callable[[], Outcome]) -> Outcome:
    """The same for a call that nobody is asked about: the agent is told, and may look for itself."""
    try:
        return in_time(tool, work) if tool is not None else work()
    except OutcomeUnknown as error:
        return refused(call, f"`{call['name']}` may or may not have run: {error}. Check before you call it again.")
    except WrongExtras as error:
        return refused(call, f"Not called: {error}.")
