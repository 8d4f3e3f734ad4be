"""Started, and whoever started it is gone: unknown, and a person is asked."""

import pytest

from approvals.ledger.claim import CallRef, Claimed, Seen, claim
from approvals.ledger.decide import Decided, Refused
from approvals.ledger.finish import finish
from approvals.ledger.lose import lose_started
from approvals.ledger.tenure import FenceRaised, raise_fence
from approvals.records import Approval, RunId
from approvals.rules.digest import rule_hash
from approvals.rules.transitions import Verb
from approvals.rules.words import Effect, RunStatus, Say
from tests.workers.bench import ANA, Bench
from workers.runner import Runner

STRIKE = ["strike", {"target": "staging"}]


def claimed(bench: Bench, run_id: RunId) -> Approval:
    """As a worker that claims the approved call and dies: nothing of it reaches LangGraph."""
    approval = bench.only(run_id)
    run = raise_fence(bench.db, run_id)
    assert run is not None
    call = CallRef(run_id, approval.checkpoint_ns, approval.tool_call_id)
    seen = Seen(approval.args_json, approval.fingerprint)
    hashes = {"tool_hash": approval.tool_hash, "rule_hash": rule_hash(approval.rule)}
    outcome = claim(bench.db, call, **hashes, fence=run.fence, seen=seen)
    assert isinstance(outcome, Claimed)
    return outcome.approval


@pytest.fixture
def lost(bench: Bench) -> tuple[Bench, Runner, RunId]:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    claimed(bench, run_id)
    bench.fleet.act("strike", target="staging", times=1)
    runner.advance(run_id)
    return bench, runner, run_id


def test_it_is_unknown_and_is_not_run_again(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, runner, run_id = lost
    for _ in range(3):
        runner.advance(run_id)
    assert bench.only(run_id).effect is Effect.UNKNOWN
    assert len(bench.effects()) == 1
    assert bench.run(run_id).status is RunStatus.WAITING


def test_it_happened_gives_the_agent_the_note_as_the_result(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, runner, run_id = lost
    assert isinstance(bench.decide(bench.only(run_id), Say.IT_HAPPENED, note="all pods 03:14"), Decided)
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: all pods 03:14"
    assert len(bench.effects()) == 1
    assert bench.only(run_id).effect is Effect.DONE


def test_it_did_not_happen_is_told_to_the_agent(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, runner, run_id = lost
    bench.decide(bench.only(run_id), Say.IT_DID_NOT_HAPPEN)
    runner.advance(run_id)
    assert "It did not happen" in bench.heard(runner, run_id)
    assert len(bench.effects()) == 1


def test_run_again_runs_it_exactly_once_more(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, runner, run_id = lost
    older = bench.only(run_id)
    assert isinstance(bench.decide(older, Say.RUN_AGAIN), Decided)
    runner.advance(run_id)
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert (approval.attempt, approval.effect) == (2, Effect.DONE)
    assert len(bench.effects()) == 2
    assert bench.heard(runner, run_id) == "heard: struck staging x1"


def test_the_requester_may_not_have_it_run_again(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, _, run_id = lost
    assert isinstance(bench.decide(bench.only(run_id), Say.RUN_AGAIN, ANA), Refused)
    assert bench.only(run_id).attempt == 1


def test_a_worker_that_comes_back_late_can_write_nothing(lost: tuple[Bench, Runner, RunId]) -> None:
    bench, _, run_id = lost
    stale = bench.only(run_id)
    with pytest.raises(FenceRaised):
        finish(bench.db, stale, Verb.FINISH, result="late")
    assert bench.only(run_id).effect is Effect.UNKNOWN


def test_a_result_that_was_stored_is_given_again_without_running(bench: Bench) -> None:
    """The worker dies between the result and the checkpoint."""
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    finish(bench.db, claimed(bench, run_id), Verb.FINISH, result="struck staging x1")
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.heard(runner, run_id) == "heard: struck staging x1"


def test_a_started_sibling_does_not_hold_back_the_others(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": "a"}], ["strike", {"target": "b"}]])
    runner.advance(run_id)
    first, second = bench.approvals(run_id)
    bench.decide(first, Say.APPROVE)
    run = raise_fence(bench.db, run_id)
    assert run is not None
    call = CallRef(run_id, first.checkpoint_ns, first.tool_call_id)
    claim(bench.db, call, tool_hash=first.tool_hash, rule_hash=rule_hash(first.rule), fence=run.fence)
    bench.decide(second, Say.APPROVE)
    runner.advance(run_id)
    assert bench.again(first).effect is Effect.UNKNOWN
    assert bench.again(second).effect is Effect.DONE
    assert [e["target"] for e in bench.effects()] == [{"a": "b", "b": "a"}[first.args_json[11]]]


def test_losing_is_for_older_fences_only(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    claimed(bench, run_id)
    assert lose_started(bench.db, bench.run(run_id)) == []
