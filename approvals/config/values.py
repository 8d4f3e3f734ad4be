"""The configuration as the rest of the house sees it: frozen values, complete. Nothing here reads a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from approvals.config.agent_section import MODEL_TIMEOUT
from approvals.rules.may_ask import Askable
from approvals.rules.rule import Approvers
from approvals.rules.schedule import Schedule
from approvals.rules.select_rule import Policy


@dataclass(frozen=True, slots=True)
class StdioServer:
    """An MCP server that the worker starts. `env`: the variables that it is given beside PATH and the like; `cwd`: None
    for the worker's own folder; `timeout`: of one call."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str | None = None
    timeout: timedelta = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class HttpServer:
    """An MCP server at an address. `headers`: each with the environment variable that holds its value."""

    name: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    timeout: timedelta = timedelta(seconds=60)


McpServer = StdioServer | HttpServer


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """One agent: `factory` is `module:function`; `model` is `provider:model` or `python:module:function`. `ungated`: it
    asks people by itself and carries no gate of ours. `interrupts`: by the `type` of what it asks, the value that each
    decision hands it, and the one for nobody's (`nobody_answered`); `unmapped` has that one for all other types.
    `model_timeout`: how long one call of the model may take. `channels` and `people`: where it may be asked, as ids,
    `#names` and `direct`, and by whom; None: everywhere, by every member. `input` and `output`:
    `module:function` too, or empty. `mcp`: the servers whose tools it has."""

    name: str
    factory: str
    model: str
    ungated: bool = False
    interrupts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unmapped: Mapping[str, Any] = field(default_factory=dict)
    model_timeout: timedelta = MODEL_TIMEOUT
    channels: tuple[str, ...] | None = None
    people: tuple[Approvers, ...] | None = None
    input: str = ""
    output: str = ""
    mcp: tuple[McpServer, ...] = ()

    @property
    def askable(self) -> Askable:
        """As people at a door see it."""
        return Askable(self.name, self.channels, self.people)


@dataclass(frozen=True, slots=True)
class PagerDuty:
    """A service of PagerDuty's; its integration key is in the environment variable `key_env`."""

    name: str
    key_env: str


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that takes pages, signed with the secret in the environment variable `secret_env`."""

    name: str
    url: str
    secret_env: str


Pager = PagerDuty | Webhook


@dataclass(frozen=True, slots=True)
class ReportConfig:
    """One scheduled report. `channel` is `#name` or an id; `quiet`: nothing is said where nothing happened."""

    name: str
    channel: str
    schedule: Schedule
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what is over is kept; None: for ever."""

    runs: timedelta | None = None
    audit: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """`agents` is a read-only mapping from name to agent, in the order of the file; it is never empty. `freezers`
    may use the emergency stop; `lookups` are the sets of approvers that a service knows."""

    agents: Mapping[str, AgentConfig]
    policy: Policy
    path: Path
    pagers: Mapping[str, Pager] = field(default_factory=dict)
    freezers: tuple[Approvers, ...] = ()
    lookups: tuple[Approvers, ...] = ()
    reports: tuple[ReportConfig, ...] = ()
    retention: Retention = Retention()

    @property
    def lookup_secrets(self) -> frozenset[str]:
        """The environment variables that whoever looks people up needs."""
        return frozenset(one.secret_env for one in self.lookups if one.secret_env)

    @property
    def mcp_servers(self) -> tuple[McpServer, ...]:
        """Those of all agents."""
        return tuple(server for agent in self.agents.values() for server in agent.mcp)

    @property
    def mcp_variables(self) -> frozenset[str]:
        """The environment variables that whoever reaches the MCP servers needs."""
        named = [
            one.env if isinstance(one, StdioServer) else [variable for _, variable in one.headers]
            for one in self.mcp_servers
        ]
        return frozenset(variable for names in named for variable in names)

    @property
    def pager_secrets(self) -> frozenset[str]:
        """The environment variables that whoever pages needs."""
        return frozenset(one.key_env if isinstance(one, PagerDuty) else one.secret_env for one in self.pagers.values())
