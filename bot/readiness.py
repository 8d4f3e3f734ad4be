"""Whether the three that the bot depends on answer, Postgres, Redis and Slack; and whether a clock is at work."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from approvals.ledger.clock_beat import Beat, find_beat
from approvals.ledger.database import Database
from bot.messenger import Messenger
from bot.replies import Identity

# Slack lets us ask some hundred times a minute; several probes a second must not use that up.
SLACK_SECONDS: Final = 5.0


class Readiness:
    """Asked by probes, so it answers in seconds whatever is away."""

    def __init__(
        self, db: Database, redis: Redis, messenger: Messenger, socket: Callable[[], bool] | None = None
    ) -> None:
        """`socket`: whether Slack can reach us, in Socket Mode."""
        self._db = db
        self._redis = redis
        self._messenger = messenger
        self._socket = socket
        self._lock = Lock()
        self._slack: tuple[float, bool] = (float("-inf"), False)

    def report(self) -> dict[str, bool]:
        report = {"postgres": self._postgres(), "redis": self._redis_answers(), "slack": self._slack_answers()}
        return report | ({"socket": self._socket()} if self._socket else {}) | {"clock": self._beat().alive}

    def ready(self, report: dict[str, bool]) -> bool:
        """A clock that has never run here is shown, and keeps nobody from clicking: it may yet be started. One that
        has stopped is as bad as any of the others."""
        needed = {name: good for name, good in report.items() if name != "clock"}
        return all(needed.values()) and (report["clock"] or not self._beat().began)

    def _beat(self) -> Beat:
        try:
            return find_beat(self._db)
        except psycopg.Error:
            return Beat(began=False, alive=False)

    def _postgres(self) -> bool:
        try:
            with self._db.transaction() as tx:
                tx.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def _redis_answers(self) -> bool:
        try:
            return bool(self._redis.ping())
        except RedisError:
            return False

    def _slack_answers(self) -> bool:
        with self._lock:
            asked_at, answered = self._slack
            if time.monotonic() - asked_at >= SLACK_SECONDS:
                answered = isinstance(self._messenger.ask_identity(), Identity)
                self._slack = (time.monotonic(), answered)
            return answered
