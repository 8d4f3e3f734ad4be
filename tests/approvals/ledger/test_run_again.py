"""An effect in doubt: what people say about it, and how another attempt is opened."""

from approvals.ledger.claim import Claimed
from approvals.ledger.decide import Because, Counted, Decided, Refused
from approvals.ledger.lose import lose_started
from approvals.records import Approval
from approvals.rules.transitions import CLEARED, UNKNOWN
from approvals.rules.words import Effect, Say, Status
from tests.approvals.ledger.world import BO, CY, World, a_rule


def a_lost_effect(world: World, quorum: int = 1) -> Approval:
    """Approved with a full quorum, begun, and the worker gone."""
    approval = world.approval(rule=a_rule(quorum=quorum))
    for person in (BO, CY)[:quorum]:
        world.decide(approval, Say.APPROVE, person)
    world.claim(approval)
    (lost,) = lose_started(world.db, world.next_tenure(approval.run_id))
    return lost


def test_it_happened_ends_the_effect_with_the_note_as_its_result(world: World) -> None:
    lost = a_lost_effect(world)
    assert isinstance(world.decide(lost, Say.IT_HAPPENED, CY, "pods are new"), Decided)
    now = world.now(lost)
    assert (now.effect, now.result, now.settled_by) == (Effect.DONE, "pods are new", CY.user_id)
    assert now.decided_by == BO.user_id


def test_it_happened_says_so_without_a_note(world: World) -> None:
    lost = a_lost_effect(world)
    world.decide(lost, Say.IT_HAPPENED)
    assert world.now(lost).result == "It happened."


def test_it_did_not_happen_ends_the_effect_as_failed(world: World) -> None:
    lost = a_lost_effect(world)
    assert isinstance(world.decide(lost, Say.IT_DID_NOT_HAPPEN, CY), Decided)
    now = world.now(lost)
    assert (now.effect, now.settled_by, now.effect_ended_at is not None) == (Effect.FAILED, CY.user_id, True)


def test_run_again_opens_the_next_attempt(world: World) -> None:
    lost = a_lost_effect(world)
    assert isinstance(world.decide(lost, Say.RUN_AGAIN), Decided)
    now = world.now(lost)
    assert (now.status, now.effect, now.attempt, now.effect_fence) == (Status.APPROVED, Effect.NONE, 2, None)
    outcome = world.try_claim(now)
    assert isinstance(outcome, Claimed)
    assert outcome.approval.attempt == 2


def test_a_button_of_the_first_attempt_is_too_old_for_the_second(world: World) -> None:
    lost = a_lost_effect(world)
    world.decide(lost, Say.RUN_AGAIN)
    for say in (Say.RUN_AGAIN, Say.IT_HAPPENED):
        assert world.decide(lost, say, CY) == Refused(Because.OLDER_CARD, world.now(lost))


def test_the_first_attempts_votes_do_not_count_for_the_second(world: World) -> None:
    lost = a_lost_effect(world, quorum=2)
    assert lost.votes == ()
    outcome = world.decide(lost, Say.RUN_AGAIN, BO)
    assert isinstance(outcome, Counted)
    assert (outcome.have, outcome.need) == (1, 2)
    assert world.now(lost).effect is Effect.UNKNOWN


def test_the_same_person_twice_does_not_run_it_again(world: World) -> None:
    lost = a_lost_effect(world, quorum=2)
    world.decide(lost, Say.RUN_AGAIN, BO)
    assert isinstance(world.decide(lost, Say.RUN_AGAIN, BO), Counted)


def test_two_people_together_run_it_again(world: World) -> None:
    lost = a_lost_effect(world, quorum=2)
    world.decide(lost, Say.RUN_AGAIN, BO)
    assert isinstance(world.decide(lost, Say.RUN_AGAIN, CY), Decided)
    assert (world.now(lost).attempt, len(world.now(lost).votes)) == (2, 2)


def test_a_second_lost_attempt_asks_again(world: World) -> None:
    lost = a_lost_effect(world, quorum=2)
    for person in (BO, CY):
        world.decide(lost, Say.RUN_AGAIN, person)
    world.claim(lost)
    (again,) = lose_started(world.db, world.next_tenure(lost.run_id))
    assert (again.effect, again.attempt, again.votes) == (Effect.UNKNOWN, 2, ())
    assert isinstance(world.decide(again, Say.RUN_AGAIN, BO), Counted)


def test_one_who_wanted_another_attempt_may_still_say_that_it_happened(world: World) -> None:
    lost = a_lost_effect(world, quorum=2)
    world.decide(lost, Say.RUN_AGAIN, BO)
    assert isinstance(world.decide(lost, Say.IT_HAPPENED, BO), Decided)


def test_an_effect_in_doubt_never_expires(world: World) -> None:
    approval = world.approval(UNKNOWN)
    world.age(approval, "30 days")
    assert isinstance(world.decide(approval, Say.RUN_AGAIN), Decided)


def test_an_approved_call_that_has_not_begun_takes_no_second_attempt(world: World) -> None:
    approval = world.approval(CLEARED)
    assert world.decide(approval, Say.RUN_AGAIN) == Refused(Because.CLOSED, approval)
