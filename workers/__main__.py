"""`python -m workers [N]`: the worker process, a supervisor of N (default 2)."""

import os
import sys

from approvals.process import CannotStart, begin, set_up_logging
from approvals.settings import WORKER_NEEDS, SettingsError, load_settings
from workers.supervisor import Supervisor

DEFAULT_COUNT = 2


def main() -> int:
    """Check the environment once, so that N workers need not all say what is wrong with it."""
    settings = load_settings(os.environ, WORKER_NEEDS)
    set_up_logging(settings.log_format)
    # LangGraph reads it once, on import, which only the children do.
    environ = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"}
    return Supervisor(environ, count=wanted(sys.argv[1:])).run()


def wanted(args: list[str]) -> int:
    """How many workers, from the command line."""
    if not args:
        return DEFAULT_COUNT
    if len(args) > 1 or not (args[0].isascii() and args[0].isdigit()) or not 1 <= int(args[0]) <= 64:
        raise CannotStart("python -m workers takes one number of processes from 1 to 64, such as: python -m workers 4")
    return int(args[0])


if __name__ == "__main__":
    sys.exit(begin(main, SettingsError))
