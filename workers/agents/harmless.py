"""While an agent is tried no tool of this process does anything, whoever holds it: it notes that it was run. Tools stay
the objects that they are, with their names and schemas. What code does without a tool is not held up: the factory,
nodes and middlewares of the author's own run as they are."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from langchain_core.tools import BaseTool

SAYS: Final = "Nothing was done: this is a rehearsal."
BODIES: Final = ("_run", "_arun")
# Every use of a tool goes through one of these.
DOORS: Final = ("run", "arun")
# These lead to the doors, unless a class has its own; and these hold the author's function, which code can call itself.
WAYS: Final = (*DOORS, "invoke", "ainvoke")
FUNCTIONS: Final = ("func", "coroutine")
LIBRARY: Final = "langchain_core."
# As a class like others, although it is abstract.
BASE: Final[Any] = BaseTool


class Harmless:
    """`ran` has the names of the tools that were run since it was last cleared."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self._real: BaseTool | None = None
        self._disarmed: list[BaseTool] = []
        self._functions: list[tuple[BaseTool, str, Any]] = []
        self._doors: list[tuple[type[BaseTool], str, Any]] = []

    def begin(self) -> None:
        """From now on no tool does anything that is used as the library uses it."""
        for name in DOORS:
            self._put(BASE, name, self._door(getattr(BaseTool, name)))

    def cover(self, tools: Iterable[BaseTool]) -> None:
        """Nor does one whose class has ways of its own, of all classes that there are by now; nor one of these,
        whatever of it is called."""
        for kind in kinds_of(BASE):
            for name in WAYS:
                if name in kind.__dict__ and not kind.__module__.startswith(LIBRARY):
                    self._put(kind, name, self._way(kind.__dict__[name], name))
        for tool in tools:
            self._disarm(tool)
            for name in FUNCTIONS:
                self._disarm_function(tool, name)

    def end(self) -> None:
        """All tools are what they were."""
        for kind, name, door in self._doors:
            setattr(kind, name, door)
        for tool in self._disarmed:
            restore(tool)
        for tool, name, function in self._functions:
            tool.__dict__[name] = function

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

    def _put(self, kind: type[BaseTool], name: str, door: Callable[..., Any]) -> None:
        self._doors.append((kind, name, kind.__dict__[name]))
        setattr(kind, name, door)

    def _door(self, door: Callable[..., Any]) -> Callable[..., Any]:
        def through(tool: BaseTool, *args: Any, **kwargs: Any) -> Any:
            if tool is not self._real:
                self._disarm(tool)
            return door(tool, *args, **kwargs)

        return through

    def _way(self, own: Callable[..., Any], name: str) -> Callable[..., Any]:
        @wraps(own)
        def through(tool: BaseTool, *args: Any, **kwargs: Any) -> Any:
            way = own if tool is self._real else getattr(BaseTool, name)
            return way(tool, *args, **kwargs)

        return through

    def _disarm(self, tool: BaseTool) -> None:
        if BODIES[0] in tool.__dict__:
            return
        for name, body in zip(BODIES, self._bodies(tool), strict=True):
            # Past pydantic, which knows fields only: an attribute of the object goes before the method of its class.
            # With its signature, of which LangChain may make the schema.
            object.__setattr__(tool, name, wraps(getattr(tool, name))(body))
        self._disarmed.append(tool)

    def _disarm_function(self, tool: BaseTool, name: str) -> None:
        function = tool.__dict__.get(name)
        if not callable(function):
            return
        instead = self._bodies(tool)[FUNCTIONS.index(name)]

        @wraps(function)
        def through(*args: Any, **kwargs: Any) -> Any:
            return (function if tool is self._real else instead)(*args, **kwargs)

        self._functions.append((tool, name, function))
        tool.__dict__[name] = through

    def _bodies(self, tool: BaseTool) -> tuple[Callable[..., Any], Callable[..., Any]]:
        def run(*_: Any, **__: Any) -> Any:
            self.ran.append(tool.name)
            return (SAYS, None) if tool.response_format == "content_and_artifact" else SAYS

        async def run_later(*_: Any, **__: Any) -> Any:
            return run()

        return run, run_later


def kinds_of(kind: type[BaseTool]) -> Iterator[type[BaseTool]]:
    """Every class below it."""
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of(one)


def restore(tool: BaseTool) -> None:
    """Take back what was put in the place of its body."""
    for name in BODIES:
        if name in tool.__dict__:
            object.__delattr__(tool, name)
