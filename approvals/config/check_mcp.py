"""What one key of an MCP server cannot see: whether it fits the transport, and the agent it belongs to. Pure."""

from collections.abc import Iterator

from approvals.config.errors import Finding, Location
from approvals.config.mcp_section import HTTP, OF_HTTP, OF_STDIO, STDIO, McpSection
from approvals.config.sections import FileSections


def of_mcp(file: FileSections) -> Iterator[Finding]:
    for name, agent in file.agents.items():
        if agent.mcp and agent.ungated:
            yield Finding(
                ("agents", name, "mcp"),
                "the tools of MCP servers come with the gate, which an ungated agent does not carry; "
                "remove mcp, or remove ungated",
            )
        for server, section in agent.mcp.items():
            yield from _of_a_server(section, ("agents", name, "mcp", server))


def _of_a_server(section: McpSection, place: Location) -> Iterator[Finding]:
    needed, other = ("command", OF_HTTP) if section.transport == STDIO else ("url", OF_STDIO)
    for key in other:
        if key in section.model_fields_set:
            meant = HTTP if section.transport == STDIO else STDIO
            yield Finding(
                (*place, key), f"{key} is for transport: {meant}; remove the line, or write transport: {meant}"
            )
    if not getattr(section, needed):
        described = McpSection.model_fields[needed].description
        yield Finding((*place, needed), f"transport: {section.transport} needs it, and it is missing: {described}")
