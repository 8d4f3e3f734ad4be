"""What came of an effect, and what becomes of those whose worker is gone or whose agent went on."""

from dataclasses import replace

import pytest

from approvals.ledger.apply import ANSWERED_ELSEWHERE, NO_LONGER_ASKED, STOPPED_HALF_WAY, mark_applied, withdraw
from approvals.ledger.audit import Actor
from approvals.ledger.cancel import cancel_open
from approvals.ledger.finish import finish
from approvals.ledger.lose import lose_started
from approvals.ledger.rows import state_of
from approvals.ledger.tenure import FenceRaised
from approvals.rules.transitions import CLEARED, DONE, PAUSED, STARTED, UNKNOWN, WAITING, Verb
from approvals.rules.words import Door, Effect, Say, Status
from tests.approvals.ledger.world import BO, STATES, World


@pytest.mark.parametrize(("verb", "effect"), [(Verb.FINISH, Effect.DONE), (Verb.FAIL, Effect.FAILED)])
def test_an_outcome_keeps_its_words_its_bytes_and_when_it_ended(world: World, verb: Verb, effect: Effect) -> None:
    claimed = world.claim(world.approval(CLEARED))
    now = finish(world.db, claimed, verb, result="12 pods", replay=b"\x00msgpack")
    assert now == world.now(claimed)
    assert (now.effect, now.result, now.replay) == (effect, "12 pods", b"\x00msgpack")
    assert now.effect_ended_at is not None


def test_a_pause_is_no_end(world: World) -> None:
    now = finish(world.db, world.claim(world.approval(CLEARED)), Verb.PAUSE)
    assert (now.effect, now.effect_ended_at) == (Effect.PAUSED, None)


@pytest.mark.parametrize("verb", [Verb.FINISH, Verb.FAIL, Verb.PAUSE])
def test_an_outcome_from_an_earlier_tenure_changes_nothing_but_the_audit(world: World, verb: Verb) -> None:
    claimed = world.claim(world.approval(CLEARED))
    world.next_tenure(claimed.run_id)
    with pytest.raises(FenceRaised):
        finish(world.db, claimed, verb, result="too late")
    assert world.now(claimed) == claimed
    row = world.audit(claimed)[-1]
    assert (row["action"], row["state_to"], row["details"]) == ("late_outcome", None, {"outcome": verb})


def test_an_outcome_after_the_effect_was_found_lost_leaves_it_unknown(world: World) -> None:
    claimed = world.claim(world.approval(CLEARED))
    lose_started(world.db, world.next_tenure(claimed.run_id))
    with pytest.raises(FenceRaised):
        finish(world.db, claimed, Verb.FINISH)
    assert world.now(claimed).effect is Effect.UNKNOWN


def test_the_first_attempts_outcome_does_not_end_the_second(world: World) -> None:
    first = world.claim(world.approval(CLEARED))
    (lost,) = lose_started(world.db, world.next_tenure(first.run_id))
    world.decide(lost, Say.RUN_AGAIN)
    second = world.claim(lost)
    with pytest.raises(FenceRaised):
        finish(world.db, first, Verb.FINISH)
    assert replace(world.now(first), votes=()) == second


def test_an_outcome_is_reported_once(world: World) -> None:
    claimed = world.claim(world.approval(CLEARED))
    done = finish(world.db, claimed, Verb.FINISH, result="first")
    with pytest.raises(FenceRaised):
        finish(world.db, claimed, Verb.FAIL, result="second")
    assert world.now(claimed) == done


def test_only_what_began_in_an_earlier_tenure_is_lost(world: World) -> None:
    run = world.run()
    old = [world.claim(world.approval(CLEARED, run=run)) for _ in range(2)]
    elsewhere = world.claim(world.approval(CLEARED))
    run = world.next_tenure(run.id)
    ours = world.claim(world.approval(CLEARED, run=run))
    assert {a.id for a in lose_started(world.db, run)} == {a.id for a in old}
    assert {world.now(a).effect for a in old} == {Effect.UNKNOWN}
    assert {world.now(a).effect for a in (ours, elsewhere)} == {Effect.STARTED}


