"""One server as a child process: start, stop, its port, its last words. Knows no Postgres and no Redis."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

from demo.services.binaries import Account, new_folder

LAST_LINES = 8
RETRY_SECONDS = 0.01
PORT_TRIES = 10
AGAIN_SECONDS = 3.0
IN_USE = ("ddress already in use", "pre-existing shared memory block")
# Below the ports that the system hands to outgoing connections: a client that keeps dialling a stopped server
# could otherwise be given the very port it dials, and be connected to itself.
PORTS = range(20_000, 32_000)


class ServerFailed(RuntimeError):
    """The server did not start. The message ends with the last lines of its own log."""


class StillInUse(ServerFailed):
    """Somebody else has the port, or the last of a killed server's processes is still on its way out."""


class Child:
    """A server in the care of a keeper process, and the folder both live in."""

    def __init__(self, folder: Path, stop_signal: signal.Signals, account: Account | None) -> None:
        self.folder = folder
        self._stop_signal = stop_signal
        self._log = folder / "server.log"
        self._log_start = 0
        self._owner = os.getpid()
        self._keeper = subprocess.Popen(
            keeper_command(folder, stop_signal, account),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd="/",
            text=True,
            start_new_session=True,  # Ctrl-C is for us; the server must outlive it until we have closed.
        )

    def run(self, argv: list[str]) -> None:
        """Run a program that ends by itself."""
        self._mark_log()
        if code := self._ask("run", argv):
            raise self.failure(f"{Path(argv[0]).name} ended with exit code {code}")

    def start(self, argv: list[str], probe: Callable[[], object], seconds: float) -> int:
        """Start the server, wait until `probe` no longer raises OSError, and return its process id."""
        self._mark_log()
        pid = cast(int, self._ask("start", argv))
        deadline = time.monotonic() + seconds
        while True:
            try:
                probe()
            except OSError as error:
                self._give_up_if_hopeless(argv, error, deadline)
                time.sleep(RETRY_SECONDS)
            else:
                return pid

    def stop(self, stop_signal: signal.Signals | None = None) -> None:
        """Stop the server and wait until it has gone. Stopping a stopped one is fine."""
        self._ask("stop", stop_signal or self._stop_signal)

    def close(self) -> None:
        """Stop the server and delete the folder. A forked copy of this object leaves both alone."""
        if os.getpid() == self._owner:
            self._keeper.communicate()
            # The keeper did so already, unless somebody killed it.
            shutil.rmtree(self.folder, ignore_errors=True)

    def failure(self, what: str) -> ServerFailed:
        lines = self._log.read_bytes()[self._log_start :].decode(errors="replace").splitlines()
        in_use = any(words in line for line in lines for words in IN_USE)
        kind = StillInUse if in_use else ServerFailed
        return kind("\n".join([f"{what}. Its last words:", *lines[-LAST_LINES:]]))

    def _give_up_if_hopeless(self, argv: list[str], error: OSError, deadline: float) -> None:
        name = Path(argv[0]).name
        if (code := self._ask("exit_code", None)) is not None:
            raise self.failure(f"{name} ended with exit code {code}") from error
        if time.monotonic() > deadline:
            self.stop()
            raise self.failure(f"{name} was not ready in time ({error})") from error

    def _mark_log(self) -> None:
        self._log_start = self._log.stat().st_size if self._log.exists() else 0

    def _ask(self, name: str, argument: object) -> int | None:
        commands, answers = cast(TextIO, self._keeper.stdin), cast(TextIO, self._keeper.stdout)
        try:
            commands.write(json.dumps([name, argument]) + "\n")
            commands.flush()
            answer: int | None = json.loads(answers.readline())
        except (OSError, ValueError) as error:
            raise ServerFailed("the process that keeps the server has gone") from error
        return answer


def keeper_command(folder: Path, stop_signal: signal.Signals, account: Account | None) -> list[str]:
    script = Path(__file__).with_name("keeper.py")
    uid, gid = (account.uid, account.gid) if account else (-1, -1)
    # Isolated and without site-packages: starts in a few milliseconds, and no setting of ours can disturb it.
    words = [sys.executable, "-I", "-S", script, os.getpid(), folder, stop_signal.value, uid, gid]
    return [str(word) for word in words]


@contextmanager
def kept_child(stop_signal: signal.Signals, account: Account | None, *, in_memory: bool = False) -> Iterator[Child]:
    """A child in a new folder; both are gone afterwards."""
    child = Child(new_folder(account, in_memory=in_memory), stop_signal, account)
    try:
        yield child
    finally:
        child.close()


def start_at_free_port(start: Callable[[int], None]) -> None:
    """Call `start` with a free port, with another one should somebody be quicker."""
    for _ in range(PORT_TRIES - 1):
        try:
            return start(free_port())
        except StillInUse:
            continue
    return start(free_port())


def start_again(start: Callable[[int], None], port: int) -> None:
    """Call `start` with this very port, repeatedly while it may only be a matter of a moment."""
    deadline = time.monotonic() + AGAIN_SECONDS
    while True:
        try:
            return start(port)
        except StillInUse:
            if time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)


def free_port() -> int:
    """A port on 127.0.0.1 on which nobody listens at this moment."""
    for port in random.sample(PORTS, k=100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise ServerFailed(f"no free port among 100 tried between {PORTS.start} and {PORTS.stop}")
