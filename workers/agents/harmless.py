"""While an agent is tried no tool of this process does anything, whoever holds it: it notes that it was run. Tools stay
the objects that they are, with their names and schemas."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from langchain_core.tools import BaseTool

SAYS: Final = "Nothing was done: this is a rehearsal."
BODIES: Final = ("_run", "_arun")
# Every use of a tool goes through one of these.
DOORS: Final = ("run", "arun")


class Harmless:
    """`ran` has the names of the tools that were run since it was last cleared."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self._real: BaseTool | None = None
        self._disarmed: list[BaseTool] = []
        self._doors: dict[str, Any] = {}

    def begin(self) -> None:
        """From now on no tool does anything."""
        for name in DOORS:
            self._doors[name] = getattr(BaseTool, name)
            setattr(BaseTool, name, self._door(self._doors[name]))

    def end(self) -> None:
        """All tools are what they were."""
        for name, door in self._doors.items():
            setattr(BaseTool, name, door)
        for tool in self._disarmed:
            restore(tool)

    @contextmanager
    def real(self, tool: BaseTool | None) -> Iterator[None]:
        """One of them, if any, does what it does, for a moment."""
        self._real = tool
        if tool is not None:
            restore(tool)
        try:
            yield
        finally:
            self._real = None

    def _door(self, door: Callable[..., Any]) -> Callable[..., Any]:
        def through(tool: BaseTool, *args: Any, **kwargs: Any) -> Any:
            if tool is not self._real:
                self._disarm(tool)
            return door(tool, *args, **kwargs)

        return through

    def _disarm(self, tool: BaseTool) -> None:
        if BODIES[0] in tool.__dict__:
            return

        def run(*_: Any, **__: Any) -> Any:
            self.ran.append(tool.name)
            return (SAYS, None) if tool.response_format == "content_and_artifact" else SAYS

        async def run_later(*_: Any, **__: Any) -> Any:
            return run()

        for name, body in zip(BODIES, (run, run_later), strict=True):
            # Past pydantic, which knows fields only: an attribute of the object goes before the method of its class.
            # With its signature, of which LangChain may make the schema.
            object.__setattr__(tool, name, wraps(getattr(tool, name))(body))
        self._disarmed.append(tool)


def restore(tool: BaseTool) -> None:
    """Take back what was put in the place of its body."""
    for name in BODIES:
        if name in tool.__dict__:
            object.__delattr__(tool, name)
