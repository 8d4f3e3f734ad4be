"""A tool's own time limit: what is not back in time may still happen, and so is unknown."""

import contextvars
from collections.abc import Iterator

import pytest

from approvals.rules.words import Effect, Gate, RunStatus, Say, Status
from tests.workers import written_tools
from tests.workers.bench import Bench, a_policy, a_rule
from workers.agents.load import AgentUnusable
from workers.time_limit import TooSlow, within

WRITTEN = "tests.workers.written_tools:"
SLOW, QUICK = ["strike", {"target": "slow"}], ["strike", {"target": "quick"}]


@pytest.fixture(autouse=True)
def the_tool_waits() -> Iterator[None]:
    """Until the test is over: then its threads go on, and end."""
    written_tools.GO_ON.clear()
    yield
    written_tools.GO_ON.set()


def test_what_is_back_in_time_is_as_ever(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}asking_in_time")
    run_id = bench.ask([QUICK])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    (call, question) = bench.approvals(run_id)
    assert (call.effect, question.status) == (Effect.PAUSED, Status.PENDING)
    bench.decide(question, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: struck quick: yes"
    assert len(bench.effects()) == 1


def test_what_is_not_back_in_time_is_unknown_and_a_person_is_asked(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}slow")
    run_id = bench.ask([SLOW])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.effect is Effect.UNKNOWN
    assert approval.reason == "it gave no answer within 0.05 s, and may still be at it"
    assert bench.run(run_id).status is RunStatus.WAITING
    bench.decide(approval, Say.IT_HAPPENED, note="all pods are new")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: all pods are new"


def test_an_idempotent_tool_is_run_again_as_after_a_crash_and_then_a_person_is_asked(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}slow", policy=a_policy(strike=a_rule(idempotent=True)))
    run_id = bench.ask([SLOW])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert (bench.only(run_id).effect, bench.only(run_id).attempt) == (Effect.UNKNOWN, 3)


def test_a_free_call_that_is_not_back_in_time_is_told_to_the_agent(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}slow", policy=a_policy(strike=a_rule(Gate.NEVER)))
    run_id = bench.ask([SLOW])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    heard = bench.heard(runner, run_id)
    assert heard.startswith("heard: `strike` may or may not have run: it gave no answer within 0.05 s")


def test_a_limit_that_means_nothing_is_refused_at_load(bench: Bench) -> None:
    with pytest.raises(AgentUnusable, match="has to be a number of seconds") as wrong:
        bench.runner(f"{WRITTEN}wrong_limit")
    assert "\n" not in str(wrong.value)


def test_work_runs_in_its_callers_context_and_what_it_raises_comes_out() -> None:
    variable = contextvars.ContextVar[str]("variable")
    variable.set("mine")
    assert within(60, variable.get) == "mine"
    with pytest.raises(TimeoutError, match="the work's own"):
        within(60, lambda: raise_(TimeoutError("the work's own")))
    with pytest.raises(SystemExit):
        within(60, lambda: raise_(SystemExit(3)))
    with pytest.raises(TooSlow):
        within(0.01, lambda: written_tools.GO_ON.wait(60))


def raise_(error: BaseException) -> None:
    raise error
