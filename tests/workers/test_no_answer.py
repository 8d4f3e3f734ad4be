"""A tool whose call gave no answer: nobody knows what came of it, and a person is asked, as after a crash."""

import pytest

from approvals.rules.words import Effect, RunStatus, Say
from tests.workers.bench import Bench, a_policy, a_rule
from workers.runner import Runner

VANISH = ["vanish", {"target": "prod"}]


def vanished(bench: Bench, runner: Runner, *turns: object) -> str:
    run_id = bench.ask(*(turns or ([VANISH],)))
    runner.advance(run_id)
    for approval in bench.approvals(run_id):
        bench.decide(approval, Say.APPROVE)
    runner.advance(run_id)
    return run_id


def test_it_is_unknown_the_run_waits_and_nothing_runs_again(bench: Bench) -> None:
    runner = bench.runner()
    run_id = vanished(bench, runner)
    for _ in range(3):
        runner.advance(run_id)
    approval = bench.only(run_id)
    assert (approval.effect, approval.reason) == (Effect.UNKNOWN, "its connection was cut before it reported")
    assert len(bench.effects()) == 1
    assert bench.run(run_id).status is RunStatus.WAITING
    assert bench.doing(run_id) == [("waiting for somebody to look at what happened", False)]
    assert approval.id in bench.shown


@pytest.mark.parametrize(
    ("say", "heard", "effect"),
    [
        (Say.IT_HAPPENED, "heard: all pods 03:14", Effect.DONE),
        (Say.IT_DID_NOT_HAPPEN, "It did not happen: a person checked", Effect.FAILED),
    ],
)
def test_what_a_person_found_is_what_the_agent_hears(bench: Bench, say: Say, heard: str, effect: Effect) -> None:
    runner = bench.runner()
    run_id = vanished(bench, runner)
    bench.decide(bench.only(run_id), say, note="all pods 03:14")
    runner.advance(run_id)
    assert heard in bench.heard(runner, run_id)
    assert bench.only(run_id).effect is effect
    assert len(bench.effects()) == 1
    assert bench.run(run_id).status is RunStatus.DONE


def test_run_again_runs_it_exactly_once_more(bench: Bench) -> None:
    runner = bench.runner()
    run_id = vanished(bench, runner)
    bench.decide(bench.only(run_id), Say.RUN_AGAIN)
    bench.runner().advance(run_id)
    approval = bench.only(run_id)
    assert (approval.effect, approval.attempt) == (Effect.DONE, 2)
    assert len(bench.effects()) == 2
    assert bench.heard(runner, run_id) == "heard: there"


def test_a_tool_that_takes_its_key_twice_as_one_effect_is_run_again_at_once(bench: Bench) -> None:
    runner = bench.runner(policy=a_policy(vanish=a_rule(idempotent=True)))
    run_id = vanished(bench, runner)
    assert (bench.only(run_id).effect, bench.only(run_id).attempt) == (Effect.DONE, 2)
    assert bench.heard(runner, run_id) == "heard: there"


def test_a_call_beside_it_is_done_and_stays_done(bench: Bench) -> None:
    runner = bench.runner()
    run_id = vanished(bench, runner, [VANISH, ["refuse", {"target": "x"}]])
    (first, second) = bench.approvals(run_id)
    assert (first.effect, second.effect) == (Effect.UNKNOWN, Effect.FAILED)
    bench.decide(first, Say.IT_HAPPENED, note="seen")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: seen | no such target: x"
