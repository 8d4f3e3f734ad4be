"""A clock that has a report to post: real rows, and a stand-in Slack that has its channel."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import SecretStr

from approvals.config.values import ReportConfig
from approvals.ledger.database import Database
from approvals.rules.rule import Approvers
from approvals.rules.schedule import Schedule
from approvals.rules.words import Status
from approvals.settings import Settings
from approvals.wakeup import Wakeups
from approvals.wakeup import connect as connect_redis
from bot.messenger import connect
from bot.people import People
from bot.show import Show
from demo.slack.messages import Message
from demo.slack.standin import StandIn
from tests.approvals.ledger.report_world import closed
from tests.approvals.ledger.world import World as Ledger
from tests.approvals.ledger.world import a_rule
from workers.reports.due import report
from workers.sweep.world import World

BERLIN = ZoneInfo("Europe/Berlin")
# Due two to three hours ago, and not again while a test runs.
DAILY = Schedule(f"0 {(datetime.now(BERLIN) - timedelta(hours=2)).hour} * * *", "Europe/Berlin")
STEPS = 12


@dataclass
class ReportPlace:
    """`ops` is the channel of the report; ana and bo read it."""

    slack: StandIn
    ledger: Ledger
    world: World
    ana: str
    bo: str
    ops: str
    bot_token: str

    def due(self, **more: Any) -> World:
        """Down for three days: a report of them is due now."""
        config = ReportConfig(**({"name": "expiry", "channel": "#ops", "schedule": DAILY} | more))
        self.ledger.sql(
            "INSERT INTO report_runs (name, period_start, period_end, done_at)"
            " SELECT %s, at, at, now() FROM (SELECT now() - interval '3 days' AS at) AS begun",
            config.name,
        )
        self.world = World(self.world.db, self.world.wakeups, self.world.show, self.world.messenger, (config,))
        return self.world

    def closed(self, status: Status, hours_ago: float = 20, minutes: float = 30, **more: Any) -> None:
        closed(self.ledger, status, timedelta(hours=hours_ago), timedelta(minutes=minutes), **more)

    def busy(self) -> None:
        """Something to report."""
        self.closed(Status.APPROVED, minutes=4)
        self.closed(Status.EXPIRED, tool="scale")

    def steps(self, count: int = STEPS) -> int:
        """So many sweeps, each when its turn has come: what waits for a time waits no longer."""
        done = 0
        for _ in range(count):
            self.slack.advance(2)
            self.ledger.sql("UPDATE report_runs SET retry_at = now() WHERE done_at IS NULL")
            done += report(self.world)
        return done

    def messages(self) -> list[Message]:
        """Everything in the channel, threads included."""
        return self.slack.messages(self.ops)

    def reports(self) -> list[Message]:
        return [message for message in self.messages() if message.thread_ts is None]

    def replies(self) -> list[Message]:
        return [message for message in self.messages() if message.thread_ts]

    def file(self, message: Message) -> bytes:
        [file_id] = message.files
        content = self.slack.workspace.files[file_id].content
        assert content is not None
        return content

    def row(self) -> dict[str, Any]:
        return self.ledger.sql("SELECT * FROM report_runs ORDER BY period_end DESC LIMIT 1")[0]


@contextmanager
def report_place(slack: StandIn, database_url: str, redis_url: str) -> Iterator[ReportPlace]:
    ana, bo = slack.workspace.add_user("ana"), slack.workspace.add_user("bo")
    ops = slack.workspace.add_channel("ops", [ana, bo])
    token = slack.installation.bot_token
    messenger = connect(Settings(slack_bot_token=SecretStr(token), slack_api_url=slack.api_url), 5)
    redis = connect_redis(redis_url)
    with Database(database_url, max_size=8) as db:
        world = World(db, Wakeups(redis), Show(db, messenger, People(messenger)), messenger)
        yield ReportPlace(slack, Ledger(db), world, ana, bo, ops, token)
    redis.close()


def rule(**more: Any) -> Any:
    return a_rule(**({"approvers": (Approvers(name="oncall", usergroup="oncall-sre"),)} | more))
