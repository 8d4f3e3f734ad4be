"""Each agent asks about each call that the policy gates: it is tried, with tools that do nothing and a model that calls
each of them."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from typing import Final

from langchain_core.tools import BaseTool

from approvals.config.load import load_config
from approvals.config.values import AgentConfig, Config
from approvals.rules.select_rule import Policy
from approvals.settings import Settings, SettingsError, load_secrets
from bot.cards.escape import visible_line
from ops.doctor.finding import Finding
from workers.agents.drive import Driven, drive
from workers.agents.load import UNGATED
from workers.agents.models import first_line
from workers.agents.named import AgentUnusable
from workers.agents.tool_names import NoSuchTool, down_in, not_there
from workers.mcp.needs import McpUnusable
from workers.mcp.servers import Servers
from workers.time_limit import TooSlow

AGENT_SECONDS: Final = 60.0
MOST_NAMED: Final = 3
MOST_RULES: Final = 10
WAY_ON: Final = (
    "Give each graph the gate as its first middleware (subagents inherit none), and look for code that calls tools by "
    "itself."
)
NOT_TRIED: Final = "Until it can be tried, nobody knows whether its gate is on every path."


def agents(settings: Settings) -> Iterator[Finding]:
    """One line for each, and then one about rules that none of their tools comes under."""
    config = load_config(settings.countersign_config)
    tools: list[frozenset[str] | None] = []
    with servers_of(config) as servers:
        for agent in config.agents.values():
            # What an agent's own code prints must not come between the findings.
            with redirect_stdout(sys.stderr):
                outside = servers.tools_of(agent, servers.listings(agent)) if servers else []
                found, has = tried(agent, config.policy, outside=outside)
            tools.append(has)
            yield found
        unknown = down_in(config.agents.values(), servers)
    known = [one for one in tools if one is not None]
    # Of an agent that could not be tried nobody knows the tools.
    if len(known) == len(tools):
        yield from of_names(list(not_there(config.policy, config.agents, frozenset().union(*known), unknown)))


def of_names(found: Sequence[NoSuchTool]) -> Iterator[Finding]:
    """A name that is near another one is a mistake; one that is not may be for an agent to come."""
    for number, one in enumerate((one for one in found if one.near), start=1):
        yield Finding(
            f"tool-name-{number}",
            False,
            f"tools.{one.pattern}: no agent has such a tool, and its rule applies to nothing; did you mean {one.near}?",
        )
    others = [one.pattern for one in found if not one.near]
    if others:
        yield Finding(
            "tool-names", True, f"No agent has a tool for these rules, so they apply to nothing: {listed(others)}."
        )


def listed(names: Sequence[str]) -> str:
    """The first few of them."""
    more = len(names) - MOST_RULES
    return ", ".join(names[:MOST_RULES]) + (f" and {more} more" if more > 0 else "")


def servers_of(config: Config) -> AbstractContextManager[Servers | None]:
    """The MCP servers; none where they cannot be begun, which the check of them says: the agents have tools beside."""
    try:
        return Servers(config.agents.values(), load_secrets(os.environ, config.mcp_variables), quiet=True)
    except (McpUnusable, SettingsError):
        return nullcontext()


def tried(
    agent: AgentConfig, policy: Policy, seconds: float = AGENT_SECONDS, outside: Sequence[BaseTool] = ()
) -> tuple[Finding, frozenset[str] | None]:
    """What came of trying this agent, with the tools that it has from MCP servers; and all its tools, None where they
    are not known."""
    name = f"agent-{agent.name}"
    if agent.ungated:
        return Finding(name, True, f"It is configured as ungated, and was not tried: {UNGATED}."), None
    try:
        driven = drive(agent, policy, seconds, outside)
    except AgentUnusable as error:
        why = f"{visible_line(str(error))} No worker starts with it."
    except TooSlow:
        why = f"Its factory {agent.factory} did not return within {seconds:g} s. {NOT_TRIED}"
    except Exception as error:  # noqa: BLE001 - its graph may be of any kind, and the other checks must go on
        why = visible_line(f"It cannot be tried ({first_line(error)}). {NOT_TRIED}")
    else:
        well = not driven.unasked and not driven.not_made
        return Finding(name, well, visible_line(" ".join(sentences(driven)))), driven.tools
    return Finding(name, False, why), None


def sentences(driven: Driven) -> Iterator[str]:
    """What ran unasked comes first, and alone is what everybody must read."""
    if not driven.graphs:
        yield "It has no tool, so nothing was tried: whatever it does, it does without calls that people could decide."
        return
    graphs = "1 graph" if driven.graphs == 1 else f"{driven.graphs} graphs"
    if driven.unasked:
        yield f"Ran although nobody was asked: {several(driven.unasked)}. {WAY_ON}"
        yield f"Through {graphs}, {calls(driven.asked)} paused for people."
    elif driven.asked:
        yield f"{calls(driven.asked)} through {graphs}: each was asked about."
    elif driven.free:
        yield f"Through {graphs}, nobody was asked about any call: the policy gates none of those that were tried."
    if driven.free:
        yield f"By the policy {calls(driven.free)} ran unasked."
    if driven.made_up:
        yield f"Not tried, because made-up arguments do not do: {several(driven.made_up)}."
    if driven.not_made:
        yield f"Could not be tried: {several(driven.not_made)}. {NOT_TRIED}"


def calls(count: int) -> str:
    """How many."""
    return "1 call" if count == 1 else f"{count} calls"


def several(paths: Sequence[str]) -> str:
    """The first few of them."""
    more = len(paths) - MOST_NAMED
    return "; ".join(paths[:MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
