"""Tools of every make: what is shown is what runs, once, and the agent hears it."""

import json
from typing import Any

import pytest

from approvals.rules.words import Effect, RunStatus, Say
from tests.workers.bench import Bench, has_one_answer_per_call

SHAPES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "with_state": ({"target": "a"}, "saw", {"target": "a", "messages": 2}),
    "with_runtime": ({"target": "a"}, "ran", {"target": "a", "call": True}),
    "with_call_id": ({"target": "a"}, "commanded", {"target": "a"}),
    "with_artifact": ({"target": "a"}, "main", {"target": "a"}),
    "with_models": (
        {"level": "high", "window": {"start": "2026-11-30T03:00:00Z"}},
        "modelled",
        {"level": "high", "start": "2026-11-30T03:00:00+00:00", "minutes": 30, "tags": None},
    ),
    "by_json": ({"n": 3}, "by json", {"n": 3}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_tool_of_any_make_runs_once_as_shown(bench: Bench, name: str) -> None:
    args, said, effect = SHAPES[name]
    runner = bench.runner("tests.workers.shapes:build")
    run_id = bench.ask([[name, args]])
    runner.advance(run_id)
    shown = json.loads(bench.only(run_id).args_json)
    assert not {"state", "runtime", "call_id"} & set(shown)
    assert bench.effects() == []
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert bench.effects() == [{"action": name, **effect}]
    assert bench.only(run_id).result == said
    assert bench.heard(runner, run_id) == f"heard: {said}"


def test_defaults_inside_a_nested_value_are_shown_too(bench: Bench) -> None:
    runner = bench.runner("tests.workers.shapes:build")
    run_id = bench.ask([["with_models", {"level": "low", "window": {"start": "2026-11-30T03:00:00Z"}}]])
    runner.advance(run_id)
    shown = json.loads(bench.only(run_id).args_json)
    assert shown["window"]["minutes"] == 30
    assert shown["tags"] is None


def test_a_tool_that_only_runs_in_an_event_loop_is_not_asked_about(bench: Bench) -> None:
    runner = bench.runner("tests.workers.shapes:build")
    run_id = bench.ask([["only_async", {"target": "a"}]])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    assert "event loop" in bench.heard(runner, run_id)


def test_a_tool_that_ends_the_turn_ends_it_after_the_yes(bench: Bench) -> None:
    runner = bench.runner("tests.workers.shapes:build")
    run_id = bench.ask([["direct", {"target": "a"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_yes_to_a_tool_with_an_agent_inside_covers_what_that_agent_does(bench: Bench) -> None:
    """The inner agent has no gate of its own: what was approved is the call that contains it."""
    runner = bench.runner("tests.workers.shapes:build")
    run_id = bench.ask([["asks_an_agent", {"target": "a"}]])
    runner.advance(run_id)
    assert bench.effects() == []
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["strike"]


def test_two_identical_calls_are_two_approvals(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": "a"}], ["strike", {"target": "a"}]])
    runner.advance(run_id)
    first, second = bench.approvals(run_id)
    bench.decide(first, Say.APPROVE)
    bench.decide(second, Say.REJECT)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert bench.again(second).effect is Effect.NONE


def test_twenty_calls_in_one_turn_are_twenty_approvals(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": f"t{n}"}] for n in range(20)])
    runner.advance(run_id)
    approvals = bench.approvals(run_id)
    assert len(approvals) == 20
    for n, approval in enumerate(approvals):
        bench.decide(approval, Say.APPROVE if n % 2 else Say.REJECT)
    runner.advance(run_id)
    assert len(bench.effects()) == 10
    assert has_one_answer_per_call(bench.history(runner, run_id))
