"""A real MCP server, in a process of its own. What it offers and how it answers stands in a file that a test writes;
what it did goes into another one. Imports nothing of ours: it is somebody else's program.

Run as `mcp_server.py CONTROL EFFECTS [PORT_FILE]`: over stdio, or, with a file for its port, over streamable HTTP."""

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp import types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

CONTROL, EFFECTS = Path(sys.argv[1]), Path(sys.argv[2])
PORT_FILE = Path(sys.argv[3]) if len(sys.argv) > 3 else None
server: Server[Any, Any] = Server("test")


def control() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CONTROL.read_text(encoding="utf-8"))
    return found


def note(action: str, **details: object) -> None:
    with EFFECTS.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps({"action": action, **details}) + "\n")


@server.list_tools()
async def listed() -> list[types.Tool]:
    if control().get("listing") == "hang":
        await anyio.sleep_forever()
    return [
        types.Tool(name=one["name"], description=one.get("description"), inputSchema=one["schema"])
        for one in control()["tools"]
    ]


@server.call_tool(validate_input=False)
async def call(name: str, arguments: dict[str, Any]) -> Any:
    session, how = server.request_context.session, control()
    if name == "announce":
        await session.send_tool_list_changed()
        return [text("announced")]
    if name not in [one["name"] for one in how["tools"]]:
        raise ValueError(f"no such tool: {name}")
    if how.get("tell_key"):
        note("key", key=(server.request_context.meta.model_dump() if server.request_context.meta else {}))
    note(name, **arguments)
    if how.get("on_call") in ENDS:
        await end_as_told(how)
    return ANSWERS.get(how.get("on_call", "")) or [text(f"{how['called']} did {name}")]


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


async def end_as_told(how: dict[str, Any]) -> None:
    if how["on_call"] == "die":
        os._exit(1)
    if how["on_call"] == "error":
        raise ValueError("no such deployment: web")
    if how.get("deaf"):
        # Neither the end of its input nor a request to end is heard.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    await anyio.sleep_forever()


ENDS = ("die", "error", "hang")
ANSWERS: dict[str, Any] = {
    "image": [text("A picture:"), types.ImageContent(type="image", data="aGk=", mimeType="image/png")],
    "sound": [types.AudioContent(type="audio", data="aGk=", mimeType="audio/wav")],
    "structured": ([], {"replicas": 5}),
}


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, options())


def options() -> Any:
    return server.create_initialization_options(NotificationOptions(tools_changed=True))


async def over_http(port_file: Path) -> None:
    manager = StreamableHTTPSessionManager(app=server)

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        wanted = control().get("token")
        if wanted and Request(scope).headers.get("authorization") != wanted:
            await PlainTextResponse("who are you?", 401)(scope, receive, send)
            return
        await manager.handle_request(scope, receive, send)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(routes=[Mount("/mcp", app=handle)], lifespan=lifespan)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Once it is known, the port stays the same for whoever is started next.
    listening.bind(("127.0.0.1", int(port_file.read_text()) if port_file.exists() else 0))
    listening.listen()
    unfinished = port_file.with_suffix(".new")
    unfinished.write_text(str(listening.getsockname()[1]))
    unfinished.rename(port_file)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
    await uvicorn.Server(config).serve(sockets=[listening])


# One that is not set up ends here.
if control().get("tell_environment"):
    note("environment", names=dict(os.environ))
sys.stderr.write(control().get("chatter", ""))
note("began", pid=os.getpid())
anyio.run(over_http, PORT_FILE) if PORT_FILE else anyio.run(over_stdio)
