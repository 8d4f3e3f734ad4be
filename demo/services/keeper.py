"""Keeps one server on behalf of the process that started it, and ends it when that process is gone.

Runs on its own, as a script: standard library only, and none of ours. One JSON command per line comes in,
one JSON answer goes out. However the parent ends (return, Ctrl-C, SIGTERM, kill -9), the server is stopped
and the folder deleted, without a signal handler in the parent.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PARENT_CHECK_SECONDS = 0.2
STOP_SECONDS = 10.0
PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, folder, stop_signal, uid, gid = (int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:6]))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    keeper = Keeper(folder, stop_signal, (uid, gid) if uid >= 0 else None)
    try:
        for name, argument in commands(parent):
            answer = json.dumps(getattr(keeper, name)(argument))
            os.write(sys.stdout.fileno(), answer.encode() + b"\n")
    finally:
        keeper.stop(stop_signal)
        shutil.rmtree(folder, ignore_errors=True)


def commands(parent: int) -> Iterator[tuple[str, Any]]:
    """What the parent asks for, until it has gone.

    Its end of the pipe may live on in a process that it forked, so end of file alone would not tell.
    """
    waiting = b""
    while os.getppid() == parent:
        if not select.select([sys.stdin], [], [], PARENT_CHECK_SECONDS)[0]:
            continue
        if not (chunk := os.read(sys.stdin.fileno(), 65536)):
            return
        *lines, waiting = (waiting + chunk).split(b"\n")
        for line in lines:
            yield tuple(json.loads(line))


class Keeper:
    """The server, if it runs, and what is needed to start it again."""

    def __init__(self, folder: Path, stop_signal: int, account: tuple[int, int] | None) -> None:
        self.log = folder / "server.log"
        self.account = account
        self.server: subprocess.Popen[bytes] | None = None
        self.before_exec = dies_with_parent(stop_signal)

    def run(self, argv: list[str]) -> int:
        """The exit code of a program that ends by itself."""
        return self.spawn(argv).wait()

    def start(self, argv: list[str]) -> int:
        """The process id of the server."""
        self.server = self.spawn(argv)
        return self.server.pid

    def exit_code(self, _: None) -> int | None:
        return self.server.poll() if self.server else None

    def stop(self, stop_signal: int) -> None:
        if self.server is None:
            return
        self.server.send_signal(stop_signal)
        try:
            self.server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
        self.server = None

    def spawn(self, argv: list[str]) -> subprocess.Popen[bytes]:
        uid, gid = self.account or (None, None)
        with self.log.open("ab") as log:
            return subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                # Nothing of the user's: PGOPTIONS, LANG or a preload would make a server of another kind.
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)},
                user=uid,
                group=gid,
                extra_groups=None if uid is None else [],
                process_group=0,
                preexec_fn=self.before_exec,  # noqa: PLW1509 - no threads in this process
            )


def dies_with_parent(stop_signal: int) -> Callable[[], object] | None:
    """Linux: has the kernel stop the server should even this process be killed."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, stop_signal)


if __name__ == "__main__":
    main()
