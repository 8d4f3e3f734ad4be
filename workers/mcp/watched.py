"""What comes from an MCP server, watched on its way: how much it is, whether it ends before it should, and which
requests were turned away at the door. Decides nothing about calls."""

import codecs
import json
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Final

import httpx
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError

from workers.mcp.failures import TURNED_AWAY
from workers.mcp.size import EVENT_ENDS, LINE_ENDS, Counted, TooLarge

EVENTS: Final = "text/event-stream"
NOT_FOUND: Final = 404
# Names end up in lower case and with underscores.
LINES: Final = "countersign_lines"


class Lines(codecs.IncrementalDecoder):
    """UTF-8 with a largest line: the SDK's reader of a process keeps as much as it is sent."""

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._inner = codecs.getincrementaldecoder("utf-8")(errors)
        self._counted = Counted(LINE_ENDS)

    def decode(self, chunk: Any, final: bool = False) -> str:
        """Raises TooLarge."""
        self._counted.add(bytes(chunk))
        return self._inner.decode(chunk, final)


def lines(name: str) -> codecs.CodecInfo | None:
    """For `codecs.register`: an encoding is the one thing of the SDK's reader that can be chosen."""
    utf8 = codecs.lookup("utf-8")
    return codecs.CodecInfo(utf8.encode, utf8.decode, incrementaldecoder=Lines, name=LINES) if name == LINES else None


class Door:
    """The numbers of the requests that HTTP answered with 404: seen on our side, so that no server can only say so."""

    def __init__(self, cut: Callable[[], None]) -> None:
        self._cut = cut
        self.turned_away: set[str | int] = set()

    async def watch(self, response: httpx.Response) -> None:
        """For httpx, before anybody reads it."""
        posted = response.request.method == "POST"
        if posted and response.status_code == NOT_FOUND:
            self.turned_away.add(json.loads(response.request.content).get("id"))
        if response.headers.get("content-encoding", "identity") != "identity":
            # Unpacked it may be of any size, and nobody asked for it.
            raise RuntimeError("it packs its answers")
        events = response.headers.get("content-type", "").startswith(EVENTS)
        if isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = Watched(response.stream, self._cut, posted=posted, events=events)


class Watched(httpx.AsyncByteStream):
    """One answer. Of events that answer a request the SDK says nothing when they end before the answer, and whoever
    waits would wait for as long as the call may take. Where events are numbered it asks for the rest by itself."""

    def __init__(self, stream: httpx.AsyncByteStream, cut: Callable[[], None], *, posted: bool, events: bool) -> None:
        self._stream, self._cut, self._waited_for = stream, cut, posted and events
        self._counted = Counted(EVENT_ENDS if events else ())

    async def __aiter__(self) -> AsyncIterator[bytes]:
        numbered = False
        try:
            async for chunk in self._stream:
                numbered = numbered or b"id:" in chunk
                self._counted.add(chunk)
                yield chunk
        except TooLarge:
            self._cut()
            raise
        except httpx.HTTPError:
            self._ended(numbered)
            raise
        self._ended(numbered)

    def _ended(self, numbered: bool) -> None:
        if self._waited_for and not numbered:
            self._cut()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Marked:
    """The messages of a server as the session reads them. The SDK makes an error message of a 404, such as a server can
    send as well: on those that it made stands a mark that is an object of this process."""

    def __init__(self, messages: Any, door: Door) -> None:
        self._messages, self._door = messages, door

    async def __aenter__(self) -> "Marked":
        await self._messages.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._messages.__aexit__(kind, error, trace)

    async def __aiter__(self) -> AsyncIterator[SessionMessage | Exception]:
        async for message in self._messages:
            said = message.message.root if isinstance(message, SessionMessage) else None
            if isinstance(said, JSONRPCError) and said.id in self._door.turned_away:
                said.error.data = TURNED_AWAY
            yield message
