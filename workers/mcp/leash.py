"""Run as `python leash.py PARENT COMMAND ARGS…`: becomes the command, in a way that it ends with its parent (Linux;
elsewhere its input ends, which is how MCP servers are told to go). A file of its own without imports of ours: it runs
with the environment of the server."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
NOT_FOUND = 127


def main(parent: int, command: list[str]) -> int:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have died before the line above.
    if os.getppid() != parent:
        return NOT_FOUND
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return NOT_FOUND


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
