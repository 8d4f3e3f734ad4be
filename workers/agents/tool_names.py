"""Rules of the policy that no tool of any agent comes under: most of all those that are misspelled, whose people would
never be asked. Runs nothing."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import structlog

from approvals.config.values import AgentConfig
from approvals.rules.select_rule import Call, Policy, look_up
from workers.agents.reach import reachable
from workers.interrupts import FREE_FORM
from workers.mcp.servers import Servers
from workers.outside import known_as
from workers.thread import Agent

# A slip of a finger or two; what only resembles a name is another name.
LIKE: Final = 0.8

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NoSuchTool:
    """A name under `tools:`, and the one that was probably meant; "" if none is near."""

    pattern: str
    near: str


def tools_in(graph: Agent) -> frozenset[str]:
    """Every tool that the agent can get to, by the name that a policy goes by."""
    return frozenset(known_as(tool, tool.name) for one in reachable(graph) for tool in one.tools)


def not_there(
    policy: Policy, agents: Mapping[str, AgentConfig], tools: Set[str], unknown: Iterable[str]
) -> Iterator[NoSuchTool]:
    """In the policy's order. `tools` are those of all agents; `unknown` the MCP servers whose tools nobody knows."""
    if any(agent.ungated for agent in agents.values()):
        # Whatever it asks about has a name that only it knows.
        return
    names = tools | {FREE_FORM} | {kind for agent in agents.values() for kind in agent.interrupts}
    selected = [look_up(policy, Call(name, {}, "", "", "")) for name in names]
    used = {pattern for one in selected for pattern in (one.pattern, *one.beaten)}
    for pattern in dict.fromkeys(entry.pattern for entry in policy.tools):
        if pattern not in used and not any(pattern.startswith(f"{server}.") for server in unknown):
            yield NoSuchTool(pattern, near(pattern, tools - {entry.pattern for entry in policy.tools}))


def near(pattern: str, tools: Set[str]) -> str:
    """The name, or the pattern, that was probably meant."""
    prefix, star, suffix = pattern.partition("*")
    begins = {name[: len(prefix)] if star else name for name in tools}
    close = get_close_matches(prefix, sorted(begins), n=1, cutoff=LIKE)
    return f"{close[0]}{star}{suffix}" if close else ""


def down_in(agents: Iterable[AgentConfig], servers: Servers | None) -> frozenset[str]:
    """The MCP servers that did not answer when they were last asked."""
    named = {server for agent in agents for server in agent.mcp}
    return frozenset(one.name for one in named if servers is None or servers.of(one).why_down() is not None)


def warn_of_names(
    policy: Policy, configs: Mapping[str, AgentConfig], agents: Mapping[str, Agent], servers: Servers | None
) -> None:
    """One line for each rule that is probably misspelled."""
    tools = frozenset[str]().union(*map(tools_in, agents.values()))
    for one in not_there(policy, configs, tools, down_in(configs.values(), servers)):
        if one.near:
            log.warning("policy.no_such_tool", rule=f"tools.{one.pattern}", did_you_mean=one.near)
