"""A deployment whose servers and processes can be taken away at any moment, and that stands up again."""

import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from approvals.ledger.database import Database
from approvals.ledger.migrate import migrate
from approvals.wakeup import Wakeups, connect
from demo.house import House, free_port
from demo.services import PostgresServer, RedisServer, postgres_server, redis_server
from demo.slack.standin import StandIn
from demo.slack.workspace import Workspace
from demo.world import World, environ_for, settle_in
from tests.faults import bodies
from tests.faults.lab import Lab
from tests.scenarios.conftest import CONFIG
from workers.agents.fleet import Fleet
from workers.checkpoints import set_up_checkpoints

WORKERS, BOTS = 2, 2
BODIES = {"worker": bodies.work, "bot": bodies.serve, "clock": bodies.keep_time}


@dataclass
class Town:
    """Everything that runs. `seen` counts what was done to it."""

    lab: Lab
    postgres: PostgresServer
    redis: RedisServer
    seen: Counter[str] = field(default_factory=Counter)
    running: dict[str, ForkServerProcess] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    # Nothing breaks any more; nothing runs any more.
    calm: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self) -> None:
        """Start again whatever has ended, as a service manager does; and lead Slack to a bot that lives."""
        names = [f"worker-{n}" for n in range(WORKERS)] + [f"bot-{n}" for n in range(BOTS)] + ["clock-0"]
        while not self.over.is_set():
            with self.lock:
                for name in names:
                    if name not in self.running or not self.running[name].is_alive():
                        self.begin(name)
                bot = random.choice([name for name in self.running if name.startswith("bot")])
                self.lab.world.slack.events_url = f"http://127.0.0.1:{self.ports[bot]}/slack/events"
            self.over.wait(0.3)

    def begin(self, name: str) -> None:
        self.ports.setdefault(name, free_port())
        body = BODIES[name.partition("-")[0]]
        self.running[name] = self.lab.start(body, PORT=str(self.ports[name]))
        self.seen["process starts"] += 1

    def kill_somebody(self) -> None:
        with self.lock:
            name = random.choice(list(self.running))
            self.running[name].kill()
        self.seen[f"{name.partition('-')[0]} kills"] += 1

    def restart_postgres(self) -> None:
        self.postgres.stop(random.choice(("fast", "immediate", "kill")))
        time.sleep(random.uniform(0, 2))
        self.postgres.start()
        self.seen["Postgres restarts"] += 1

    def flush_redis(self) -> None:
        with suppress(RedisError), Redis.from_url(self.redis.url) as client:
            client.flushall()
            self.seen["Redis flushes"] += 1

    def restart_redis(self) -> None:
        self.redis.stop()
        time.sleep(random.uniform(0, 1))
        self.redis.start()
        self.seen["Redis restarts (empty)"] += 1

    def stop(self) -> None:
        """Nothing runs any more."""
        self.over.set()
        self.lab.world.slack.events_url = None
        with self.lock:
            for process in self.running.values():
                process.terminate()
            for process in self.running.values():
                process.join(10)


@contextmanager
def a_town(folder: Path) -> Iterator[Town]:
    """Servers of its own, migrated; nothing of ours running yet."""
    config = folder / "countersign.yml"
    config.write_text(CONFIG, encoding="utf-8")
    workspace = Workspace()
    people = settle_in(workspace)
    with ExitStack() as stack:
        postgres = stack.enter_context(postgres_server(durable=False))
        redis = stack.enter_context(redis_server())
        migrate(postgres.url)
        set_up_checkpoints(postgres.url)
        slack = stack.enter_context(StandIn(workspace, retry_delays=(0.2, 1.0, 2.0)))
        fleet = Fleet(folder / "fleet.jsonl")
        environ = environ_for(slack, fleet, postgres.url, redis.url, config)
        environ |= {"LANGGRAPH_STRICT_MSGPACK": "true"}
        db = stack.enter_context(Database(postgres.url, max_size=8))
        wakeups = Wakeups(connect(redis.url))
        processes = stack.enter_context(ExitStack())
        world = World(slack, House(environ, folder), people, fleet)
        lab = Lab(world, db, wakeups, fleet, folder / "no-trap", folder, processes, numbers=itertools.count())
        town = Town(lab, postgres, redis)
        stack.callback(town.stop)
        yield town


def repeat(town: Town, least: float, most: float, work: Callable[[], None]) -> threading.Thread:
    """Do this every so often, until it is calm. `keep` goes on by itself until it is over."""

    def run() -> None:
        while not town.calm.wait(random.uniform(least, most)):
            work()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
