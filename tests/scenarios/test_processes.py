"""Processes that stop, refuse to start, or meet a hostile Redis."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from rq.job import Job
from rq.queue import Queue
from rq.serializers import JSONSerializer

from approvals.rules.words import Effect, Say
from approvals.wakeup import QUEUE
from demo.house import children_of
from demo.services import RedisServer
from tests.scenarios.conftest import Scene


def run_process(scene: Scene, *argv: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A process that is expected to end by itself."""
    whole = {**scene.world.house.environ, **environ}
    return subprocess.run([sys.executable, *argv], env=whole, capture_output=True, text=True, timeout=60, check=False)


WRONG_STARTS = {
    "a missing variable": ({"DATABASE_URL": ""}, "DATABASE_URL is missing"),
    "a malformed variable": ({"REDIS_URL": "localhost"}, "REDIS_URL"),
    "no database": ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"}, "PostgreSQL does not answer"),
    "no redis": ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "Redis does not answer"),
    "a token that Slack refuses": ({"SLACK_BOT_TOKEN": "xoxb-nobody"}, "Slack refuses the token (invalid_auth)"),
    "no configuration": ({"COUNTERSIGN_CONFIG": "/nowhere/c.yml"}, "/nowhere/c.yml"),
}


@pytest.mark.parametrize("wrong", WRONG_STARTS)
@pytest.mark.parametrize("process", ["workers", "bot"])
def test_a_wrong_start_is_one_clear_line_and_exit_code_2(scene: Scene, wrong: str, process: str) -> None:
    environ, says = WRONG_STARTS[wrong]
    ended = run_process(scene, "-m", process, **environ)
    lines = [line for line in ended.stderr.splitlines() if line.startswith("countersign: ")]
    assert ended.returncode == 2, ended.stderr
    assert len(set(lines)) == 1
    assert says in lines[0]
    assert "Traceback" not in ended.stderr


def test_what_is_wrong_for_every_worker_is_said_once(scene: Scene) -> None:
    ended = run_process(scene, "-m", "workers", "3", COUNTERSIGN_CONFIG="/no/such/file.yml")
    assert ended.returncode == 2
    assert len((ended.stdout + ended.stderr).strip().splitlines()) == 1


def test_a_factory_that_cannot_be_imported_ends_the_worker_with_its_name(scene: Scene, tmp_path: Path) -> None:
    config = Path(scene.world.house.environ["COUNTERSIGN_CONFIG"])
    broken = tmp_path / "broken.yml"
    broken.write_text(config.read_text().replace("tests.workers.agents:build", "no.such.module:build"))
    ended = run_process(scene, "-m", "workers", "1", COUNTERSIGN_CONFIG=str(broken))
    assert ended.returncode == 2
    assert "agents.tester.factory: no.such.module:build cannot be imported" in ended.stderr


LACKS = {
    "anthropic:claude-sonnet-5": "needs a key: set ANTHROPIC_API_KEY in the worker's environment.",
    "google_genai:gemini-3": "needs a key: set GOOGLE_API_KEY or GEMINI_API_KEY in the worker's environment.",
    "nobody:nothing": 'cannot be used: LangChain knows no provider "nobody". Write provider:model, such as ',
}


@pytest.mark.parametrize("model", LACKS)
def test_a_model_without_its_key_is_one_line_and_exit_code_2(scene: Scene, tmp_path: Path, model: str) -> None:
    config = Path(scene.world.house.environ["COUNTERSIGN_CONFIG"])
    broken = tmp_path / "broken.yml"
    broken.write_text(config.read_text().replace("python:tests.workers.agents:model", model))
    ended = run_process(scene, "-m", "workers", "3", COUNTERSIGN_CONFIG=str(broken))
    lines = [line for line in ended.stderr.splitlines() if line.startswith("countersign: ")]
    assert ended.returncode == 2, ended.stderr
    assert len(set(lines)) == 1
    assert f'agents.tester.model: "{model}" {LACKS[model]}' in lines[0]
    assert len(lines) == 1 or model.startswith("nobody")
    assert "Traceback" not in ended.stderr


def test_a_database_without_our_tables_is_said_with_the_way_on(scene: Scene, empty_database_url: str) -> None:
    ended = run_process(scene, "-m", "workers.clock", DATABASE_URL=empty_database_url)
    assert ended.returncode == 2
    assert "run `countersign release` first" in ended.stderr


def test_a_report_that_can_never_be_due_is_said_before_the_clock_starts(scene: Scene, tmp_path: Path) -> None:
    config = Path(scene.world.house.environ["COUNTERSIGN_CONFIG"])
    broken = tmp_path / "broken.yml"
    broken.write_text(config.read_text() + '\nreports:\n- {name: a, channel: "#ops", cron: "0 9 30 2 *"}\n')
    ended = run_process(scene, "-m", "workers.clock", COUNTERSIGN_CONFIG=str(broken))
    assert ended.returncode == 2
    assert f"{broken}:{len(broken.read_text().splitlines())}: reports.cron: " in ended.stderr


