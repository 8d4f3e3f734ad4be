"""`python -m bot`: the process that Slack talks to."""

import os
import signal
import sys
from types import FrameType
from typing import Any, Final, NoReturn

import structlog
import waitress  # type: ignore[import-untyped]  # it has no types of its own

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.ledger.database import Database
from approvals.ledger.migrate import NotMigrated
from approvals.process import CannotStart, begin, check_database, check_redis, set_up_logging
from approvals.settings import BOT_NEEDS, SettingsError, load_secrets, load_settings
from bot.check_slack import check_groups, check_slack
from bot.messenger import HANDLER_SECONDS, connect
from bot.on_call import OnCall
from bot.people import People
from bot.serve import WEB_THREADS, Bot, assemble

STOP_SECONDS: Final = 5.0
USAGE = "python -m bot: the process that Slack talks to, until SIGTERM."

log = structlog.get_logger()


def listen(bot: Bot, port: int) -> Any:
    """One port, every interface: it stands behind a proxy or in a container."""
    try:
        return waitress.create_server(bot.web, host="0.0.0.0", port=port, threads=WEB_THREADS)  # noqa: S104
    except OSError as error:
        raise CannotStart(
            f"PORT: the bot cannot listen on {port} ({error.strerror}); stop what listens there, or set PORT to a "
            "free port."
        ) from error


def main() -> int:
    """Serve until SIGTERM."""
    settings = load_settings(os.environ, BOT_NEEDS)
    set_up_logging(settings.log_format)
    config = load_config(settings.countersign_config)
    on_call = OnCall(load_secrets(os.environ, config.lookup_secrets))
    check_database(settings.database_url.get_secret_value())
    check_redis(settings.redis_url.get_secret_value())
    messenger = connect(settings, HANDLER_SECONDS)
    identity = check_slack(messenger)
    check_groups(People(messenger), config)
    with Database(settings.database_url.get_secret_value(), max_size=16, wait_seconds=1.5) as db:
        bot = assemble(settings, config, identity, db, on_call)
        server = listen(bot, settings.port)
        if bot.socket:
            bot.socket.connect()
        signal.signal(signal.SIGTERM, stop)
        way = "socket" if bot.socket else "http"
        log.info("bot.ready", port=settings.port, team_id=identity.team_id, way=way)
        # Ends by the SystemExit that `stop` raises, after the requests in hand.
        server.run()
        server.close()
        ended = bot.close(STOP_SECONDS)
    log.info("bot.stopped", all_ended=ended)
    if not ended:
        # Python would wait for these threads, one of which may hang on a server that is gone.
        os._exit(0)
    return 0


def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(begin(main, SettingsError, ConfigError, NotMigrated, usage=USAGE))
