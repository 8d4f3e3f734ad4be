"""One connection with an MCP server: made, asked, closed. Lives on the event loop. Decides nothing; what was sent and
what was not it says by the kind of what it raises."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar

import anyio
from mcp import ClientSession, McpError
from mcp.shared.session import RequestResponder
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ClientRequest,
    ClientResult,
    PaginatedRequestParams,
    RequestParams,
    ServerNotification,
    ServerRequest,
    ToolListChangedNotification,
)
from pydantic import SecretStr, ValidationError, model_validator

from approvals.config.values import McpServer
from workers.mcp.answers import NoAnswer, NotSent
from workers.mcp.failures import CLOSED, causes, in_words, meaning_of, said
from workers.mcp.listed import Offered
from workers.mcp.size import cut
from workers.mcp.streams import CONNECT_SECONDS, session_with

T = TypeVar("T")
Heard = RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception

LIST_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
MOST_PAGES: Final = 100
KEY: Final = "countersign/idempotency-key"


class Taken(CallToolResult):
    """A result, as much of it as is taken: what is not is left out before any object is made of it."""

    @model_validator(mode="before")
    @classmethod
    def _cut(cls, result: Any) -> Any:
        return cut(result)


class Connection:
    """Made with `opened`. Two tasks must not open and close it: the protocol's streams belong to the one that keeps
    it, which ends when the connection does."""

    def __init__(
        self, server: McpServer, secrets: Mapping[str, SecretStr], changed: Callable[[], None], *, quiet: bool
    ) -> None:
        self._changed = changed
        self._closing, self._cut = asyncio.Event(), asyncio.Event()
        self._ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(server, secrets, quiet))
        # Looked at, so that asyncio does not complain of an error that nobody was waiting for.
        self._keeper.add_done_callback(lambda task: task.cancelled() or task.exception())
        self.in_flight, self._several = 0, False

    @classmethod
    async def opened(
        cls, server: McpServer, secrets: Mapping[str, SecretStr], changed: Callable[[], None], *, quiet: bool
    ) -> "Connection":
        """Raises NotSent. `changed` is called when the server says that its list of tools is another one."""
        connection = cls(server, secrets, changed, quiet=quiet)
        try:
            either: set[asyncio.Future[Any]] = {connection._ready, connection._keeper}
            await asyncio.wait(either, timeout=CONNECT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not connection._ready.done():
                connection._ready.cancel()
                connection._keeper.cancel()
                await connection.close()
        if connection._ready.cancelled():
            raise NotSent(connection._why() or f"it did not answer within {CONNECT_SECONDS:.0f}s")
        return connection

    @property
    def alive(self) -> bool:
        return not self._keeper.done() and not self._cut.is_set()

    async def close(self) -> None:
        """End it; a process that was started for it ends too, by force if need be."""
        self._closing.set()
        _, left = await asyncio.wait({self._keeper}, timeout=CLOSE_SECONDS)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=CLOSE_SECONDS)

    async def tools(self) -> list[Offered]:
        """All pages. Raises NotSent, NoAnswer or Answered."""
        return await self._ask(self._pages(), LIST_SECONDS)

    async def call(self, name: str, args: Mapping[str, Any], key: str | None, seconds: float) -> CallToolResult:
        """Not by the SDK's `call_tool`, which holds results to a schema of the server's, and fails after the effect.
        Raises NotSent, NoAnswer or Answered."""
        meta = RequestParams.Meta.model_validate({KEY: key}) if key else None
        request = CallToolRequest(params=CallToolRequestParams(name=name, arguments=dict(args), _meta=meta))
        return await self._ask(self._ready.result().send_request(ClientRequest(request), Taken), seconds)

    async def _pages(self) -> list[Offered]:
        found: list[Offered] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._ready.result().list_tools(params=PaginatedRequestParams(cursor=cursor))
            found += [Offered(tool.name, tool.description or "", tool.inputSchema) for tool in page.tools]
            cursor = page.nextCursor
            if not cursor:
                break
        return found

    async def _ask(self, asked: Coroutine[Any, Any, T], seconds: float) -> T:
        self.in_flight += 1
        self._several = self._several or self.in_flight > 1
        try:
            asking, cut = asyncio.ensure_future(asked), asyncio.ensure_future(self._cut.wait())
            # When a connection breaks, whoever waits on it is not always told.
            either: set[asyncio.Future[Any]] = {asking, cut, self._keeper}
            await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            cut.cancel()
            if asking.done():
                return self._answer(asking)
            asking.cancel()
            await asyncio.wait({asking, cut})
            if self._keeper.done():
                raise self._broken()
            raise NoAnswer(CLOSED if self._cut.is_set() else f"no answer within {seconds:.0f}s")
        finally:
            self.in_flight -= 1
            self._several = self._several and self.in_flight > 0

    def _answer(self, asking: "asyncio.Task[T]") -> T:
        try:
            return asking.result()
        except McpError as error:
            raise said(error) from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            # Raised where the request is handed to the connection, which was over already.
            raise NotSent("its connection was over") from error
        except (anyio.EndOfStream, ValidationError) as error:
            raise NoAnswer("it answered in a way that is not MCP") from error
        except Exception as error:
            raise NoAnswer(in_words(error)) from error

    def _broken(self) -> NotSent | NoAnswer:
        """What the end of the connection means for the request that was being asked."""
        error = None if self._keeper.cancelled() else self._keeper.exception()
        # With several at once nobody can say whose sending it was that failed.
        meant = NoAnswer if self._several else meaning_of(error)
        return meant(self._why() or CLOSED)

    def _why(self) -> str | None:
        if not self._keeper.done() or self._keeper.cancelled():
            return None
        error = self._keeper.exception()
        return "; ".join(dict.fromkeys(map(in_words, causes(error)))) if error is not None else None

    async def _keep(self, server: McpServer, secrets: Mapping[str, SecretStr], quiet: bool) -> None:
        async with session_with(server, secrets, self._hear, self._cut.set, quiet) as session:
            if not self._ready.done():
                self._ready.set_result(session)
            await self._closing.wait()

    async def _hear(self, message: Heard) -> None:
        """Whatever the server says by itself."""
        if isinstance(message, ServerNotification) and isinstance(message.root, ToolListChangedNotification):
            self._changed()