def test_a_stop_lets_the_running_effect_end_and_loses_no_wakeup(scene: Scene) -> None:
    house = scene.world.house
    house.start_workers(1)
    run_ids = [scene.ask([["strike", {"target": f"s{n}"}]], number=n) for n in range(4)]
    approvals = [scene.first_approval(run_id) for run_id in run_ids]
    scene.until(lambda: all(scene.status(run_id) == "waiting" for run_id in run_ids))
    for approval in approvals:
        scene.decide(approval, Say.APPROVE)
    assert house.stop("workers") == 0
    assert not {scene.again(a).effect for a in approvals} & {Effect.STARTED, Effect.UNKNOWN}
    house.start_workers(1)
    scene.sweep()
    scene.until(lambda: all(scene.status(run_id) == "done" for run_id in run_ids))
    assert sorted(scene.effects()) == ["s0", "s1", "s2", "s3"]


def test_a_supervisor_that_is_killed_leaves_no_worker_behind(scene: Scene) -> None:
    house = scene.world.house
    house.start_workers(2)
    supervisor = house.processes.pop("workers")
    workers = children_of(supervisor.pid)
    os.kill(supervisor.pid, signal.SIGKILL)
    supervisor.wait()
    scene.until(lambda: not any(alive(pid) for pid in workers))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_hostile_jobs_in_redis_run_nothing_and_the_worker_goes_on(scene: Scene, tmp_path: Path) -> None:
    """Whoever can write to Redis can wake runs, and no more."""
    marker = tmp_path / "owned"
    connection = redis.Redis.from_url(scene.world.house.environ["REDIS_URL"])
    queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)
    for name, args in (
        ("os.system", [f"touch {marker}"]),
        ("subprocess.getoutput", [f"touch {marker}"]),
        ("builtins.eval", [f"open({str(marker)!r}, 'w')"]),
        ("workers.jobs.advance", ["not-an-id"]),
        ("workers.jobs.advance", [{"run": 1}]),
        ("workers.jobs.equip", ["x"]),
    ):
        queue.enqueue(name, args=args)
    with_callback = queue.enqueue("workers.jobs.advance", "11111111-1111-1111-1111-111111111111")
    connection.hset(Job.key_for(with_callback.id), "success_callback_name", "os.getcwd")
    pickled = Queue(QUEUE, connection=connection).enqueue(os.system, f"touch {marker}")
    assert pickled.id
    scene.world.house.start_workers(1)
    run_id = scene.ask([["look", {}]])
    scene.until(lambda: scene.status(run_id) == "done")
    assert not marker.exists()


def test_a_postgres_or_redis_away_for_a_moment_ends_neither_clock_nor_supervisor(scene: Scene) -> None:
    house = scene.world.house
    house.start_clock()
    house.start_workers(1)
    connection = redis.Redis.from_url(house.environ["REDIS_URL"])
    connection.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    with scene.db.transaction() as tx:
        tx.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND datname = current_database()"
        )
    run_id = scene.ask([["look", {}]])
    scene.until(lambda: scene.status(run_id) == "done")
    assert house.processes["clock"].poll() is None
    assert house.processes["workers"].poll() is None


def test_logs_are_json_when_asked_and_hold_no_arguments(scene: Scene) -> None:
    house = scene.world.house
    scene.world.house.environ["LOG_FORMAT"] = "json"  # type: ignore[index]
    house.start_workers(1)
    run_id = scene.ask([["break_down", {"target": "s3cr3t"}]])
    approval = scene.first_approval(run_id)
    scene.decide(approval, Say.APPROVE)
    scene.until(lambda: scene.status(run_id) == "done")
    log = house.log("workers")
    assert "s3cr3t" not in log
    assert "hunter2" not in log
    events = [json.loads(line)["event"] for line in log.splitlines() if line.startswith("{")]
    assert "guard.tool_raised" in events


def test_a_worker_stops_while_redis_is_away(scene: Scene, own_redis: RedisServer) -> None:
    house = scene.world.house
    house.environ = {**house.environ, "REDIS_URL": own_redis.url}
    house.start_workers(1)
    own_redis.stop()
    scene.until(lambda: "could not connect to Redis" in house.log("workers"))
    supervisor = house.processes["workers"]
    house.stop("workers")
    assert supervisor.returncode == 0


def test_a_port_in_use_is_said_in_one_line(scene: Scene) -> None:
    house = scene.world.house
    house.start_bot()
    ended = run_process(scene, "-m", "bot", PORT=str(house.port))
    assert ended.returncode == 2
    assert f"PORT: the bot cannot listen on {house.port} (Address already in use)" in ended.stderr
    assert "Traceback" not in ended.stderr
