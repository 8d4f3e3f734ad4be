"""The bot put together: everything a handler needs, Bolt, and the web around it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Thread
from typing import Final

from redis import Redis

from approvals.config.values import Config
from approvals.ledger.database import Database
from approvals.settings import Settings
from approvals.wakeup import Wakeups
from approvals.wakeup import connect as connect_redis
from bot.app import build_app
from bot.channels import Channels
from bot.desk import Desk
from bot.messenger import HANDLER_SECONDS, WORKER_SECONDS, connect
from bot.metrics import Metrics
from bot.on_call import OnCall
from bot.patience import Patience
from bot.people import People
from bot.readiness import Readiness
from bot.replies import Identity
from bot.show import Show
from bot.socket_mode import Socket
from bot.web import Web

# A click that waits for a thread is a click that may be lost: more than people click at once.
WEB_THREADS: Final = 80
# Bolt's own five are lost to five slow listeners, and then clicks are lost.
LISTENER_THREADS: Final = 40


@dataclass(frozen=True, slots=True)
class Bot:
    """A WSGI application, in Socket Mode a connection, and what is to be let go of when it stops."""

    web: Web
    socket: Socket | None
    listeners: ThreadPoolExecutor
    patience: Patience
    redis: Redis

    def close(self, seconds: float) -> bool:
        """Hear nothing more, and let what was begun end; False if some of it does not within `seconds`."""
        if self.socket:
            self.socket.close(seconds)
        self.patience.close()
        waiting = Thread(target=self.listeners.shutdown, daemon=True)
        waiting.start()
        waiting.join(seconds)
        self.redis.close()
        return not waiting.is_alive()


def assemble(
    settings: Settings, config: Config, identity: Identity, db: Database, on_call: OnCall | None = None
) -> Bot:
    """The bot's parts, put together; nothing is connected yet."""
    quick, patient = connect(settings, HANDLER_SECONDS, identity), connect(settings, WORKER_SECONDS, identity)
    redis = connect_redis(settings.redis_url.get_secret_value())
    listeners = ThreadPoolExecutor(LISTENER_THREADS, thread_name_prefix="listener")
    desk = Desk(
        db=db,
        messenger=quick,
        people=People(quick, on_call),
        show=Show(db, patient, People(patient, on_call), several_agents=len(config.agents) > 1),
        wakeups=Wakeups(redis),
        patience=Patience(),
        metrics=Metrics(),
        policy=config.policy,
        agents=tuple(one.askable for one in config.agents.values()),
        channels=Channels(quick),
        bot_user_id=identity.user_id,
        freezers=config.freezers,
    )
    app = build_app(settings, identity, desk, listeners)
    socket = Socket(settings, app, desk.metrics) if settings.socket_mode else None
    readiness = Readiness(db, redis, quick, socket.connected if socket else None)
    web = Web(None if socket else app, readiness, desk.metrics)
    return Bot(web, socket, listeners, desk.patience, redis)
