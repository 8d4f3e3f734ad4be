"""Real processes on real servers: workers as an operator starts them, Slack as the stand-in."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from approvals.ledger.database import Database
from approvals.ledger.decide import Outcome, decide
from approvals.ledger.find import find_approval, find_run, list_approvals
from approvals.ledger.start_run import NewMessage, start_run
from approvals.records import Approval, RunId
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door, Say
from approvals.settings import CLOCK_NEEDS, load_settings
from approvals.wakeup import Wakeups, connect
from demo.world import World, house_with_slack
from workers.agents.fleet import Fleet
from workers.clock import assemble
from workers.sweep.sweep import sweep

CONFIG = """\
agents:
  tester: {factory: "tests.workers.agents:build", model: "python:tests.workers.agents:model"}
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], timeout: 30m}
tools:
  look: {gate: never}
"""
PATIENCE_SECONDS = 30.0


@dataclass
class Scene:
    """A house with nothing running in it yet, and everything a test does to it from outside."""

    world: World
    db: Database
    wakeups: Wakeups
    fleet: Fleet
    trap: Path

    def ask(self, *turns: Any, number: int = 1) -> RunId:
        """Ana asks, as if by mention; the wake-up is on the queue."""
        people = self.world.people
        ts = self.world.slack.say(people.ana, people.ops, f"request {number}")
        message = NewMessage(self.world.slack.workspace.team_id, people.ops, ts, ts, people.ana, json.dumps(turns))
        run_id = start_run(self.db, "tester", message).run.id
        self.wakeups.wake(run_id)
        return run_id

    def decide(self, approval: Approval, say: Say, note: str | None = None) -> Outcome:
        """Bo decides, and the run is woken."""
        team = self.world.slack.workspace.team_id
        bo = Person(self.world.people.bo, team, Standing.MEMBER, frozenset({"oncall-sre"}))
        outcome = decide(self.db, self.again(approval).key, say, bo, Door.COMMAND_LINE, note)
        self.wakeups.wake(approval.run_id)
        return outcome

    def again(self, approval: Approval) -> Approval:
        found = find_approval(self.db, approval.id)
        assert found is not None
        return found

    def approvals(self, run_id: RunId) -> list[Approval]:
        return [a for a in list_approvals(self.db) if a.run_id == run_id]

    def status(self, run_id: RunId) -> str:
        run = find_run(self.db, run_id)
        assert run is not None
        return run.status

    def effects(self) -> list[str]:
        return [effect["target"] for effect in self.fleet.effects()]

    def sweep(self) -> dict[str, int]:
        """One sweep by hand, as the clock does it."""
        return sweep(assemble(load_settings(self.world.house.environ, CLOCK_NEEDS), self.db))

    def until(self, what: Callable[[], object]) -> Any:
        """Wait for something that other processes do."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (seen := what()):
            if time.monotonic() > deadline:
                raise AssertionError(
                    "not within patience; the workers said:\n" + self.world.house.log("workers")[-3000:]
                )
            time.sleep(0.05)
        return seen

    def first_approval(self, run_id: RunId) -> Approval:
        self.until(lambda: self.approvals(run_id))
        return self.approvals(run_id)[0]


@pytest.fixture
def scene(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Scene]:
    config = tmp_path / "countersign.yml"
    config.write_text(CONFIG, encoding="utf-8")
    trap = tmp_path / "hang-once"
    more = {"HANG_ONCE_FILE": str(trap)}
    with (
        Database(database_url, max_size=8) as db,
        house_with_slack(database_url, redis_url, config, tmp_path, more) as world,
    ):
        yield Scene(world, db, Wakeups(connect(redis_url)), Fleet(tmp_path / "fleet.jsonl"), trap)
