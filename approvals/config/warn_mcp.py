"""What is allowed for an MCP server, and probably not meant. Pure."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from approvals.config.errors import Finding, Location
from approvals.config.mcp_section import McpSection
from approvals.config.sections import FileSections
from approvals.rules.durations import format_duration

LONG: Final = timedelta(hours=1)
# Each request has its own.
NOT_TO_BE_SET: Final = ("host", "content-length", "transfer-encoding", "content-encoding", "connection")
SECRET_WORDS: Final = ("token", "key", "secret", "password")
OURS: Final = ("DATABASE_URL", "REDIS_URL")
OURS_BEGIN: Final = ("SLACK_", "COUNTERSIGN_")


def doubts_of_mcp(file: FileSections) -> Iterator[Finding]:
    for name, agent in file.agents.items():
        for server, section in agent.mcp.items():
            place = ("agents", name, "mcp", server)
            yield from _of_its_time(section, place)
            yield from _of_its_headers(section, place)
            yield from _of_its_secrets(section, place)


def _of_its_time(section: McpSection, place: Location) -> Iterator[Finding]:
    if section.timeout > LONG:
        yield Finding(
            (*place, "timeout"),
            f"one call may take {format_duration(section.timeout)}, and as long its run and a worker wait for a server "
            "that does not answer; write what a slow call takes, such as 5m",
        )


def _of_its_headers(section: McpSection, place: Location) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for header in section.headers:
        first = seen.setdefault(header.casefold(), header)
        if first != header:
            yield Finding(
                (*place, "headers", header), f'"{first}" is the same header in other capitals; leave one of the two out'
            )
        if header.casefold() in NOT_TO_BE_SET:
            yield Finding(
                (*place, "headers", header),
                "each request says this by itself, and with another value the server may not understand it; "
                "remove the line",
            )


def _of_its_secrets(section: McpSection, place: Location) -> Iterator[Finding]:
    for name, _ in parse_qsl(urlsplit(section.url).query, keep_blank_values=True):
        if any(word in name.casefold() for word in SECRET_WORDS):
            yield Finding(
                (*place, "url"),
                f'"{name}" in the address looks like a secret, which then stands in this file and in logs; hand it '
                "over by headers, from an environment variable",
            )
    for index, variable in enumerate(section.env):
        if is_ours(variable):
            yield Finding((*place, "env", index), _hands_over(variable))
    for header, variable in section.headers.items():
        if is_ours(variable):
            yield Finding((*place, "headers", header), _hands_over(variable))


def _hands_over(variable: str) -> str:
    return (
        f"{variable} is Countersign's own, and whoever has it can do what Countersign can; give the server one of its "
        "own, under another name"
    )


def is_ours(variable: str) -> bool:
    """Whether our own processes live by it."""
    return variable in OURS or variable.startswith(OURS_BEGIN)
