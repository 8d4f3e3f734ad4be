"""One deployment for all the cases. Each case has a thread of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from approvals.ledger.database import Database
from demo.world import World, house_with_slack
from tests.fixtures.databases import new_database, with_path
from tests.scenarios.hitl.play import Play

CONFIG = """\
agents:
  cases: {factory: "tests.scenarios.hitl.agents:build", model: "python:tests.scenarios.hitl.agents:model"}
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], timeout: 30m}
tools:
  read_data: {gate: never}
  write_file:
    - {when: 'args.path.startsWith("/workspace/") && !args.path.contains("..")', gate: never}
    - {decisions: [approve, edit, reject, respond], summary: "Write {path}"}
  execute_sql:
    - {when: 'args.query.trim().lowerAscii().startsWith("select ")', gate: never}
    - {decisions: [approve, reject], summary: "Run {query}"}
  send_email:
    - {when: 'args.recipient.matches("^[a-z.]+@internal[.]com$")', gate: never}
    - {decisions: [approve, edit, reject], summary: "Mail {recipient}"}
  ask_user: {decisions: [respond], approvers: [requester], timeout: 8h}
"""


@pytest.fixture(scope="package")
def play(
    postgres_url: str,
    template_database: str,
    database_names: Iterator[str],
    shared_redis_url: str,
    logical_databases: Iterator[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Play]:
    folder = tmp_path_factory.mktemp("hitl")
    with (
        new_database(postgres_url, next(database_names), template=template_database) as name,
        emptied(with_path(shared_redis_url, str(next(logical_databases)))) as redis_url,
        running(with_path(postgres_url, name), redis_url, folder) as world,
        Database(with_path(postgres_url, name)) as db,
    ):
        yield Play(world, db)


@contextmanager
def emptied(url: str) -> Iterator[str]:
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url


@contextmanager
def running(database_url: str, redis_url: str, folder: Path) -> Iterator[World]:
    """The bot, one worker and the clock, and Slack's deliveries on."""
    config = folder / "countersign.yml"
    config.write_text(CONFIG, encoding="utf-8")
    with house_with_slack(database_url, redis_url, config, folder) as world:
        world.slack.events_url = world.house.start_bot()
        world.house.start_workers(1)
        world.house.start_clock()
        yield world
