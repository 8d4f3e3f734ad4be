"""Tools of every make that LangChain knows, for tests/workers/test_tool_shapes.py."""

import json
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, StructuredTool, tool
from langgraph.prebuilt import InjectedState, ToolRuntime
from langgraph.types import Command
from pydantic import BaseModel

from tests.workers.agents import made, tools
from tests.workers.obedient import Obedient
from workers.agents.fleet import Fleet


class Level(StrEnum):
    LOW = "low"
    HIGH = "high"


class Window(BaseModel):
    start: datetime
    minutes: int = 30


def simple_tools(fleet: Fleet) -> list[BaseTool]:
    """What LangChain injects, and the ways in which a tool may answer."""

    @tool
    def with_state(target: str, state: Annotated[dict[str, Any], InjectedState]) -> str:
        """Sees the conversation."""
        fleet.act("with_state", target=target, messages=len(state["messages"]))
        return "saw"

    @tool
    def with_runtime(target: str, runtime: ToolRuntime) -> str:
        """Sees LangChain's own runtime."""
        fleet.act("with_runtime", target=target, call=bool(runtime.tool_call_id))
        return "ran"

    @tool
    def with_call_id(target: str, call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Answers with a command."""
        fleet.act("with_call_id", target=target)
        return Command(update={"messages": [ToolMessage("commanded", tool_call_id=call_id)]})

    @tool(response_format="content_and_artifact")
    def with_artifact(target: str) -> tuple[str, dict[str, Any]]:
        """Has something on the side."""
        fleet.act("with_artifact", target=target)
        return "main", {"side": target}

    return [with_state, with_runtime, with_call_id, with_artifact]


def odd_tools(fleet: Fleet) -> list[BaseTool]:
    """Arguments of other kinds, and other ways to run."""

    @tool
    def with_models(level: Level, window: Window, tags: list[str] | None = None) -> str:
        """Has arguments of its own kinds."""
        fleet.act("with_models", level=level.value, start=window.start.isoformat(), minutes=window.minutes, tags=tags)
        return "modelled"

    @tool
    async def only_async(target: str) -> str:
        """Runs in an event loop only."""
        return target

    @tool(return_direct=True)
    def direct(target: str) -> str:
        """Ends the turn."""
        fleet.act("direct", target=target)
        return "straight"

    @tool
    def asks_an_agent(target: str) -> str:
        """Has an agent inside, which has effects of its own."""
        inner = create_agent(Obedient(), tools=tools(fleet))
        told = inner.invoke({"messages": [HumanMessage(json.dumps([[["strike", {"target": target}]]]))]})
        return str(told["messages"][-1].text)

    json_tool = StructuredTool.from_function(
        name="by_json",
        description="Described by JSON Schema",
        func=lambda **args: fleet.act("by_json", **args) or "by json",
        args_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    )
    return [with_models, only_async, direct, asks_an_agent, json_tool]


build = made(lambda fleet: [*simple_tools(fleet), *odd_tools(fleet)])
