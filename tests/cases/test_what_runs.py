"""E5, E7, F4, H6, J: what runs is what was approved, whatever came in between; and what ran already is not repeated."""

import json

import pytest
from langgraph.types import Command
from pydantic import ValidationError

from approvals.ledger.start_run import NewMessage, start_run
from approvals.rules.words import Door, Effect, Gate, RunStatus, Say, Status
from tests.workers.bench import ANA, Bench, a_policy, a_rule, has_one_answer_per_call

STRIKE = ["strike", {"target": "staging"}]
EDIT = {"type": "edit", "edited_action": {"name": "break_down", "args": {"target": "prod"}}}


def test_case_e5_an_edit_that_names_another_tool_runs_neither(bench: Bench) -> None:
    """Somebody resumes the thread past the ledger, with a decision of their own making."""
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    bench.decide(approval, Say.APPROVE)
    runner.fences.held[run_id] = bench.run(run_id).fence
    graph, config = runner.agents["tester"], {"configurable": {"thread_id": run_id}}
    with pytest.raises(ValidationError, match="Input tag 'edit'"):
        graph.invoke(Command(resume={approval.interrupt_id: EDIT}), config)  # type: ignore[call-overload]
    assert bench.effects() == []
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 1}]


def test_case_e7_a_namesake_from_another_toolkit_does_not_run_on_the_old_yes(bench: Bench) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner = bench.runner("tests.cases.namesakes:build")
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert "the rule or the tool changed" in bench.heard(runner, run_id)


def test_case_f4_the_original_call_that_comes_back_after_an_edit_waits_anew(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE], [STRIKE])
    runner.advance(run_id)
    bench.edit(bench.only(run_id), target="search")
    runner.advance(run_id)
    edited, again = bench.approvals(run_id)
    assert [effect["target"] for effect in bench.effects()] == ["search"]
    assert (edited.effect, again.status, again.votes) == (Effect.DONE, Status.PENDING, ())
    assert json.loads(again.args_json)["target"] == "staging"


def test_case_h6_after_a_lost_effect_the_thread_is_whole_and_takes_the_next_message(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    bench.decide(approval, Say.APPROVE)
    # As if its worker had been killed right after the claim.
    bench.sql("UPDATE approvals SET effect = 'started', effect_fence = 0 WHERE id = %s", approval.id)
    bench.ask([["look", {}]], run=bench.run(run_id))
    runner.advance(run_id)
    assert bench.again(approval).effect is Effect.UNKNOWN
    bench.decide(approval, Say.IT_DID_NOT_HAPPEN)
    runner.advance(run_id)
    assert bench.effects() == []
    assert has_one_answer_per_call(bench.history(runner, run_id))
    assert bench.heard(runner, run_id) == "heard: looked"
    assert bench.run(run_id).status is RunStatus.DONE


@pytest.mark.parametrize("say", [Say.APPROVE, Say.REJECT])
def test_case_j_what_ran_before_the_pause_is_not_run_again_after_it(bench: Bench, say: Say) -> None:
    runner = bench.runner(policy=a_policy(strike=a_rule(Gate.NEVER)))
    run_id = bench.ask(
        [["strike", {"target": "before"}]], [["strike", {"target": "beside"}], ["refuse", {"target": "x"}]]
    )
    runner.advance(run_id)
    assert bench.only(run_id).tool == "refuse"
    bench.decide(bench.only(run_id), say)
    runner.advance(run_id)
    assert [effect["target"] for effect in bench.effects()] == ["before", "beside"]
    assert bench.run(run_id).status is RunStatus.DONE


@pytest.mark.parametrize("door", [Door.SLACK_MESSAGE, Door.SLACK_COMMAND, Door.SHORTCUT, Door.COMMAND_LINE])
def test_case_j_a_gated_call_waits_however_the_run_was_started(bench: Bench, door: Door) -> None:
    message = NewMessage("T1", "C1", f"{door}.0", f"{door}.0", ANA.user_id, json.dumps([[STRIKE], [STRIKE]]))
    run_id = start_run(bench.db, "tester", message, door).run.id
    bench.runner().advance(run_id)
    assert bench.only(run_id).status is Status.PENDING
    assert bench.effects() == []
