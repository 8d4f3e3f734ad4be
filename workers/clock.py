"""`python -m workers.clock`: time. Sweeps every few seconds, on Postgres alone if need be. Loads no agent."""

import os
import signal
import sys
import threading
from collections.abc import Mapping

import structlog
from pydantic import SecretStr

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.config.values import Config
from approvals.ledger.database import Database
from approvals.ledger.migrate import NotMigrated
from approvals.process import begin, check_database, set_up_logging
from approvals.settings import CLOCK_NEEDS, Settings, SettingsError, load_secrets, load_settings
from approvals.wakeup import Wakeups, connect
from bot.messenger import connect as connect_slack
from bot.on_call import OnCall
from bot.people import People
from bot.show import Show
from workers.pagers import Pagers
from workers.slack_token import require_token
from workers.sweep.sweep import sweep
from workers.sweep.world import World

PERIOD_SECONDS = 2.0
USAGE = "python -m workers.clock: the clock, which expires, reminds and mends, until SIGTERM."

log = structlog.get_logger()


def main() -> int:
    """Sweep until told to stop; the stop is taken between the passes of a sweep."""
    settings = load_settings(os.environ, CLOCK_NEEDS)
    set_up_logging(settings.log_format)
    config = load_config(settings.countersign_config)
    secrets = load_secrets(os.environ, config.pager_secrets | config.lookup_secrets)
    check_database(settings.database_url.get_secret_value())
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with Database(settings.database_url.get_secret_value()) as db:
        world = assemble(settings, db, config, secrets)
        log.info("clock.ready", period_seconds=PERIOD_SECONDS)
        while not stop.is_set():
            sweep(world, stop.is_set)
            stop.wait(PERIOD_SECONDS)
    return 0


def assemble(
    settings: Settings, db: Database, config: Config | None = None, secrets: Mapping[str, SecretStr] | None = None
) -> World:
    """What a sweep reaches, from the environment and the configuration."""
    messenger = require_token(connect_slack(settings))
    wakeups = Wakeups(connect(settings.redis_url.get_secret_value()))
    show = Show(
        db, messenger, People(messenger, OnCall(secrets)), several_agents=config is not None and len(config.agents) > 1
    )
    if config is None:
        return World(db, wakeups, show, messenger)
    pagers = Pagers(config.pagers, secrets or {})
    return World(db, wakeups, show, messenger, config.reports, config.retention, pagers)


if __name__ == "__main__":
    sys.exit(begin(main, SettingsError, ConfigError, NotMigrated, usage=USAGE))
