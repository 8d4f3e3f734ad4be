"""One deployment for all the cases of one agent. Each case has a thread of its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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


DEEP = """\
agents:
  cases:
    factory: "tests.scenarios.hitl.own_agents:deep"
    model: "python:tests.scenarios.hitl.agents:model"
    interrupts:
      approval_request: {approve: {approved: true}, reject: {approved: false, reason: "{reason}"}}
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], decisions: [approve, edit, reject, respond], timeout: 30m}
tools:
  task: {gate: never}
  fetch_file: {gate: never}
  request_approval: {gate: never}
  read_file: {gate: never}
  write_file: {gate: never, summary: "Write {file_path}"}
  notify_email:
    - {when: 'args.recipient.endsWith("@company.com")', decisions: [approve, edit, reject], summary: "Mail {recipient}"}
    - {decisions: [approve, reject], summary: "Mail {recipient}"}
  remove_file: {summary: "Remove {path}"}
  approval_request: {summary: "May it be: {action}?"}
"""

OWN = """\
agents:
  cases:
    factory: "tests.scenarios.hitl.own_agents:own"
    model: "python:tests.scenarios.hitl.agents:model"
    ungated: true
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], decisions: [approve, edit, reject, respond], timeout: 30m}
tools:
  write_file: {gate: never, summary: "Write {path}"}
  execute_sql: {summary: "Run {query}"}
"""

Plays = Callable[[str], Play]


@pytest.fixture(scope="package")
def house(
    postgres_url: str,
    template_database: str,
    database_names: Iterator[str],
    shared_redis_url: str,
    logical_databases: Iterator[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Plays]:
    """A deployment for each configuration, kept until the last case."""
    with ExitStack() as stack:

        def opened(config: str) -> Play:
            folder = tmp_path_factory.mktemp("hitl")
            name = stack.enter_context(new_database(postgres_url, next(database_names), template=template_database))
            redis_url = stack.enter_context(emptied(with_path(shared_redis_url, str(next(logical_databases)))))
            world = stack.enter_context(running(with_path(postgres_url, name), redis_url, folder, config))
            return Play(world, stack.enter_context(Database(with_path(postgres_url, name))))

        yield opened


@pytest.fixture(scope="package")
def play(house: Plays) -> Play:
    """An agent behind the gate, and a policy that names every tool."""
    return house(CONFIG)


@pytest.fixture(scope="package")
def deep(house: Plays) -> Play:
    """A deep agent with the gate on every path."""
    return house(DEEP)


@pytest.fixture(scope="package")
def own(house: Plays) -> Play:
    """An agent that asks by itself, without the gate."""
    return house(OWN)


@contextmanager
def emptied(url: str) -> Iterator[str]:
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url


@contextmanager
def running(database_url: str, redis_url: str, folder: Path, configured: str) -> Iterator[World]:
    """The bot, one worker and the clock, and Slack's deliveries on."""
    config = folder / "countersign.yml"
    config.write_text(configured, encoding="utf-8")
    with house_with_slack(database_url, redis_url, config, folder) as world:
        world.slack.events_url = world.house.start_bot()
        world.house.start_workers(1)
        world.house.start_clock()
        yield world
