"""What a gated tool's own question is answered with: what a person said to it, in that attempt, and nothing else."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from approvals.ledger.freeze import find_freeze, freeze, unfreeze
from approvals.records import Approval, RunId
from approvals.rules.words import Door, Effect, RunStatus, Say, Shape, Status
from tests.workers.asking_tools import POINTS
from tests.workers.bench import BO, Bench, a_policy, a_rule

ROOT = Path(__file__).parents[2]
ASKING = "tests.workers.asking_tools"
FACTORIES = ["asks_twice", "asks_inside"]
LOSSES = [*((p,) for p in POINTS), *itertools.product(POINTS, repeat=2)]


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], None]:
    """Where the tool is to be lost, in the order in which it comes there."""
    file = tmp_path / "losses.json"
    monkeypatch.setenv("LOSSES_FILE", str(file))
    return lambda points: (file.write_text(json.dumps(points)), None)[1]


def say_what_is_due(bench: Bench, run_id: RunId) -> None:
    """A person says yes, answers each question by its name and attempt, and lets what was lost run again."""
    call = next(a for a in bench.approvals(run_id) if a.shape is Shape.GATED)
    for row in bench.approvals(run_id):
        if row.effect is Effect.UNKNOWN:
            bench.decide(row, Say.RUN_AGAIN)
        elif row.status is Status.PENDING and row.shape is Shape.GATED:
            bench.decide(row, Say.APPROVE)
        elif row.status is Status.PENDING:
            bench.decide(row, Say.RESPOND, note=answer_to(question_of(row), call.attempt))


def question_of(row: Approval) -> str:
    return str(json.loads(row.args_json)["question"])


def answer_to(question: str, attempt: int) -> str:
    return f"to {question} in attempt {attempt}"


def to_its_end(bench: Bench, run_id: RunId, advance: Callable[[], None]) -> None:
    for _ in range(20):
        advance()
        if bench.run(run_id).status is RunStatus.DONE:
            return
        say_what_is_due(bench, run_id)
    pytest.fail(f"it never ended: {[(a.tool, a.status, a.effect) for a in bench.approvals(run_id)]}")


def each_answer_was_given_in_its_attempt(bench: Bench, losses: int) -> None:
    attempt = 1
    for what in bench.effects():
        attempt += what["action"] == "lost"
        if what["action"] == "heard":
            assert what["answer"] == answer_to(what["question"], attempt)
    assert attempt == losses + 1
    (struck,) = [what for what in bench.effects() if what["action"] == "strike"]
    assert struck["when"] == answer_to("When prod?", attempt)
    assert struck["sure"] == answer_to("Really prod?", attempt)


@pytest.mark.parametrize("idempotent", [False, True], ids=["asked before it is run again", "run again by itself"])
@pytest.mark.parametrize("losses", LOSSES, ids=", then ".join)
@pytest.mark.parametrize("factory", FACTORIES)
def test_each_attempt_hears_only_what_was_said_to_it(
    bench: Bench, plan: Callable[[list[str]], None], factory: str, losses: tuple[str, ...], idempotent: bool
) -> None:
    plan(list(losses))
    runner = bench.runner(f"{ASKING}:{factory}", policy=a_policy(strike=a_rule(idempotent=idempotent)))
    run_id = bench.ask([["strike", {"target": "prod"}]])
    to_its_end(bench, run_id, lambda: runner.advance(run_id))
    each_answer_was_given_in_its_attempt(bench, len(losses))


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_it_is_so_when_its_worker_is_killed_and_nothing_of_it_was_saved(
    bench: Bench, plan: Callable[[list[str]], None], monkeypatch: pytest.MonkeyPatch, factory: str, point: str
) -> None:
    monkeypatch.setenv("KILLED", "yes")
    plan([point])
    run_id = bench.ask([["strike", {"target": "prod"}]])
    to_its_end(bench, run_id, lambda: advance_elsewhere(bench, f"{ASKING}:{factory}", run_id))
    each_answer_was_given_in_its_attempt(bench, 1)


def advance_elsewhere(bench: Bench, factory: str, run_id: RunId) -> None:
    environ = {**os.environ, "DATABASE_URL": bench.db.url, "LANGGRAPH_STRICT_MSGPACK": "true"}
    command = [sys.executable, "-m", "tests.workers.elsewhere", factory, run_id, "{}"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode in (0, 9), done.stderr[-3000:]


@pytest.mark.parametrize("order", list(itertools.permutations("123")), ids="".join)
def test_calls_made_at_once_each_hear_their_own_answers(bench: Bench, order: tuple[str, ...]) -> None:
    runner = bench.runner(f"{ASKING}:asks_twice")
    run_id = bench.ask([["strike", {"target": target}] for target in "123"])
    for say in (Say.APPROVE, Say.RESPOND, Say.RESPOND):
        runner.advance(run_id)
        waiting = [a for a in bench.approvals(run_id) if a.status is Status.PENDING]
        for target in order:
            (row,) = [a for a in waiting if target in about(a)]
            bench.decide(row, say, note=answer_to(about(row), 1) if say is Say.RESPOND else None)
            runner.advance(run_id)
    struck = [e for e in bench.effects() if e["action"] == "strike"]
    assert sorted(e["target"] for e in struck) == ["1", "2", "3"]
    for effect in struck:
        assert effect["when"] == answer_to(f"When {effect['target']}?", 1)
        assert effect["sure"] == answer_to(f"Really {effect['target']}?", 1)


def about(row: Approval) -> str:
    args: dict[str, Any] = json.loads(row.args_json)
    return str(args.get("question") or args["target"]).removeprefix("strike")


@pytest.mark.parametrize("losses", [(), *((p,) for p in POINTS)], ids=lambda losses: ", ".join(losses) or "not lost")
def test_who_asks_after_the_tool_hears_none_of_its_answers(
    bench: Bench, plan: Callable[[list[str]], None], losses: tuple[str, ...]
) -> None:
    plan(list(losses))
    runner = bench.runner(f"{ASKING}:asked_about_afterwards")
    run_id = bench.ask([["strike", {"target": "prod"}]])
    to_its_end(bench, run_id, lambda: runner.advance(run_id))
    each_answer_was_given_in_its_attempt(bench, len(losses))
    assert answer_to("Keep it?", len(losses) + 1) in [e.get("answer") for e in bench.effects()]


def test_what_wakes_the_guard_after_a_stop_is_no_answer(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is frozen between the runner's look and the claim."""
    runner = bench.runner(f"{ASKING}:asks_twice")
    run_id = bench.ask([["strike", {"target": "prod"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    with monkeypatch.context() as between:
        looks = iter([lambda db: None])
        between.setattr("workers.runner.find_freeze", lambda db: next(looks, find_freeze)(db))  # noqa: PLW0108
        freeze(bench.db, BO, "incident", Door.COMMAND_LINE)
        runner._tenure(run_id)
    unfreeze(bench.db, BO, Door.COMMAND_LINE)
    to_its_end(bench, run_id, lambda: runner.advance(run_id))
    each_answer_was_given_in_its_attempt(bench, 0)


def test_a_question_of_a_lost_attempt_is_asked_anew_and_its_card_is_closed(
    bench: Bench, plan: Callable[[list[str]], None]
) -> None:
    """Another call of the turn is answered, which runs this one up to its question; there its worker dies."""
    runner = bench.runner(f"{ASKING}:asks_twice")
    run_id = bench.ask([["strike", {"target": "prod"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    stale = bench.approvals(run_id)[1]
    # As a worker that claims the paused call and dies.
    bench.sql("UPDATE approvals SET effect = 'started', effect_fence = 0 WHERE run_id = %s AND shape = 'gated'", run_id)
    bench.sql("UPDATE runs SET status = 'running' WHERE id = %s", run_id)
    runner.advance(run_id)
    assert bench.again(stale).status is Status.CANCELLED
    to_its_end(bench, run_id, lambda: runner.advance(run_id))
    (struck,) = [e for e in bench.effects() if e["action"] == "strike"]
    assert struck["when"] == answer_to("When prod?", 2)
    assert struck["sure"] == answer_to("Really prod?", 2)


def test_an_answer_given_while_all_is_frozen_is_heard_when_that_is_over(bench: Bench) -> None:
    runner = bench.runner(f"{ASKING}:asks_twice")
    run_id = bench.ask([["strike", {"target": "prod"}]])
    for _ in range(2):
        runner.advance(run_id)
        say_what_is_due(bench, run_id)
    freeze(bench.db, BO, "incident", Door.COMMAND_LINE)
    runner.advance(run_id)
    runner._tenure(run_id)
    assert bench.effects() == []
    unfreeze(bench.db, BO, Door.COMMAND_LINE)
    to_its_end(bench, run_id, lambda: runner.advance(run_id))
    each_answer_was_given_in_its_attempt(bench, 0)
