"""`countersign demo` as a process: one address that answers, and nothing left of it, however it ends."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from demo.house import children_of
from demo.services.binaries import new_folder, unprivileged_account

ROOT = Path(__file__).parents[2]
GONE_SECONDS = 20.0
ADDRESS = re.compile(r"http://\S+")
USABLE, STOPPING = "Ctrl-C stops everything", "Stopping"
TCP = ("/proc/net/tcp", "/proc/net/tcp6")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.timeout(240),
]


@dataclass(frozen=True, slots=True)
class Demo:
    """A running one. Everything that belongs to it knows its temporary folder, by environment or by argument."""

    process: subprocess.Popen[str]
    folder: Path

    def hear(self, last: str) -> list[str]:
        """What it prints, up to a line with these words."""
        assert self.process.stdout
        said = []
        for line in self.process.stdout:
            said.append(line)
            if last in line:
                return said
        raise AssertionError(f"it never said {last!r}, but {said}, and: {self.process.communicate()[1]}")

    def end(self, number: signal.Signals) -> str:
        """What it complains of after a signal."""
        self.process.send_signal(number)
        return self.process.communicate(timeout=GONE_SECONDS)[1]

    def processes(self) -> list[int]:
        """Those, and what they have started."""
        parts = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if self.is_part(pid)]
        return sorted({*parts, *(child for pid in parts for child in children_of(pid))})

    def is_part(self, pid: int) -> bool:
        try:
            facts = [Path(f"/proc/{pid}/{name}").read_bytes() for name in ("environ", "cmdline")]
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        # A zombie has ended; only whoever reaps orphans on this machine has not looked yet.
        return state != "Z" and any(str(self.folder).encode() in one for one in facts)

    def ports(self) -> set[int]:
        """On which its processes listen."""
        held = set().union(*(sockets_of(pid) for pid in self.processes()))
        return {port for port, inode in listening() if inode in held}


def listening() -> set[tuple[int, str]]:
    """Ports on which somebody listens, and the inodes of their sockets."""
    lines = [line.split() for name in TCP for line in Path(name).read_text().splitlines()]
    return {(int(fields[1].rpartition(":")[2], 16), fields[9]) for fields in lines if fields[3] == "0A"}


def sockets_of(pid: int) -> set[str]:
    """The inodes of the sockets that a process holds."""
    try:
        links = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return set()
    return {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:")}


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return held


@contextmanager
def started(folder: Path) -> Iterator[Demo]:
    """As typed by a newcomer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ops.cli", "demo"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    demo = Demo(process, folder)
    try:
        yield demo
    finally:
        process.kill()
        process.communicate()
        assert within(GONE_SECONDS, lambda: demo.processes() == [])


@pytest.fixture
def folder() -> Iterator[Path]:
    """pytest's own folders are private to us; as root, PostgreSQL is somebody else."""
    new = new_folder(unprivileged_account())
    yield new
    shutil.rmtree(new)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_one_address_that_answers_and_nothing_is_left_of_it(folder: Path, ending: signal.Signals) -> None:
    with started(folder) as demo:
        [address] = ADDRESS.findall("".join(demo.hear(USABLE)))
        with urllib.request.urlopen(address, timeout=10) as page:
            assert b"Stand-in workspace" in page.read()
        # Itself, PostgreSQL and Redis with a keeper of each, the bot, the supervisor, a worker, the clock.
        assert len(demo.processes()) >= 9
        # The stand-in with its page, its door for Socket Mode, PostgreSQL, Redis, the bot.
        ports = demo.ports()
        assert len(ports) == 5

        if ending is signal.SIGINT:
            demo.process.send_signal(ending)
            demo.hear(STOPPING)
        # The second one of an impatient person does not interrupt the stopping.
        assert demo.end(ending) == ""
        assert demo.process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 143, signal.SIGKILL: -9}[ending]
        assert within(GONE_SECONDS if ending is signal.SIGKILL else 0, lambda: demo.processes() == [])
        assert not ports & {port for port, _ in listening()}
        # Killed, it cannot clear up its own; the servers' keepers still clear up theirs.
        assert [
            one for one in folder.rglob("countersign-*/*") if ending is not signal.SIGKILL or "data" in one.name
        ] == []


def test_a_terminal_that_is_closed_during_the_start_ends_it(folder: Path) -> None:
    with started(folder) as demo:
        assert within(GONE_SECONDS, lambda: len(demo.ports()) >= 3)
        demo.end(signal.SIGHUP)
        assert demo.process.returncode == 129
        assert demo.processes() == []


def test_a_process_that_ends_by_itself_is_named_with_what_it_said_last(folder: Path) -> None:
    with started(folder) as demo:
        demo.hear(USABLE)
        [bot] = [pid for pid in demo.processes() if b"\0bot\0" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(bot, signal.SIGKILL)
        complaint = demo.process.communicate(timeout=GONE_SECONDS)[1]
        assert demo.process.returncode == 1
        assert complaint.startswith("countersign: the bot process ended by itself (killed by SIGKILL). It said last:\n")
        assert "bot.ready" in complaint
        assert "Traceback" not in complaint
        assert demo.processes() == []


def test_a_port_in_use_is_one_line(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "ops.cli", "demo", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr == f"countersign: port {port} is in use; choose another with --port, or none.\n"
    assert list(folder.iterdir()) == []
