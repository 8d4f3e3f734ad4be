"""What the protocol is spoken over: a process that is started on a leash, or an address. Lives on the event loop."""

import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from mcp import ClientSession, StdioServerParameters
from mcp.client.session import MessageHandlerFnT
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation
from pydantic import SecretStr

from approvals.config.values import HttpServer, McpServer, StdioServer
from workers.mcp.answers import NotSent

CONNECT_SECONDS: Final = 20.0
LEASH: Final = str(Path(__file__).with_name("leash.py"))
WE_ARE: Final = Implementation(name="countersign", version="0.1.0")


@asynccontextmanager
async def session_with(
    server: McpServer, secrets: Mapping[str, SecretStr], hear: MessageHandlerFnT, cut: Callable[[], None]
) -> AsyncIterator[ClientSession]:
    """`cut` is called when the answer to a request has ended before it was one."""
    async with (
        streams_of(server, secrets, cut) as (read, write),
        ClientSession(read, write, message_handler=hear, client_info=WE_ARE) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def streams_of(
    server: McpServer, secrets: Mapping[str, SecretStr], cut: Callable[[], None]
) -> AsyncIterator[tuple[Any, Any]]:
    """What the protocol is spoken over."""
    if isinstance(server, StdioServer):
        if "/" not in server.command and shutil.which(server.command) is None:
            raise NotSent(f"there is no program {server.command} on the PATH")
        given = {name: secrets[name].get_secret_value() for name in server.env}
        # On a leash: it ends with this process, however that ends.
        leashed = ["-I", "-S", LEASH, str(os.getpid()), server.command, *server.args]
        parameters = StdioServerParameters(command=sys.executable, args=leashed, env=given, cwd=server.cwd)
        async with stdio_client(parameters) as streams:
            yield streams
        return
    async with (
        http_client(server, secrets, cut) as client,
        streamable_http_client(server.url, http_client=client) as (read, write, _),
    ):
        yield read, write


def http_client(server: HttpServer, secrets: Mapping[str, SecretStr], cut: Callable[[], None]) -> httpx.AsyncClient:
    """A call's own limit is ours: the client must be the more patient one."""

    async def watch(response: httpx.Response) -> None:
        events = response.headers.get("content-type", "").startswith("text/event-stream")
        if response.request.method == "POST" and events and isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = Watched(response.stream, cut)

    headers = {header: secrets[variable].get_secret_value() for header, variable in server.headers}
    reading = server.timeout.total_seconds() + CONNECT_SECONDS
    timeout = httpx.Timeout(CONNECT_SECONDS / 2, read=reading)
    return httpx.AsyncClient(headers=headers, timeout=timeout, event_hooks={"response": [watch]})


class Watched(httpx.AsyncByteStream):
    """The events that answer one request. The SDK says nothing when they end before the answer, and whoever waits would
    wait for as long as the call may take. Where events are numbered it asks for the rest by itself."""

    def __init__(self, stream: httpx.AsyncByteStream, cut: Callable[[], None]) -> None:
        self._stream, self._cut = stream, cut

    async def __aiter__(self) -> AsyncIterator[bytes]:
        numbered = False
        try:
            async for chunk in self._stream:
                numbered = numbered or b"id:" in chunk
                yield chunk
        except httpx.HTTPError:
            if not numbered:
                self._cut()
            raise
        if not numbered:
            self._cut()

    async def aclose(self) -> None:
        await self._stream.aclose()
