"""A tool that takes its key twice as one effect: a lost attempt is run again by itself, with the same key."""

import json

import pytest

from approvals.rules.rule import Rule
from approvals.rules.words import Effect, Say, Status
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.test_lost_effects import claimed

STRIKE = ["strike", {"target": "staging"}]
IDEMPOTENT = a_policy(strike=a_rule(idempotent=True))


def keys(bench: Bench) -> list[object]:
    return [effect.get("key") for effect in bench.effects()]


@pytest.mark.parametrize("factory", ["with_key_in_runtime", "with_key_in_config"])
def test_the_tool_is_given_a_key_that_stays_the_same_for_every_attempt(bench: Bench, factory: str) -> None:
    runner = bench.runner(factory, policy=IDEMPOTENT)
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    bench.decide(approval, Say.APPROVE)
    claimed(bench, run_id)
    runner.advance(run_id)
    again = bench.only(run_id)
    assert (again.effect, again.attempt) == (Effect.DONE, 2)
    assert keys(bench) == [f"{approval.id}.1"]


def test_another_call_has_another_key(bench: Bench) -> None:
    runner = bench.runner("with_key_in_runtime", policy=IDEMPOTENT)
    run_id = bench.ask([STRIKE, STRIKE])
    runner.advance(run_id)
    for approval in bench.approvals(run_id):
        bench.decide(approval, Say.APPROVE)
    runner.advance(run_id)
    assert len(set(keys(bench))) == 2


def test_what_kills_its_worker_each_time_is_asked_about_in_the_end(bench: Bench) -> None:
    runner = bench.runner(policy=IDEMPOTENT)
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    for _ in range(3):
        claimed(bench, run_id)
    runner.advance(run_id)
    assert bench.only(run_id).effect is Effect.UNKNOWN
    assert bench.effects() == []


def test_who_is_not_declared_idempotent_is_never_run_again_by_itself(bench: Bench) -> None:
    runner = bench.runner("with_key_in_runtime")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    claimed(bench, run_id)
    runner.advance(run_id)
    assert bench.only(run_id).effect is Effect.UNKNOWN
    assert bench.effects() == []


def test_declaring_it_while_a_call_waits_is_another_rule(bench: Bench) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    bench.runner(policy=IDEMPOTENT).advance(run_id)
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert bench.effects() == []


def test_an_older_row_without_the_field_still_reads() -> None:
    dumped = a_rule().model_dump(mode="json")
    del dumped["idempotent"]
    assert not Rule.model_validate(json.loads(json.dumps(dumped))).idempotent
