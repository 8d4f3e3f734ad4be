"""The agents of a process, each as of now: one with MCP servers is built anew when these have other tools."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import structlog
from langchain_core.tools import BaseTool

from approvals.config.values import AgentConfig
from workers.agents.named import AgentUnusable
from workers.mcp.listed import Listing
from workers.mcp.servers import Servers
from workers.thread import Agent

Builds = Callable[[AgentConfig, Sequence[BaseTool]], Agent]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Built:
    """A graph, and what its servers listed when it was built."""

    graph: Agent
    listings: tuple[Listing, ...]


class LiveAgents(Mapping[str, Agent]):
    """To look one up is to look at its servers, so it is done once, where a tenure begins: its graph stays what it is
    until the tenure ends. The constructor raises what `builds` raises."""

    def __init__(self, configs: Mapping[str, AgentConfig], servers: Servers, builds: Builds) -> None:
        self._configs, self._servers, self._builds = configs, servers, builds
        self._built = {name: self._build(config, servers.listings(config)) for name, config in configs.items()}

    def __getitem__(self, name: str) -> Agent:
        built, config = self._built[name], self._configs[name]
        if config.mcp and (listings := self._servers.listings(config)) != built.listings:
            self._built[name] = self._anew(config, built, listings)
        return self._built[name].graph

    def __contains__(self, name: object) -> bool:
        return name in self._built

    def __iter__(self) -> Iterator[str]:
        return iter(self._built)

    def __len__(self) -> int:
        return len(self._built)

    def _anew(self, config: AgentConfig, built: Built, listings: tuple[Listing, ...]) -> Built:
        try:
            anew = self._build(config, listings)
        except AgentUnusable as error:
            # What worked goes on working; a server must not take an agent down.
            log.error("agent.not_rebuilt", agent=config.name, why=str(error))
            return Built(built.graph, listings)
        log.info("agent.rebuilt", agent=config.name, mcp_tools=sum(len(one.tools) for one in listings))
        return anew

    def _build(self, config: AgentConfig, listings: tuple[Listing, ...]) -> Built:
        return Built(self._builds(config, self._servers.tools_of(config, listings)), listings)
