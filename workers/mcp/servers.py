"""The MCP servers of this process, and the tools that an agent has from them. Begun when the process is; closed before
it ends, so that no process of a server outlives it."""

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import SecretStr

from approvals.config.values import AgentConfig, McpServer
from workers.mcp.listed import Listing
from workers.mcp.loop import Loop
from workers.mcp.needs import require_package
from workers.mcp.server import Opens, Server
from workers.mcp.tool import tool_of


class Servers:
    """One connection per server, also where several agents name it alike. Without any server nothing is begun, and the
    package is not needed. `quiet`: what started processes write to their standard error goes nowhere. Raises
    McpUnusable."""

    def __init__(
        self,
        agents: Iterable[AgentConfig],
        secrets: Mapping[str, SecretStr],
        clock: Callable[[], float] = time.monotonic,
        *,
        quiet: bool = False,
    ) -> None:
        named = dict.fromkeys(server for agent in agents for server in agent.mcp)
        self._loop = Loop()
        self._servers: dict[McpServer, Server] = {}
        if not named:
            return
        require_package()
        # By name: they import a package that not everybody has.
        opens: Opens = partial(import_module("workers.mcp.connection").Connection.opened, quiet=quiet)
        self._reads: Callable[[Any], Any] = import_module("workers.mcp.results").content_of
        self._servers = {config: Server(config, opens, self._loop, secrets, clock) for config in named}

    def __enter__(self) -> "Servers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def listings(self, agent: AgentConfig) -> tuple[Listing, ...]:
        """What each of the agent's servers has now, in their order; all are looked at together."""
        found = [self._servers[config] for config in agent.mcp]
        if len(found) < 2:
            return tuple(server.latest() for server in found)
        with ThreadPoolExecutor(len(found)) as pool:
            return tuple(pool.map(Server.latest, found))

    def tools_of(self, agent: AgentConfig, listings: Iterable[Listing]) -> list[BaseTool]:
        """The tools of these listings, as the agent has them."""
        return [
            tool_of(self._servers[config], listed, self._reads)
            for config, listing in zip(agent.mcp, listings, strict=True)
            for listed in listing.tools
        ]

    def of(self, config: McpServer) -> Server:
        """One of them."""
        return self._servers[config]

    def close(self) -> None:
        """End all connections, and then the loop."""
        for server in self._servers.values():
            server.close()
        self._loop.close()
