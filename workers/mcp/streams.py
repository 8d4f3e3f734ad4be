"""What the protocol is spoken over: a process that is started on a leash, or an address. Lives on the event loop."""

import codecs
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
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
from workers.mcp.watched import LINES, Door, Marked, lines

CONNECT_SECONDS: Final = 20.0
LEASH: Final = str(Path(__file__).with_name("leash.py"))
WE_ARE: Final = Implementation(name="countersign", version="0.1.0")


@asynccontextmanager
async def session_with(
    server: McpServer, secrets: Mapping[str, SecretStr], hear: MessageHandlerFnT, cut: Callable[[], None], quiet: bool
) -> AsyncIterator[ClientSession]:
    """`cut` is called when the answer to a request has ended before it was one. `quiet`: nobody reads what a process
    writes to its standard error."""
    async with (
        streams_of(server, secrets, cut, quiet) as (read, write),
        ClientSession(read, write, message_handler=hear, client_info=WE_ARE) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def streams_of(
    server: McpServer, secrets: Mapping[str, SecretStr], cut: Callable[[], None], quiet: bool
) -> AsyncIterator[tuple[Any, Any]]:
    """What the protocol is spoken over."""
    if isinstance(server, StdioServer):
        if "/" not in server.command and shutil.which(server.command) is None:
            raise NotSent(f"there is no program {server.command} on the PATH")
        given = {name: secrets[name].get_secret_value() for name in server.env}
        # On a leash: it ends with this process, however that ends.
        leashed = ["-I", "-S", LEASH, str(os.getpid()), server.command, *server.args]
        codecs.register(lines)
        parameters = StdioServerParameters(
            command=sys.executable, args=leashed, env=given, cwd=server.cwd, encoding=LINES
        )
        with Path(os.devnull).open("w", encoding="utf-8") if quiet else nullcontext(sys.stderr) as errors:
            async with stdio_client(parameters, errors) as streams:
                yield streams
        return
    door = Door(cut)
    async with (
        http_client(server, secrets, door) as client,
        streamable_http_client(server.url, http_client=client) as (read, write, _),
    ):
        yield Marked(read, door), write


def http_client(server: HttpServer, secrets: Mapping[str, SecretStr], door: Door) -> httpx.AsyncClient:
    """A call's own limit is ours: the client must be the more patient one."""
    headers = {header: secrets[variable].get_secret_value() for header, variable in server.headers}
    reading = server.timeout.total_seconds() + CONNECT_SECONDS
    timeout = httpx.Timeout(CONNECT_SECONDS / 2, read=reading)
    client = httpx.AsyncClient(headers=headers, timeout=timeout, event_hooks={"response": [door.watch]})
    client.headers["accept-encoding"] = "identity"
    return client
