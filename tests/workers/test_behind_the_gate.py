"""What an author lists behind the gate cannot change what runs, nor how often."""

import pytest

from approvals.rules.words import Effect, RunStatus, Say
from tests.workers.bench import Bench

STRIKE = ["strike", {"target": "staging"}]
SHOWN = {"action": "strike", "target": "staging", "times": 1}


@pytest.mark.parametrize("factory", ["with_retry", "with_rewriter", "with_twice_over"])
def test_one_yes_is_one_effect_of_the_arguments_that_were_shown(bench: Bench, factory: str) -> None:
    runner = bench.runner(factory)
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert bench.effects() == [SHOWN]
    assert bench.only(run_id).effect is Effect.DONE
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_retry_does_not_run_a_tool_that_failed_again(bench: Bench) -> None:
    runner = bench.runner("with_retry")
    run_id = bench.ask([["break_down", {"target": "a"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert bench.only(run_id).effect is Effect.FAILED


def test_that_arguments_were_rewritten_is_on_the_record(bench: Bench) -> None:
    runner = bench.runner("with_rewriter")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    with bench.db.transaction() as tx:
        row = tx.execute("SELECT count(*) AS n FROM audit_log WHERE action = 'rewrite_ignored'").fetchone()
    assert row == {"n": 1}


@pytest.mark.parametrize("factory", ["with_retry", "with_rewriter", "with_twice_over"])
def test_a_no_stays_a_no(bench: Bench, factory: str) -> None:
    runner = bench.runner(factory)
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.REJECT)
    runner.advance(run_id)
    assert bench.effects() == []


def test_an_answer_in_the_tools_place_leaves_no_approval_waiting_for_an_effect(bench: Bench) -> None:
    runner = bench.runner("answering_itself")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.effect is Effect.FAILED
    assert approval.result == "Not run: other code of the agent answered in the tool's place."
    assert bench.effects() == []


@pytest.mark.parametrize("factory", ["bringing_a_tool", "renamed_before_the_gate"])
def test_a_gated_tool_that_is_smuggled_past_the_question_does_not_run(bench: Bench, factory: str) -> None:
    runner = bench.runner(factory)
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.approvals(run_id) == []
    assert "Not called" in bench.heard(runner, run_id)
