"""One say through `decide`: what is recorded, what is refused, and in what order reasons are given."""

import pytest

from approvals.ledger.decide import NOTE_LIMIT, Because, Counted, Decided, Refused, decide
from approvals.ledger.expire import expire_due
from approvals.records import ApprovalId, ApprovalKey
from approvals.rules.may_decide import Why
from approvals.rules.rule import Approvers
from approvals.rules.transitions import CLEARED, UNKNOWN, State
from approvals.rules.words import DecisionType, Door, Effect, RunStatus, Say, Status
from tests.approvals.ledger.world import ANA, BO, CLOSED, CY, DEE, GUS, World, a_rule


def refusal(outcome: object) -> tuple[Because, Why | None]:
    assert isinstance(outcome, Refused)
    return outcome.because, outcome.why


def test_a_yes_approves_and_says_who_and_when(world: World) -> None:
    approval = world.approval()
    outcome = world.decide(approval, Say.APPROVE, BO)
    assert outcome == Decided(world.now(approval))
    now = world.now(approval)
    assert (now.status, now.effect, now.decided_by) == (Status.APPROVED, Effect.NONE, BO.user_id)
    assert now.decided_at is not None
    assert [(vote.user_id, vote.decision) for vote in now.votes] == [(BO.user_id, "approve")]


def test_a_no_keeps_its_reason(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.REJECT, BO, "not during the sale")
    now = world.now(approval)
    assert (now.status, now.decided_by, now.reason) == (Status.REJECTED, BO.user_id, "not during the sale")


