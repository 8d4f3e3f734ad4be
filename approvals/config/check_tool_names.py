"""Rules under `tools:` whose name no call can have, because of how tools of MCP servers are named. Pure."""

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Final

from approvals.config.errors import Finding
from approvals.config.sections import FileSections

# As a model calls a tool of a server, and as everybody else does.
TO_THE_MODEL: Final = "__"
TO_PEOPLE: Final = "."


def of_tool_names(file: FileSections) -> Iterator[Finding]:
    servers = {name for agent in file.agents.values() for name in agent.mcp}
    # Of an agent's own questions the type stands in a tool's place, and may have dots.
    types = {kind for agent in file.agents.values() for kind in agent.interrupts}
    for pattern in file.tools:
        if not any(fnmatchcase(kind, pattern) for kind in types):
            yield from _of_a_name(pattern, servers)


def _of_a_name(pattern: str, servers: set[str]) -> Iterator[Finding]:
    head, spelled, tool = pattern.partition(TO_THE_MODEL)
    server = _nearest(head, servers, 1.0) if spelled else None
    if server is not None:
        yield Finding(
            ("tools", pattern),
            f"only the model calls a tool of MCP server {server} so, and no rule goes by that name; "
            f'did you mean "{server}{TO_PEOPLE}{tool}"?',
        )
        return
    head, dotted, tool = pattern.partition(TO_PEOPLE)
    if not dotted or any(fnmatchcase(one, head) for one in servers):
        return
    near = _nearest(head, servers, 0.6)
    meant = f'did you mean "{near}{TO_PEOPLE}{tool}"?' if near else f"define {head} under mcp, or correct the name"
    yield Finding(
        ("tools", pattern),
        f"the name of a tool with a dot begins with its MCP server, and no agent has {head}; {meant}",
    )


def _nearest(given: str, servers: set[str], like: float) -> str | None:
    """Whichever is written most like it, capitals aside."""
    folded = {one.casefold(): one for one in sorted(servers)}
    close = get_close_matches(given.casefold(), folded, n=1, cutoff=like)
    return folded[close[0]] if close else None
