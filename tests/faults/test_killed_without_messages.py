"""A graph without messages has no place for a message's id: it is delivered once all the same, wherever the worker
is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from approvals.rules.words import Say
from tests.faults import bodies
from tests.faults.lab import Lab, a_lab

CONFIG = """\
agents:
  tester:
    factory: "tests.workers.wordless:build"
    model: "python:tests.workers.agents:model"
    ungated: true
    input: "tests.workers.wordless:takes"
    output: "tests.workers.wordless:says"
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], timeout: 30m}
"""

AROUND_THE_NODES = [
    "after_mark_handed_commit",
    "before_invoke",
    "before_checkpoint_saved",
    "after_checkpoint_saved",
    "after_invoke",
    "before_mark_delivered_commit",
    "after_mark_delivered_commit",
    "before_say_commit",
    "after_say_commit",
]


@pytest.fixture
def lab(database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    with a_lab(database_url, redis_url, tmp_path, CONFIG) as made:
        yield made


def acted(lab: Lab) -> list[str]:
    return [effect["action"] for effect in lab.fleet.effects()]


def answers(lab: Lab) -> list[str]:
    return [m.text for m in lab.world.slack.messages(lab.world.people.ops) if m.text.startswith("done:")]


@pytest.mark.parametrize("point", AROUND_THE_NODES)
def test_killed_around_its_nodes_each_runs_once_and_the_answer_comes_once(lab: Lab, point: str) -> None:
    run_id = lab.ask("hello")
    lab.dies(point, bodies.advance, run_id)
    lab.converge()
    assert acted(lab) == ["begin", "end"]
    assert answers(lab) == ['done: ["hello"], after nobody']
    assert lab.status(run_id) == "done"


@pytest.mark.parametrize("point", ["before_writes_saved", "after_writes_saved"])
def test_killed_in_a_node_the_thread_goes_on_from_there_and_does_not_begin_anew(lab: Lab, point: str) -> None:
    run_id = lab.ask("ask")
    lab.advance(run_id)
    lab.sql("UPDATE messages SET delivered_at = NULL")
    lab.decide(lab.first_approval(run_id), Say.RESPOND, "Bo")
    lab.dies(point, bodies.advance, run_id)
    lab.converge()
    assert acted(lab).count("begin") == 1
    assert answers(lab) == ['done: ["ask"], after Bo']
    assert len(lab.approvals(run_id)) == 1