def test_one_no_is_enough_whatever_the_quorum(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    world.decide(approval, Say.APPROVE, CY)
    assert isinstance(world.decide(approval, Say.REJECT, BO), Decided)
    assert world.now(approval).status is Status.REJECTED


def test_the_first_of_two_yeses_is_counted(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    outcome = world.decide(approval, Say.APPROVE, BO)
    assert isinstance(outcome, Counted)
    assert (outcome.have, outcome.need) == (1, 2)
    assert world.now(approval).status is Status.PENDING


def test_the_same_person_twice_is_one_yes(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    world.decide(approval, Say.APPROVE, BO)
    again = world.decide(approval, Say.APPROVE, BO)
    assert isinstance(again, Counted)
    assert (again.have, again.need) == (1, 2)


def test_the_second_person_fills_the_quorum(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    world.decide(approval, Say.APPROVE, BO)
    assert isinstance(world.decide(approval, Say.APPROVE, CY), Decided)
    assert {vote.user_id for vote in world.now(approval).votes} == {BO.user_id, CY.user_id}


@pytest.mark.parametrize("state", CLOSED, ids=str)
@pytest.mark.parametrize("say", [Say.APPROVE, Say.REJECT])
def test_a_closed_approval_takes_no_say_and_tells_who_closed_it(world: World, state: State, say: Say) -> None:
    approval = world.approval(state)
    outcome = world.decide(approval, say, CY)
    assert outcome == Refused(Because.CLOSED, approval)
    assert approval.decided_by == BO.user_id


def test_nobody_can_settle_an_effect_that_is_not_in_doubt(world: World) -> None:
    approval = world.approval(CLEARED)
    for say in (Say.IT_HAPPENED, Say.IT_DID_NOT_HAPPEN, Say.RUN_AGAIN):
        assert refusal(world.decide(approval, say)) == (Because.CLOSED, None)


def test_an_approval_that_is_not_there_is_refused_on_record(world: World) -> None:
    key = ApprovalKey(ApprovalId("A-00000000"), 1, 1)
    assert decide(world.db, key, Say.APPROVE, BO, Door.CARD) == Refused(Because.NO_SUCH_APPROVAL)
    (row,) = world.sql("SELECT * FROM audit_log WHERE approval_id = %s", key.id)
    assert (row["action"], row["actor"], row["details"]["because"]) == ("refused", BO.user_id, "no_such_approval")


@pytest.mark.parametrize(("revision", "attempt"), [(0, 1), (2, 1), (1, 0), (1, 2)])
def test_a_button_of_another_revision_or_attempt_is_refused(world: World, revision: int, attempt: int) -> None:
    approval = world.approval()
    key = ApprovalKey(approval.id, revision, attempt)
    outcome = decide(world.db, key, Say.APPROVE, BO, Door.CARD)
    assert outcome == Refused(Because.OLDER_CARD, approval)
    assert world.now(approval) == approval


def test_what_the_rule_does_not_offer_is_refused(world: World) -> None:
    approval = world.approval(rule=a_rule(decisions=(DecisionType.APPROVE,)))
    assert refusal(world.decide(approval, Say.REJECT)) == (Because.NOT_OFFERED, None)
    approval = world.approval(rule=a_rule(decisions=(DecisionType.REJECT,)))
    assert refusal(world.decide(approval, Say.APPROVE)) == (Because.NOT_OFFERED, None)


def test_who_is_no_approver_is_refused_and_changes_nothing(world: World) -> None:
    approval = world.approval()
    assert refusal(world.decide(approval, Say.APPROVE, DEE)) == (Because.NOT_ALLOWED, Why.NOT_AN_APPROVER)
    assert world.now(approval) == approval


def test_the_requester_may_not_approve_their_own_call(world: World) -> None:
    approval = world.approval(rule=a_rule(approvers=(Approvers(name="all", users=(ANA.user_id, BO.user_id)),)))
    assert refusal(world.decide(approval, Say.APPROVE, ANA)) == (Because.NOT_ALLOWED, Why.IS_REQUESTER)


def test_the_requester_may_reject_their_own_call(world: World) -> None:
    approval = world.approval(rule=a_rule(approvers=(Approvers(name="all", users=(ANA.user_id, BO.user_id)),)))
    assert isinstance(world.decide(approval, Say.REJECT, ANA), Decided)


def test_the_requester_may_not_have_their_own_call_run_again(world: World) -> None:
    rule = a_rule(approvers=(Approvers(name="all", users=(ANA.user_id, BO.user_id)),))
    approval = world.approval(UNKNOWN, rule=rule)
    assert refusal(world.decide(approval, Say.RUN_AGAIN, ANA)) == (Because.NOT_ALLOWED, Why.IS_REQUESTER)


def test_a_guest_learns_nothing_but_that_they_are_a_guest(world: World) -> None:
    approval = world.approval(CLEARED)
    key = ApprovalKey(approval.id, 7, 7)
    assert refusal(decide(world.db, key, Say.APPROVE, GUS, Door.CARD)) == (Because.NOT_ALLOWED, Why.GUEST)


def test_the_rule_of_the_row_counts_and_not_todays(world: World) -> None:
    approval = world.approval(rule=a_rule(approvers=()))
    assert refusal(world.decide(approval, Say.APPROVE)) == (Because.NOT_ALLOWED, Why.NOBODY_MAY)


def test_a_late_click_finds_the_approval_expired_before_the_sweep_does(world: World) -> None:
    approval = world.approval()
    world.age(approval)
    due = world.now(approval).expires_at
    outcome = world.decide(approval, Say.APPROVE)
    now = world.now(approval)
    assert outcome == Refused(Because.CLOSED, now)
    assert (now.status, now.decided_by, now.decided_at) == (Status.EXPIRED, "system", due)
    assert [(row["action"], row["actor"], row["door"]) for row in world.audit(approval)[1:]] == [
        ("expire", "system", "clock"),
        ("refused", BO.user_id, "card"),
    ]


def test_the_sweep_expires_what_is_due_and_nothing_else(own_world: World) -> None:
    run = own_world.run()
    due, not_due, decided = (own_world.approval(run=run) for _ in range(3))
    own_world.decide(decided, Say.APPROVE)
    own_world.age(due)
    own_world.age(decided)
    assert [a.id for a in expire_due(own_world.db)] == [due.id]
    assert own_world.now(due).status is Status.EXPIRED
    assert own_world.now(not_due) == not_due
    assert own_world.now(decided).status is Status.APPROVED


def test_the_sweep_takes_a_bounded_batch_oldest_first(own_world: World) -> None:
    run = own_world.run()
    approvals = [own_world.approval(run=run) for _ in range(4)]
    for hours, approval in enumerate(approvals, start=1):
        own_world.age(approval, f"{hours} hours")
    assert [a.id for a in expire_due(own_world.db, limit=3)] == [a.id for a in reversed(approvals[1:])]


def test_the_sweep_leaves_a_row_that_somebody_is_deciding(own_world: World) -> None:
    approval = own_world.approval()
    own_world.age(approval)
    with own_world.db.transaction() as tx:
        tx.execute("SELECT 1 FROM approvals WHERE id = %s FOR UPDATE", (approval.id,))
        assert expire_due(own_world.db) == []
    assert [a.id for a in expire_due(own_world.db)] == [approval.id]


def test_a_note_is_cut_and_a_blank_one_is_none(world: World) -> None:
    long, blank = world.approval(), world.approval()
    world.decide(long, Say.REJECT, BO, "x" * (NOTE_LIMIT + 1))
    world.decide(blank, Say.REJECT, BO, " \n ")
    assert world.now(long).reason == "x" * NOTE_LIMIT
    assert world.now(blank).reason is None


def test_a_say_gives_a_run_that_had_given_up_another_chance(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    world.rest(run, RunStatus.FAILED)
    world.sql("UPDATE runs SET failures = 3, retry_at = now() + interval '1 hour' WHERE id = %s", run.id)
    world.decide(approval, Say.REJECT)
    now = world.run_now(run)
    assert (now.status, now.failures) == (RunStatus.QUEUED, 0)
