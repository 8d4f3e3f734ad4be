"""A call waits, and the next deploy is another one. Reject never runs anything; approve never runs what was
not shown, nor under a rule that people were not held to."""

from datetime import timedelta

import pytest

from approvals.rules.rule import Approvers
from approvals.rules.select_rule import Policy
from approvals.rules.words import Effect, Gate, RunStatus, Say, Status
from tests.workers.bench import Bench, a_policy, a_rule
from workers.agents.load import AgentUnusable

STRIKE = ["strike", {"target": "staging"}]

CHANGES: dict[str, tuple[str, Policy]] = {
    "the tool is un-gated": ("build", a_policy(strike=a_rule(Gate.NEVER))),
    "other people may decide": ("build", a_policy(strike=a_rule(approvers=(Approvers(name="x", users=("U9",)),)))),
    "the requester may approve": ("build", a_policy(strike=a_rule(self_approval=True))),
    "two must say yes": ("build", a_policy(strike=a_rule(quorum=2))),
    "the tool has a new default": ("changed_schema", a_policy()),
    "the tool is gone": ("tool_gone", a_policy()),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("decided_before", [True, False])
def test_a_no_runs_nothing(bench: Bench, change: str, decided_before: bool) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    if decided_before:
        bench.decide(bench.only(run_id), Say.REJECT)
    runner = bench.runner(*CHANGES[change])
    runner.advance(run_id)
    if not decided_before:
        bench.decide(bench.only(run_id), Say.REJECT)
        runner.advance(run_id)
    assert bench.effects() == []
    assert bench.only(run_id).status is Status.REJECTED
    assert bench.run(run_id).status is RunStatus.DONE


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("decided_before", [True, False])
def test_a_yes_runs_nothing_that_was_not_shown(bench: Bench, change: str, decided_before: bool) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    if decided_before:
        bench.decide(bench.only(run_id), Say.APPROVE)
    runner = bench.runner(*CHANGES[change])
    runner.advance(run_id)
    if not decided_before:
        bench.decide(bench.only(run_id), Say.APPROVE)
        runner.advance(run_id)
    assert bench.effects() == []
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert "Call it again if it is still needed" in bench.heard(runner, run_id)


def test_texts_and_times_of_a_rule_may_change_under_a_waiting_call(bench: Bench) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    runner = bench.runner(policy=a_policy(strike=a_rule(summary="Strike {target}", timeout=timedelta(hours=9))))
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert bench.only(run_id).effect is Effect.DONE


def test_the_call_that_comes_again_says_what_it_replaces(bench: Bench) -> None:
    run_id = bench.ask([STRIKE], [STRIKE])
    bench.runner().advance(run_id)
    first = bench.only(run_id)
    runner = bench.runner(policy=a_policy(strike=a_rule(quorum=2)))
    bench.decide(first, Say.APPROVE)
    runner.advance(run_id)
    second = bench.approvals(run_id)[1]
    assert second.replaces == first.id


@pytest.mark.parametrize("say", [Say.APPROVE, Say.REJECT])
def test_an_agent_that_lost_its_gate_is_not_started_at_all(bench: Bench, say: Say) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    bench.decide(bench.only(run_id), say)
    with pytest.raises(AgentUnusable, match="without the gate"):
        bench.runner("without_gate")
    assert bench.effects() == []


def test_a_run_whose_agent_is_gone_stops_visibly(bench: Bench) -> None:
    run_id = bench.ask([STRIKE])
    runner = bench.runner()
    runner.advance(run_id)
    bench.sql("UPDATE runs SET agent = 'renamed', status = 'queued'")
    runner.advance(run_id)
    run = bench.run(run_id)
    assert run.status is RunStatus.STUCK
    assert "no agent named renamed" in (run.reason or "")
    assert bench.only(run_id).status is Status.CANCELLED


def test_a_checkpoint_that_is_gone_starts_nothing_from_scratch(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    runner.kept.saver.delete_thread(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert bench.effects() == []
    approval = bench.only(run_id)
    assert approval.effect is Effect.FAILED
    assert approval.applied_at is not None
