"""Every graph that an agent can get to: itself, graphs in its nodes, agents that its tools hand work to. What a tool
makes only when it is called cannot be found here. Runs nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.pregel import Pregel

from workers.arguments import arguments_schema
from workers.gate import CountersignGate

# Closures hold closures; deeper than this lies the library's own machinery.
DEEPEST: Final = 6
PERMISSIONS: Final = "deepagents.middleware._fs_interrupt"

Graph = Pregel[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Reached:
    """One graph, and the way to it, for people."""

    way: str
    graph: Graph

    @property
    def tools(self) -> tuple[BaseTool, ...]:
        """What its model can call."""
        nodes = [node.bound for node in self.graph.nodes.values() if isinstance(node.bound, ToolNode)]
        return tuple(tool for node in nodes for tool in node.tools_by_name.values())

    @property
    def gated(self) -> bool:
        """Whether its tool calls pass our gate."""
        return any(isinstance(one, CountersignGate) for one in asking(self.graph))

    @property
    def own(self) -> tuple[HumanInTheLoopMiddleware[Any, Any, Any], ...]:
        """Others that ask: but not what stands for a deep agent's permissions on files."""
        return tuple(
            one for one in asking(self.graph) if not isinstance(one, CountersignGate) and not permits_files(one)
        )


def asking(graph: Graph) -> Iterator[HumanInTheLoopMiddleware[Any, Any, Any]]:
    """The middlewares of a graph that ask people. create_agent gives each of them a node for its `after_model`."""
    for node in graph.nodes.values():
        owner = getattr(getattr(node.bound, "func", None), "__self__", None)
        if isinstance(owner, HumanInTheLoopMiddleware):
            yield owner


def permits_files(middleware: HumanInTheLoopMiddleware[Any, Any, Any]) -> bool:
    """Whether it was made of FilesystemPermission rules alone: each of its entries has the predicate of one."""
    whens = [entry.get("when") for entry in middleware.interrupt_on.values()]
    return bool(whens) and all(getattr(when, "__module__", None) == PERMISSIONS for when in whens)


def reachable(graph: Graph) -> list[Reached]:
    """All of them, the agent itself first."""
    found: list[Reached] = []
    _visit(Reached("the agent itself", graph), found)
    return found


def schema_of(graph: Graph, tool: str) -> dict[str, Any]:
    """The JSON Schema of the arguments of the tool of that name, wherever in the agent it is; empty if there is none,
    or if there are several that differ."""
    found = [arguments_schema(one) for reached in reachable(graph) for one in reached.tools if one.name == tool]
    return found[0] if found and all(one == found[0] for one in found) else {}


def _visit(reached: Reached, found: list[Reached]) -> None:
    if any(same(one.graph, reached.graph) for one in found):
        return
    found.append(reached)
    for name, node in reached.graph.nodes.items():
        for inner in [*node.subgraphs, *_graphs_in(node.bound, set(), 0)]:
            if isinstance(inner, Pregel):
                _visit(Reached(f"the graph in node {name}", inner), found)
    for tool in reached.tools:
        for label, inner in handed_to(tool):
            _visit(Reached(f"{label} of tool {tool.name}", inner), found)


def same(one: Graph, other: Graph) -> bool:
    """Whether they are one graph, perhaps with another configuration."""
    return list(map(id, one.nodes.values())) == list(map(id, other.nodes.values()))


def handed_to(tool: BaseTool) -> Iterator[tuple[str, Graph]]:
    """The agents that a tool hands work to, by the name under which it keeps them."""
    for function in (getattr(tool, "func", None), getattr(tool, "coroutine", None), getattr(tool, "_run", None)):
        # Those with names first: the same agents are held without one as well.
        for value in sorted(_held(function), key=lambda held: not isinstance(held, Mapping)):
            named = value.items() if isinstance(value, Mapping) else [("", value)]
            for name, one in named:
                for graph in _graphs_in(one, set(), 0):
                    yield (f"subagent {name}" if name and isinstance(name, str) else "an agent"), graph


def _graphs_in(value: object, seen: set[int], depth: int) -> Iterator[Graph]:
    if depth > DEEPEST or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Pregel):
        yield value
        return
    if isinstance(value, ToolNode | BaseTool):
        return
    for inner in _held(value):
        yield from _graphs_in(inner, seen, depth + 1)


def _held(value: object) -> list[object]:
    """What a value holds on to: a collection its entries, a wrapped runnable what is in it, a function its closure,
    the globals that it names, and whom it belongs to."""
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, Runnable):
        return [getattr(value, name, None) for name in ("bound", "first", "middle", "last", "func", "afunc")]
    code, cells = getattr(value, "__code__", None), getattr(value, "__closure__", None)
    if code is None:
        inner = getattr(value, "func", None)
        return [inner] if callable(inner) else []
    held: list[object] = []
    for cell in cells or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            continue  # a name that is not bound yet holds nothing
    names = getattr(value, "__globals__", {})
    return held + [names[name] for name in code.co_names if name in names and not isinstance(names[name], type)]
