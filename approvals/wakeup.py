"""The only enqueue. A wake-up says *look at this run*; it carries an id and no authority, may be lost and
may be repeated. The rows are the work; the sweep repeats what got lost."""

import uuid
from collections.abc import Iterable

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from approvals.failpoints import Point, reach
from approvals.records import RunId

QUEUE = "countersign"
JOB = "workers.jobs.advance"
# Far above any tool's own limit: RQ's alarm would cut an effect in the middle and leave it unknown.
JOB_TIMEOUT_SECONDS = 24 * 3600
FAILED_TTL_SECONDS = 3600

log = structlog.get_logger()


def connect(redis_url: str) -> Redis:
    """A client that fails fast: redis-py's default retries for 4.5 s, and Slack waits 3 s for an answer."""
    return Redis.from_url(redis_url, socket_timeout=1.0, socket_connect_timeout=0.5, retry=None)


class Wakeups:
    """Puts wake-ups on the queue. Redis being away is normal, and logged once until it is back."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queue = Queue(QUEUE, connection=redis, serializer=JSONSerializer)
        self._away = False

    def wake(self, run_id: RunId) -> bool:
        """Wake one run; False if Redis is away, in which case the sweep does it later."""
        return self.wake_all([run_id]) == 1

    def wake_all(self, run_ids: Iterable[RunId]) -> int:
        """Wake several runs; how many were enqueued."""
        done = 0
        try:
            for run_id in run_ids:
                reach(Point.BEFORE_WAKEUP)
                self._queue.enqueue(
                    JOB,
                    run_id,
                    job_id=f"advance_{run_id}_{uuid.uuid4().hex}",
                    job_timeout=JOB_TIMEOUT_SECONDS,
                    result_ttl=0,
                    failure_ttl=FAILED_TTL_SECONDS,
                    description="advance a run",
                )
                reach(Point.AFTER_WAKEUP)
                done += 1
        except RedisError as error:
            self._say_away(error)
        else:
            self._away = False
        return done

    def queued(self) -> set[RunId] | None:
        """Runs with a wake-up on the queue, or None if Redis is away. Read from the ids, so no job is
        loaded."""
        try:
            return {RunId(job_id.split("_")[1]) for job_id in self._queue.get_job_ids() if job_id.count("_") == 2}
        except RedisError as error:
            self._say_away(error)
            return None

    def _say_away(self, error: RedisError) -> None:
        if not self._away:
            log.warning("redis.away", error=type(error).__name__, then="the sweep repeats lost wake-ups")
        self._away = True
