"""One MCP server as this process keeps it: its connection, what it lists, and when it is tried again. Asked from any
thread; everything it knows is changed on the event loop only."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import structlog
from pydantic import SecretStr

from approvals.config.values import McpServer, StdioServer
from approvals.rules.digest import canonical
from workers.mcp.answers import Answered, Changed, NoAnswer, NotReached, NotSent, Refused
from workers.mcp.listed import Listed, Listing, Offered, listing
from workers.mcp.loop import HeldUp, Loop

# Until a server that is not there is tried again: doubled each time.
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
# A server that says nothing of changes is looked at this often.
LOOK_AGAIN_SECONDS: Final = 10.0
# Of all that making a connection and listing may take, once more included.
REACHING_SECONDS: Final = 75.0

log = structlog.get_logger()


class Connection(Protocol):
    """What is needed of workers/mcp/connection.py, which needs a package that not everybody has."""

    in_flight: int

    @property
    def alive(self) -> bool:
        """Whether it still stands."""

    async def close(self) -> None:
        """End it."""

    async def tools(self) -> list[Offered]:
        """What the server lists now."""

    async def call(self, name: str, args: Mapping[str, Any], key: str | None, seconds: float) -> Any:
        """The answer to one call."""


class Opens(Protocol):
    """How a connection is made."""

    async def __call__(
        self, server: McpServer, secrets: Mapping[str, SecretStr], changed: Callable[[], None], /
    ) -> Connection:
        """Raises NotSent."""


@dataclass(slots=True)
class Server:
    """`clock` counts seconds."""

    config: McpServer
    opens: Opens
    loop: Loop
    secrets: Mapping[str, SecretStr] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    _connection: Connection | None = None
    # From which connection, and when, the listing is; None: it is out of date.
    _listed_by: Connection | None = None
    _listed_at: float = 0.0
    _listing: Listing | None = None
    _failures: int = 0
    _not_before: float = 0.0
    _down: str | None = None
    _trying: bool = False
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def latest(self) -> Listing:
        """The tools that are known, after a look where it is time for one. Nobody waits for a server that failed to
        answer: it is tried again beside the work, and what it listed before is still what it has."""
        due = self.clock() >= self._not_before
        if due and (self._is_stale() or self.clock() - self._listed_at >= LOOK_AGAIN_SECONDS):
            if self._failures and not self._trying:
                self._trying = True
                self.loop.begin(self._try)
            elif not self._failures:
                with suppress(NotReached):
                    return self.today()
        return self._listing or Listing()

    def why_down(self) -> str | None:
        """Why it did not answer when it was last asked; None if it did."""
        return self._down

    def today(self) -> Listing:
        """What it lists now. Raises NotReached."""
        try:
            return self.loop.run(self._list, REACHING_SECONDS)
        except HeldUp as error:
            raise NotReached("this worker is held up") from error

    def call(self, tool: Listed, args: Mapping[str, Any], key: str | None = None) -> Any:
        """Have the tool run, if the server still has the one that was listed: CallToolResult. `key` is the same for
        every attempt of one call, and goes with it. Raises NotReached, Changed and NotSent (then it did not run),
        NoAnswer (then it may have) and Answered."""
        limit = self.config.timeout.total_seconds()
        try:
            return self.loop.run(lambda: self._call(tool, args, key), REACHING_SECONDS + limit)
        except HeldUp as error:
            raise NoAnswer("this worker was held up before an answer came") from error

    def close(self) -> None:
        """End the connection, and the process that was started for it."""
        self.loop.run(self._drop, 2 * LONGEST_PAUSE_SECONDS)

    async def _try(self) -> None:
        try:
            with suppress(NotReached):
                await self._list()
        finally:
            self._trying = False

    async def _call(self, tool: Listed, args: Mapping[str, Any], key: str | None) -> Any:
        try:
            return await self._call_once(tool, args, key)
        except Refused:
            raise
        except NotSent:
            # Nothing happened: a server that was restarted since the last look is called on a new connection.
            self._changed()
            return await self._call_once(tool, args, key)

    async def _call_once(self, tool: Listed, args: Mapping[str, Any], key: str | None) -> Any:
        found = await self._list() if self._is_stale() else self._listing
        # The one that said so, which may be over or out of date by now.
        connection = self._listed_by
        if found is None or found.identity_of(tool.name) != tool.identity:
            raise Changed
        if connection is None:
            raise NotSent("its connection was over")
        return await connection.call(tool.name, args, key, self.config.timeout.total_seconds())

    def _is_stale(self) -> bool:
        connection = self._connection
        return connection is None or not connection.alive or self._listed_by is not connection

    async def _list(self) -> Listing:
        async with self._lock:
            try:
                offered = await self._ask_for_list()
            except NotSent as error:
                raise self._failed(str(error)) from error
            found = listing(self.config.name, place_of(self.config), offered)
            self._say(found)
            self._listing, self._listed_by, self._listed_at = found, self._connection, self.clock()
            self._failures, self._not_before, self._down = 0, 0.0, None
            return found

    async def _ask_for_list(self) -> list[Offered]:
        """Once more on a new connection, if it was the old one that was at fault. Raises NotSent."""
        was_there = self._connection
        try:
            return await (await self._connected()).tools()
        except (NotSent, NoAnswer, Answered) as error:
            if self._connection is not None and self._connection.in_flight:
                # It is busy with a call, which ending the connection would cut off.
                raise NotSent(str(error)) from error
            again = was_there is not None and self._connection is was_there
            await self._drop()
            if not again:
                raise NotSent(str(error)) from error
        try:
            return await (await self._connected()).tools()
        except (NoAnswer, Answered) as error:
            await self._drop()
            raise NotSent(str(error)) from error

    async def _connected(self) -> Connection:
        if self._connection is not None and not self._connection.alive:
            await self._drop()
        if self._connection is None:
            self._connection = await self.opens(self.config, self.secrets, self._changed)
        return self._connection

    def _changed(self) -> None:
        self._listed_by = None

    async def _drop(self) -> None:
        connection, self._connection, self._listed_by = self._connection, None, None
        if connection is not None:
            await connection.close()

    def _failed(self, why: str) -> NotReached:
        pause = min(FIRST_PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS)
        self._failures, self._not_before = min(self._failures + 1, 10), self.clock() + pause
        if self._down != why:
            has = "its tools cannot be called" if self._listing else "its tools are missing"
            log.warning(
                "mcp.server_down", server=self.config.name, why=why, means=f"until it answers {has}; it is tried again"
            )
        self._down = why
        return NotReached(why)

    def _say(self, found: Listing) -> None:
        if self._down is not None:
            log.info("mcp.server_up", server=self.config.name, tools=len(found.tools))
        if self._listing is None or self._listing.left_out != found.left_out:
            for why in found.left_out:
                log.warning("mcp.tool_left_out", server=self.config.name, why=why)


def place_of(server: McpServer) -> str:
    """Where it is: two places are two servers, whatever they are called. Of what is secret only the names count, so
    that a token may be changed while calls wait."""
    if not isinstance(server, StdioServer):
        return canonical([server.url, {"headers": sorted(server.headers)}])
    # A relative command or argument is another file in another folder.
    return canonical([server.command, *server.args, {"cwd": server.cwd, "env": sorted(server.env)}])
