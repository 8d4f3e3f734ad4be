"""A wire that can be cut: TCP in front of Postgres, Redis or the stand-in Slack.

It refuses, cuts, delays, and does the nastiest of all: it forwards a request, waits for the answer, and drops the
answer, so that the thing was done and the caller saw an error.
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit

CHUNK = 65_536


@dataclass
class Trap:
    """Drops the answer to the first request that holds `pattern`, on a connection that sent `after` before."""

    pattern: bytes
    after: bytes
    sprung: threading.Event = field(default_factory=threading.Event)


@dataclass
class Wire:
    """One connection. `heard`: what the client sent, as far as a trap may ask for it; `doomed`: the trap whose
    answer is awaited."""

    client: socket.socket
    server: socket.socket
    heard: bytes = b""
    doomed: Trap | None = None
    mute: bool = False

    def cut(self) -> None:
        for end in (self.client, self.server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Proxy:
    """A context manager. `url` is the upstream's own with this wire's port in it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._upstream = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        where = parts.netloc.rpartition("@")
        self.url = urlunsplit(parts._replace(netloc=f"{where[0]}{where[1]}127.0.0.1:{self.port}"))
        self._lock = threading.Lock()
        self._wires: list[Wire] = []
        self._traps: list[Trap] = []
        self._refusing, self._delay = False, 0.0
        self.taken = 0

    def refuse(self) -> None:
        """Whoever comes now is turned away; who is there already stays."""
        self._refusing = True

    def accept(self) -> None:
        self._refusing = False

    def cut(self) -> None:
        """Every connection that there is ends, in the middle of whatever it is doing."""
        with self._lock:
            wires, self._wires = self._wires, []
        for wire in wires:
            wire.cut()

    def mute(self) -> None:
        """Every connection that there is stays open, and nothing gets through it any more."""
        with self._lock:
            for wire in self._wires:
                wire.mute = True

    def away(self) -> None:
        """As if the server had gone: nobody is connected, and nobody gets in."""
        self.refuse()
        self.cut()

    def delay(self, seconds: float) -> None:
        """Every answer comes that much later."""
        self._delay = seconds

    def drop_answer_to(self, pattern: bytes, after: bytes = b"") -> Trap:
        """The next request with `pattern` in it is forwarded and answered, and its connection is cut in place of
        the answer."""
        trap = Trap(pattern, after)
        with self._lock:
            self._traps.append(trap)
        return trap

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.taken += 1
            if self._refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(self._upstream, timeout=5)
            except OSError:
                client.close()
                continue
            self._join(client, server)

    def _join(self, client: socket.socket, server: socket.socket) -> None:
        wire = Wire(client, server)
        for end in (client, server):
            end.settimeout(None)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._wires.append(wire)
        self._pump(wire, client, server, self._ask)
        self._pump(wire, server, client, self._answer)

    def _pump(self, wire: Wire, source: socket.socket, sink: socket.socket, let: Callable[[Wire, bytes], bool]) -> None:
        def run() -> None:
            with suppress(OSError):
                while data := source.recv(CHUNK):
                    if wire.mute:
                        continue
                    if not let(wire, data):
                        break
                    sink.sendall(data)
            wire.cut()
            source.close()

        threading.Thread(target=run, daemon=True, name="wire").start()

    def _ask(self, wire: Wire, data: bytes) -> bool:
        with self._lock:
            if self._traps:
                wire.heard = (wire.heard + data)[-CHUNK:]
                wire.doomed = wire.doomed or next((t for t in self._traps if springs(t, wire, data)), None)
                if wire.doomed in self._traps:
                    self._traps.remove(wire.doomed)
        return True

    def _answer(self, wire: Wire, _: bytes) -> bool:
        if self._delay:
            time.sleep(self._delay)
        if wire.doomed:
            wire.doomed.sprung.set()
            return False
        return True

    def __enter__(self) -> "Proxy":
        threading.Thread(target=self._serve, daemon=True, name="proxy").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A thread that waits in accept() does not notice a close.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


def springs(trap: Trap, wire: Wire, data: bytes) -> bool:
    """Whether this piece of a request is the one. What came `after` may be in an earlier piece. Pure."""
    return trap.pattern in data and trap.after in wire.heard
