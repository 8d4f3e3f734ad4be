"""The only enqueue: an id and nothing else goes to Redis, and Redis being away is normal."""

import json
import socket
import time
import zlib
from collections.abc import Iterator

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from approvals.records import RunId
from approvals.wakeup import JOB, QUEUE, Wakeups, connect
from demo.services import RedisServer

RUN = RunId("11111111-1111-1111-1111-111111111111")
OTHER = RunId("22222222-2222-2222-2222-222222222222")


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with connect(redis_url) as client:
        yield client


def everything(redis: Redis) -> dict[bytes, object]:
    """Every key with its value, job data decompressed."""
    readers = {
        b"hash": lambda key: {f: unzipped(v) for f, v in redis.hgetall(key).items()},
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1),
        b"string": redis.get,
    }
    return {key: readers[redis.type(key)](key) for key in redis.scan_iter("*")}


def unzipped(value: bytes) -> bytes:
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value


def test_a_wakeup_is_the_one_job_with_the_runs_id(redis: Redis) -> None:
    assert Wakeups(redis).wake(RUN)
    (job,) = Queue(QUEUE, connection=redis, serializer=JSONSerializer).jobs
    assert (job.func_name, job.args, job.kwargs) == (JOB, [RUN], {})
    assert JOB == "workers.jobs.advance"


def test_a_wakeup_is_json(redis: Redis) -> None:
    Wakeups(redis).wake(RUN)
    (data,) = [zlib.decompress(redis.hget(key, "data")) for key in redis.scan_iter("rq:job:*")]
    assert json.loads(data) == [JOB, None, [RUN], {}]


def test_redis_holds_run_ids_and_nothing_else_of_ours(redis: Redis) -> None:
    Wakeups(redis).wake_all([RUN, OTHER])
    stored = everything(redis)
    jobs = [value for key, value in stored.items() if key.startswith(b"rq:job:")]
    assert len(jobs) == 2
    for job in jobs:
        assert isinstance(job, dict)
        ours = {name: value for name, value in job.items() if name in (b"data", b"description", b"meta", b"result")}
        assert set(ours) <= {b"data", b"description"}
        assert ours[b"description"] == b"advance a run"
    assert {key.split(b":")[1] for key in stored} <= {b"job", b"queue", b"queues"}


def test_waking_a_run_twice_is_two_wakeups(redis: Redis) -> None:
    wakeups = Wakeups(redis)
    assert wakeups.wake_all([RUN, RUN, OTHER]) == 3
    assert len(Queue(QUEUE, connection=redis, serializer=JSONSerializer)) == 3


def test_the_runs_that_have_a_wakeup_waiting_are_known(redis: Redis) -> None:
    wakeups = Wakeups(redis)
    assert wakeups.queued() == set()
    wakeups.wake_all([RUN, RUN, OTHER])
    assert wakeups.queued() == {RUN, OTHER}


def test_a_job_of_somebody_else_on_our_queue_is_no_wakeup(redis: Redis) -> None:
    Queue(QUEUE, connection=redis, serializer=JSONSerializer).enqueue("os.system", "true", job_id="evil")
    assert Wakeups(redis).queued() == set()


def test_while_redis_is_away_a_wakeup_is_soon_given_up_without_an_exception(own_redis: RedisServer) -> None:
    with connect(own_redis.url) as redis:
        wakeups = Wakeups(redis)
        assert wakeups.wake(RUN)
        own_redis.stop()
        began = time.monotonic()
        assert wakeups.wake(RUN) is False
        assert time.monotonic() - began < 1.5
        assert wakeups.wake_all([RUN, OTHER]) == 0
        assert wakeups.queued() is None


def test_a_redis_that_accepts_and_never_answers_is_soon_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, connect(address(silent)) as redis:
        began = time.monotonic()
        assert Wakeups(redis).wake(RUN) is False
        assert time.monotonic() - began < 1.5


def address(server: socket.socket) -> str:
    return f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_wakeups_go_on_when_redis_is_back(own_redis: RedisServer) -> None:
    with connect(own_redis.url) as redis:
        wakeups = Wakeups(redis)
        own_redis.stop()
        assert wakeups.wake(RUN) is False
        own_redis.start()
        assert wakeups.wake(RUN)
        assert wakeups.queued() == {RUN}
