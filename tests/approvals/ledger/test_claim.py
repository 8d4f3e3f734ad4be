"""The guard's permission: exactly this call, under this fence, once."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel import cancel_open
from approvals.ledger.claim import (
    CHANGED,
    NO_TOOL,
    AwaitsPerson,
    CallRef,
    Ended,
    NoRecord,
    NotPermitted,
    claim,
)
from approvals.ledger.tenure import FenceRaised
from approvals.rules.digest import rule_hash
from approvals.rules.transitions import CLEARED, DONE, FAILED, PAUSED, STARTED, UNKNOWN, WAITING, State
from approvals.rules.words import Effect, Say, Status
from tests.approvals.ledger.world import BO, CLOSED, TOOL_HASH, World, a_rule


def test_an_approved_call_is_started_under_the_claimers_fence(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.APPROVE)
    claimed = world.claim(approval)
    assert claimed == replace(world.now(approval), votes=())
    assert (claimed.effect, claimed.effect_fence) == (Effect.STARTED, world.run().fence)
    assert claimed.effect_started_at is not None


def test_a_second_claim_runs_nothing(world: World) -> None:
    approval = world.approval(CLEARED)
    first = world.claim(approval)
    assert world.try_claim(approval) == AwaitsPerson(first)
    assert world.actions(approval) == ["open", "claim"]


def test_a_paused_effect_may_be_entered_again_in_a_later_tenure(world: World) -> None:
    approval = world.approval(PAUSED)
    run = world.next_tenure(approval.run_id)
    claimed = world.claim(approval)
    assert (claimed.effect, claimed.effect_fence) == (Effect.STARTED, run.fence)


def test_an_effect_begun_in_an_earlier_tenure_is_unknown_and_awaits_a_person(world: World) -> None:
    approval = world.approval(STARTED)
    world.next_tenure(approval.run_id)
    outcome = world.try_claim(approval)
    assert outcome == AwaitsPerson(world.now(approval))
    assert world.now(approval).effect is Effect.UNKNOWN
    assert world.actions(approval)[-1] == "lose"


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        (WAITING, AwaitsPerson),
        (UNKNOWN, AwaitsPerson),
        (DONE, Ended),
        (FAILED, Ended),
        *((state, NotPermitted) for state in CLOSED),
    ],
    ids=str,
)
def test_what_is_not_cleared_runs_nothing_and_stays_as_it_is(world: World, state: State, outcome: type) -> None:
    approval = world.approval(state)
    assert world.try_claim(approval) == outcome(approval)
    assert world.now(approval) == approval


MUTATED: dict[str, tuple[dict[str, Any], type | None]] = {
    "another run": ({"run_id": str(uuid.UUID(int=1))}, None),
    "another namespace": ({"checkpoint_ns": "tools:1"}, NoRecord),
    "another call": ({"tool_call_id": "call0"}, NoRecord),
    "another tool": ({"tool_hash": "tool-2"}, NotPermitted),
    "no tool": ({"tool_hash": ""}, NotPermitted),
    "another rule": ({"rule_hash": rule_hash(a_rule(quorum=2))}, NotPermitted),
    "no rule": ({"rule_hash": ""}, NotPermitted),
    "an older fence": ({"fence": 0}, None),
    "a fence of the future": ({"fence": 2}, None),
}


@pytest.mark.parametrize("mutation", MUTATED)
def test_a_claim_that_differs_in_anything_starts_nothing(world: World, mutation: str) -> None:
    changed, outcome = MUTATED[mutation]
    approval = world.approval(CLEARED)
    if outcome is None:
        with pytest.raises(FenceRaised):
            world.try_claim(approval, **changed)
    else:
        assert isinstance(world.try_claim(approval, **changed), outcome)
    now = world.now(approval)
    assert now.effect is Effect.NONE
    assert now.status is (Status.SUPERSEDED if outcome is NotPermitted else Status.APPROVED)
    why = NO_TOOL if mutation == "no tool" else CHANGED
    assert now.reason == (why if outcome is NotPermitted else None)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("args_json", '{"service":"checkout" }'),
        ("args_json", '{"service":"payments"}'),
        ("tool", "delete"),
        ("digest", "0" * 64),
        ("rule_hash", "0" * 64),
    ],
)
def test_a_row_changed_behind_our_back_is_superseded(world: World, column: str, value: str) -> None:
    approval = world.approval(CLEARED)
    world.sql(f"UPDATE approvals SET {column} = %s WHERE id = %s", value, approval.id)
    outcome = world.try_claim(approval)
    assert outcome == NotPermitted(world.now(approval))
    assert world.now(approval).status is Status.SUPERSEDED
    assert world.actions(approval)[-1] == "supersede"


def test_a_call_of_another_run_is_not_found_under_this_ones(world: World) -> None:
    approval, other = world.approval(CLEARED), world.run()
    call = CallRef(other.id, approval.checkpoint_ns, approval.tool_call_id)
    outcome = claim(world.db, call, tool_hash=TOOL_HASH, rule_hash=approval.rule_hash, fence=other.fence)
    assert outcome == NoRecord()


def test_who_had_approved_stays_on_a_superseded_row(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.APPROVE, BO)
    decided_at = world.now(approval).decided_at
    world.try_claim(approval, tool_hash="tool-2")
    now = world.now(approval)
    assert (now.decided_by, now.decided_at, now.settled_by) == (BO.user_id, decided_at, "system")


def test_a_superseded_call_stays_so_when_tool_and_rule_are_back(world: World) -> None:
    approval = world.approval(CLEARED)
    world.try_claim(approval, tool_hash="tool-2")
    assert isinstance(world.try_claim(approval), NotPermitted)


def test_a_paused_effect_whose_tool_changed_ends_as_failed(world: World) -> None:
    approval = world.approval(PAUSED)
    outcome = world.try_claim(approval, tool_hash="tool-2")
    assert outcome == Ended(world.now(approval))
    assert (world.now(approval).effect, world.now(approval).result) == (Effect.FAILED, CHANGED)
    assert world.actions(approval) == ["open", "claim", "fail"]


def test_a_claim_that_comes_during_a_cancellation_waits_for_it_and_is_refused(world: World) -> None:
    approval = world.approval(CLEARED)
    with ThreadPoolExecutor(1) as thread:
        with world.db.transaction() as tx:
            cancel_open(world.db, tx, approval.run_id, WORKER, "wrong cluster")
            outcome = thread.submit(world.try_claim, approval)
            with pytest.raises(TimeoutError):
                outcome.result(0.2)
        assert outcome.result(10) == NotPermitted(world.now(approval))
    assert world.now(approval).status is Status.CANCELLED