def test_what_is_lost_is_lost_once(world: World) -> None:
    approval = world.claim(world.approval(CLEARED))
    assert len(lose_started(world.db, world.next_tenure(approval.run_id))) == 1
    assert lose_started(world.db, world.next_tenure(approval.run_id)) == []
    assert world.actions(approval).count("lose") == 1


def test_an_approved_call_that_the_agent_went_on_from_ends_as_failed(world: World) -> None:
    run = world.run()
    approval = world.approval(CLEARED, run=run)
    mark_applied(world.db, run, approval.id)
    now = world.now(approval)
    assert (now.effect, now.result) == (Effect.FAILED, ANSWERED_ELSEWHERE)
    assert now.applied_at is not None
    assert now.effect_ended_at is not None
    assert world.actions(approval) == ["open", "bypass"]


@pytest.mark.parametrize("state", [s for s in STATES if s not in (WAITING, CLEARED, PAUSED)], ids=str)
def test_that_the_agent_heard_is_noted_once_and_moves_nothing(world: World, state: object) -> None:
    run = world.run()
    approval = world.approval(state, run=run)
    mark_applied(world.db, run, approval.id)
    heard = world.now(approval)
    mark_applied(world.db, run, approval.id)
    assert world.now(approval) == heard
    assert (state_of(heard), heard.applied_at is not None) == (state, True)
    assert world.actions(approval) == ["open"]


def test_an_effect_that_paused_itself_and_was_left_there_is_failed_and_says_so(world: World) -> None:
    run = world.run()
    approval = world.approval(PAUSED, run=run)
    mark_applied(world.db, run, approval.id)
    now = world.now(approval)
    assert (now.effect, now.result) == (Effect.FAILED, STOPPED_HALF_WAY)
    assert now.applied_at is not None


def test_an_approval_that_nobody_asks_for_any_more_is_withdrawn(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    withdraw(world.db, run, approval.id)
    now = world.now(approval)
    assert (now.status, now.reason, now.applied_at is not None) == (Status.CANCELLED, NO_LONGER_ASKED, True)


def test_a_yes_that_came_before_the_withdrawal_stays_on_the_row(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    world.decide(approval, Say.APPROVE, BO)
    withdraw(world.db, run, approval.id)
    now = world.now(approval)
    assert (now.status, now.effect, now.decided_by) == (Status.APPROVED, Effect.FAILED, BO.user_id)


def test_a_worker_that_lost_the_run_notes_nothing(world: World) -> None:
    run = world.run()
    approval = world.approval(CLEARED, run=run)
    world.next_tenure(run.id)
    for note in (mark_applied, withdraw):
        with pytest.raises(FenceRaised):
            note(world.db, run, approval.id)
    assert world.now(approval) == approval


def test_cancelling_a_run_closes_what_waits_or_has_not_begun_and_nothing_else(world: World) -> None:
    run = world.run()
    approvals = {state: world.approval(state, run=run) for state in STATES}
    elsewhere = world.approval()
    with world.db.transaction() as tx:
        cancelled = cancel_open(world.db, tx, run.id, Actor(BO.user_id, Door.COMMAND_LINE), "wrong cluster")
    assert {a.id for a in cancelled} == {approvals[WAITING].id, approvals[CLEARED].id}
    for state in set(STATES) - {WAITING, CLEARED}:
        assert world.now(approvals[state]) == approvals[state]
    assert world.now(elsewhere).status is Status.PENDING


def test_a_cancelled_approval_says_who_and_why_and_who_had_approved(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.APPROVE, BO)
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, Actor("U0DEE", Door.COMMAND_LINE), "wrong cluster")
    now = world.now(approval)
    assert (now.status, now.reason) == (Status.CANCELLED, "wrong cluster")
    assert (now.settled_by, now.decided_by) == ("U0DEE", BO.user_id)


@pytest.mark.parametrize("state", [STARTED, UNKNOWN, DONE], ids=str)
def test_what_has_begun_cannot_be_withdrawn(world: World, state: object) -> None:
    run = world.run()
    approval = world.approval(state, run=run)
    withdraw(world.db, run, approval.id)
    assert state_of(world.now(approval)) == state
