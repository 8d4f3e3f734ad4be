"""The processes of one deployment on one machine: started, watched, stopped. They are the real ones, started
as an operator starts them; nothing of them is imported."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from urllib.error import URLError

from demo.services.keeper import dies_with_parent

READY_SECONDS = 40.0
STOP_SECONDS = 20.0
# How a process of ours says that it cannot be started as it is set up, and with which exit code.
OURS, WRONG = "countersign: ", 2


class DidNotStart(RuntimeError):
    """A process ended or did not become ready. As text: what it said last."""


class WrongStart(DidNotStart):
    """A process refused to start: something outside must be put right first. As text: its own one line about it."""


@dataclass(slots=True)
class House:
    """`environ` is what every process gets; logs go to files in `folder`."""

    environ: Mapping[str, str]
    folder: Path
    port: int = 0
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def release(self) -> None:
        """Migrations and LangGraph's tables, as a deploy does it."""
        done = subprocess.run(
            [sys.executable, "-m", "ops.cli", "release"], env=dict(self.environ), capture_output=True, check=False
        )
        if done.returncode != 0:
            raise did_not_start("release", done.returncode, done.stderr.decode(errors="replace").strip())

    def start_bot(self) -> str:
        """Start the bot and wait until it is ready; its address for Slack's deliveries."""
        self.port = self.port or free_port()
        self.start("bot", ["-m", "bot"], PORT=str(self.port))
        self.wait("bot", lambda: answers(f"http://127.0.0.1:{self.port}/readyz"))
        return f"http://127.0.0.1:{self.port}/slack/events"

    def start_workers(self, count: int = 1) -> None:
        """Start the supervisor and wait until all its workers are ready."""
        before = self.log("workers").count("worker.ready")
        self.start("workers", ["-m", "workers", str(count)])
        self.wait("workers", lambda: self.log("workers").count("worker.ready") >= before + count)

    def start_clock(self) -> None:
        """Start the clock."""
        self.start("clock", ["-m", "workers.clock"])
        self.wait("clock", lambda: "clock.ready" in self.log("clock"))

    def start(self, name: str, argv: list[str], **environ: str) -> None:
        """Start one process of ours."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *argv],
                env={**self.environ, **environ},
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                process_group=0,
                preexec_fn=dies_with_parent(signal.SIGTERM),  # noqa: PLW1509 - started from the main thread
            )

    def wait(self, name: str, ready: Callable[[], bool]) -> None:
        """Until it is ready; DidNotStart if it ends first or takes too long."""
        deadline = time.monotonic() + READY_SECONDS
        while not ready():
            if self.processes[name].poll() is not None or time.monotonic() > deadline:
                raise did_not_start(name, self.processes[name].poll(), self.log(name)[-2000:])
            time.sleep(0.02)

    def ended(self) -> list[tuple[str, int]]:
        """The processes that are not running any more, though nobody stopped them, and their exit codes."""
        codes = {name: process.poll() for name, process in self.processes.items()}
        return [(name, code) for name, code in codes.items() if code is not None]

    def log(self, name: str) -> str:
        """What a process has said so far."""
        path = self.folder / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def stop(self, name: str) -> int | None:
        """Stop one process as an operator does; its exit code."""
        process = self.processes.pop(name, None)
        if process is None:
            return None
        process.terminate()
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            kill_group(process)
            return process.wait()

    def kill(self, name: str) -> None:
        """kill -9, with everything it had started."""
        process = self.processes.pop(name)
        for pid in [*children_of(process.pid), process.pid]:
            os.kill(pid, signal.SIGKILL)
        process.wait()

    def worker_pids(self) -> list[int]:
        """The worker processes under the supervisor."""
        return children_of(self.processes["workers"].pid)

    def __enter__(self) -> "House":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.processes):
            self.processes[name].terminate()
        for name in list(self.processes):
            self.stop(name)


def did_not_start(name: str, code: int | None, said: str) -> DidNotStart:
    """Why a process is not there, from its exit code (None while it runs) and what it said last."""
    own = [line.removeprefix(OURS) for line in said.splitlines() if line.startswith(OURS)]
    if code == WRONG and own:
        return WrongStart(own[-1])
    return DidNotStart(f"{name} did not become ready. It said last:\n{said}")


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """The process and its own group."""
    os.killpg(process.pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """Direct children of a process. From /proc where there is one: a bare Linux has no ps."""
    if sys.platform == "linux":
        stats = (read_stat(path) for path in Path("/proc").glob("[0-9]*/stat"))
        return [child for child, parent in filter(None, stats) if parent == pid]
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = (line.split() for line in listed.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]


def read_stat(path: Path) -> tuple[int, int] | None:
    """A process and its parent; None if it has ended meanwhile."""
    try:
        after_name = path.read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(path.parent.name), int(after_name[1])


def answers(url: str) -> bool:
    """Whether a GET says 200."""
    try:
        with urllib.request.urlopen(url, timeout=2) as response:  # noqa: S310 - our own address
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
