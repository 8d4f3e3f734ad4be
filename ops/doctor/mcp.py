"""Every MCP server of the configuration can be reached from here, and says what it has. Calls no tool."""

import os
from collections.abc import Iterator

from approvals.config.load import load_config
from approvals.config.values import AgentConfig
from approvals.process import CannotStart
from approvals.settings import Settings, SettingsError, load_secrets
from ops.doctor.finding import Finding
from workers.mcp.answers import NotReached
from workers.mcp.listed import Listing
from workers.mcp.needs import McpUnusable
from workers.mcp.servers import Servers


def mcp(settings: Settings) -> Iterator[Finding]:
    """A finding for each server of each agent, and one for each tool that cannot be used."""
    config = load_config(settings.countersign_config)
    try:
        servers = Servers(config.agents.values(), load_secrets(os.environ, config.mcp_variables), quiet=True)
    except (McpUnusable, SettingsError) as error:
        raise CannotStart(str(error)) from error
    with servers:
        for agent in config.agents.values():
            yield from _of(agent, servers)


def _of(agent: AgentConfig, servers: Servers) -> Iterator[Finding]:
    for server in agent.mcp:
        name, key = f"mcp-{agent.name}-{server.name}", f"agents.{agent.name}.mcp.{server.name}"
        try:
            found = servers.of(server).today()
        except NotReached as error:
            yield Finding(
                name,
                False,
                f"{key}: it cannot be reached ({error}). Until it answers its tools are missing, and the rest works; "
                "start it, or correct the entry.",
            )
            continue
        yield Finding(name, True, f"{key}: it answers. {_tools(found)}")
        for number, why in enumerate(found.left_out, start=1):
            yield Finding(f"{name}-left-out-{number}", False, f"{key}: not used: {why}.")


def _tools(found: Listing) -> str:
    named = ", ".join(tool.known_as for tool in found.tools[:5])
    more = f" and {len(found.tools) - 5} more" if len(found.tools) > 5 else ""
    return f"Its tools: {named}{more}." if named else "It has no tools."
