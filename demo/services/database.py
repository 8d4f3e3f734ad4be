"""A PostgreSQL server of our own. Knows nothing of what is stored in it."""

import os
import secrets
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import psycopg

from demo.services.binaries import (
    Account,
    EmbeddedUnavailable,
    can_reach,
    postgres_programs,
    reachable_programs,
    unprivileged_account,
)
from demo.services.child import Child, kept_child, start_again, start_at_free_port

READY_SECONDS = 30.0
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT, "kill": signal.SIGKILL}
INITDB = [
    "--username=postgres",
    "--auth=scram-sha-256",
    # Iterations slow down guessing; the password is 128 random bits, and connecting should be quick.
    "--set=scram_iterations=1",
    "--encoding=UTF8",
    # The same order and case rules on every machine, whatever locales it has.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
]
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    # In the data folder, not in /dev/shm: nothing of a server that was killed stays there.
    "dynamic_shared_memory_type": "mmap",
}
# Safe against a crash of the server, which tests do provoke, though not against one of the machine.
FORGETFUL = {"fsync": "off", "full_page_writes": "off"}


class PostgresServer:
    """A PostgreSQL server on 127.0.0.1. Its port stays the same from the first start on."""

    def __init__(self, child: Child, programs: Path, data: Path, password: str, *, durable: bool) -> None:
        self.port = 0
        self.pid = 0
        self._child = child
        self._programs = programs
        self._data = data
        self._password = password
        self._settings = SETTINGS if durable else SETTINGS | FORGETFUL

    @property
    def url(self) -> str:
        return f"postgresql://postgres:{self._password}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start, and wait until it answers."""
        if self.port:
            return start_again(self._start_at, self.port)
        return start_at_free_port(self._start_at)

    def stop(self, mode: Literal["fast", "immediate", "kill"] = "fast") -> None:
        """Fast ends all connections first; immediate and kill are crashes, kill without a last word."""
        self._child.stop(SIGNALS[mode])

    def _start_at(self, port: int) -> None:
        self.port = port
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-p", str(port), *settings]
        self.pid = self._child.start(command, self._connect, READY_SECONDS)

    def _connect(self) -> None:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError as error:
            raise ConnectionError(str(error).strip()) from error


@contextmanager
def postgres(directory: Path | None = None, *, durable: bool = True) -> Iterator[str]:
    """A running server's DATABASE_URL. With a directory, what is stored stays there for the next time."""
    with postgres_server(directory, durable=durable) as server:
        yield server.url


@contextmanager
def postgres_server(directory: Path | None = None, *, durable: bool = True) -> Iterator[PostgresServer]:
    """A running server. Not durable: quicker, in memory where there is room, and a crash of the machine may lose
    everything."""
    programs, account = postgres_programs(), unprivileged_account()
    with kept_child(signal.SIGINT, account, in_memory=not durable) as child:
        programs = reachable_programs(programs, account, child.folder)
        home = data_home(directory, account) if directory else child.folder
        password = create_cluster(child, programs, home, account)
        server = PostgresServer(child, programs, home / "data", password, durable=durable)
        server.start()
        yield server


def data_home(directory: Path, account: Account | None) -> Path:
    """The given folder, made if need be, refused if Postgres could not reach it."""
    home = directory.resolve()
    home.mkdir(parents=True, exist_ok=True)
    if account and not can_reach(account, home):
        raise EmbeddedUnavailable(f"PostgreSQL runs as nobody and cannot reach {home}: choose another")
    return home


def create_cluster(child: Child, programs: Path, home: Path, account: Account | None) -> str:
    """Make the data folder unless it is there; the superuser's password either way."""
    data, unfinished, note = home / "data", home / "data.unfinished", home / "password"
    if data.exists():
        return note.read_text()
    password = secrets.token_hex(16)
    note.touch(mode=0o600)
    note.write_text(password)
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    if account:
        for path in (unfinished, note):
            os.chown(path, account.uid, account.gid)
    child.run([str(programs / "initdb"), "-D", str(unfinished), f"--pwfile={note}", *INITDB])
    unfinished.rename(data)
    return password
