"""`countersign demo` as a running process, and everything that it has started."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.house import children_of

ROOT = Path(__file__).parents[2]
GONE_SECONDS = 20.0
ADDRESS = re.compile(r"http://\S+")
USABLE, STOPPING = "Ctrl-C stops everything", "Stopping"
TCP = ("/proc/net/tcp", "/proc/net/tcp6")


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


def path() -> str:
    """With this environment's programs first."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


@contextmanager
def started(folder: Path, *argv: str, cwd: Path = ROOT) -> Iterator[Demo]:
    """As typed by a newcomer; `argv`: what is typed after `countersign demo`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ops.cli", "demo", *argv],
        cwd=cwd,
        # As in an environment that is active: pages say `python`.
        env={**os.environ, "PATH": path(), "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
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
