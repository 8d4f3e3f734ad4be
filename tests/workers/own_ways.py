"""An agent whose tools do not go the way of the library's, and a middleware that calls a tool's function itself."""

import os
from collections.abc import Callable
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool, tool

from workers.agents.fleet import fleet_of

Act = Callable[[str], None]


class OwnInvoke(BaseTool):
    """As wrappers around tools are written."""

    name: str = "own_invoke"
    description: str = "Has an invoke of its own."
    act: Any

    def invoke(self, input: Any, config: Any = None, **more: Any) -> Any:
        self.act("own_invoke")
        return super().invoke(input, config, **more)

    def _run(self) -> str:
        self.act("own_invoke._run")
        return "done"


class OwnRun(BaseTool):
    """The same, one step further in."""

    name: str = "own_run"
    description: str = "Has a run of its own."
    act: Any

    def run(self, *args: Any, **more: Any) -> Any:
        self.act("own_run")
        return super().run(*args, **more)

    def _run(self) -> str:
        self.act("own_run._run")
        return "done"


class Afterwards(AgentMiddleware[Any, Any]):
    """Calls what is behind a tool."""

    def __init__(self, strike: Any) -> None:
        self.strike = strike

    def after_agent(self, state: Any, runtime: Any) -> None:
        self.strike.func(target="x")


def made_of(act: Act) -> list[BaseTool]:
    @tool
    def strike(target: str) -> str:
        """An effect."""
        act("strike")
        return "struck"

    return [OwnInvoke(act=act), OwnRun(act=act), strike]


def build(*, model: Any, middleware: Any, checkpointer: Any) -> Any:
    tools = made_of(fleet_of(os.environ).act)
    return create_agent(model, tools=tools, middleware=[*middleware, Afterwards(tools[-1])], checkpointer=checkpointer)
