"""Which calls an agent is tried with: each tool of each graph, by the graph itself; and where a deep agent hands work
to a subagent, each of the subagent's tools on that way too. Runs nothing."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool

from workers.agents.made_up import made_up_arguments
from workers.agents.reach import Reached, handed_to, same
from workers.agents.scripted import Script
from workers.arguments import arguments_schema

# Deep Agents' own tool that hands work to a subagent: no author's code is in it.
HANDS_OVER: Final = "deepagents."
SUBAGENT: Final = "subagent "


@dataclass(frozen=True, slots=True)
class Trial:
    """One call that is to be made, on this way, once the graph `first` is started. `calls` are what models say, one
    within the other, and `tools` whose calls these are; the inner one is begun by who is told the `marker`."""

    first: Reached
    way: str
    tools: tuple[BaseTool, ...]
    calls: tuple[ToolCall, ...]
    marker: str = ""

    @property
    def tool(self) -> BaseTool:
        """The one that this is about."""
        return self.tools[-1]

    @property
    def over(self) -> BaseTool | None:
        """The one that must do its work for it."""
        return self.tools[0] if len(self.tools) > 1 else None

    @property
    def path(self) -> str:
        """For people: which tool, and how it was reached."""
        return f"{self.tool.name} in {self.way}"

    def script(self) -> Script:
        """What the models say."""
        return Script(self.calls, self.marker)


def trials(found: Sequence[Reached]) -> Iterator[Trial]:
    """In order: the graphs by themselves first."""
    for one in found:
        for tool in one.tools:
            yield Trial(one, one.way, (tool,), (made_up_call(tool),))
    for owner in found:
        for over in owner.tools:
            if module_of(over).startswith(HANDS_OVER):
                yield from handed_on(owner, over, found)


def handed_on(owner: Reached, over: BaseTool, found: Sequence[Reached]) -> Iterator[Trial]:
    """Every tool of every subagent that the tool hands work to, by a call of that tool."""
    # A tool holds its agents more than once.
    for label, graph in dict(handed_to(over)).items():
        inner = next((one for one in found if same(one.graph, graph)), None)
        if inner is None or not label.startswith(SUBAGENT):
            continue
        for tool in inner.tools:
            marker = f"rehearsal {uuid.uuid4().hex}"
            args = {"description": marker, "subagent_type": label.removeprefix(SUBAGENT)}
            way = f"{label}, through {over.name} of {owner.way}"
            yield Trial(owner, way, (over, tool), (call_of(over, args), made_up_call(tool)), marker)


def made_up_call(tool: BaseTool) -> ToolCall:
    """With arguments that are made up from the tool's schema; none, where the gate cannot read it either."""
    try:
        schema = arguments_schema(tool)
    except TypeError:
        schema = {}
    return call_of(tool, made_up_arguments(schema))


def call_of(tool: BaseTool, args: dict[str, Any]) -> ToolCall:
    """As a model says it."""
    return ToolCall(name=tool.name, args=args, id=f"call_{uuid.uuid4().hex}", type="tool_call")


def module_of(tool: BaseTool) -> str:
    """Where the tool's code lives."""
    return str(getattr(getattr(tool, "func", None) or type(tool), "__module__", ""))
