"""`python -m workers [N]`: the worker process, a supervisor of N (default 2)."""

import os
import sys

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.ledger.migrate import NotMigrated
from approvals.process import CannotStart, begin, check_database, check_redis, set_up_logging
from approvals.settings import WORKER_NEEDS, SettingsError, load_secrets, load_settings
from workers.agents.providers import missing
from workers.mcp.needs import McpUnusable, require_package
from workers.supervisor import Supervisor

DEFAULT_COUNT = 2
USAGE = "python -m workers [N]: N worker processes (default 2), until SIGTERM."


def main() -> int:
    """Check once what N workers need not all say: the environment, the configuration, and what they connect to."""
    settings = load_settings(os.environ, WORKER_NEEDS)
    set_up_logging(settings.log_format)
    config = load_config(settings.countersign_config)
    for agent in config.agents.values():
        # Said once, and not by each worker.
        if lack := missing(agent.name, agent.model, os.environ):
            raise CannotStart(lack)
    if config.mcp_servers:
        load_secrets(os.environ, config.mcp_variables)
        require_package()
    check_database(settings.database_url.get_secret_value())
    check_redis(settings.redis_url.get_secret_value())
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
    sys.exit(begin(main, SettingsError, ConfigError, McpUnusable, NotMigrated, usage=USAGE))
