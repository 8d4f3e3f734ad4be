"""An edit is its author's vote on a new revision; an answer stands in the tool's place."""

import pytest

from approvals.ledger.claim import Claimed, NotPermitted
from approvals.ledger.decide import Because, Counted, Decided, Edited, Outcome, Refused, decide
from approvals.records import Approval
from approvals.rules.digest import call_digest, rule_hash
from approvals.rules.may_decide import Person, Why
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType, Door, Effect, Say, Status
from tests.approvals.ledger.world import ANA, BO, CY, TOOL_HASH, World, a_rule

SEARCH = '{"service":"search"}'


def edit(world: World, approval: Approval, args_json: str = SEARCH, person: Person = BO, **more: str) -> Outcome:
    edited = Edited(args_json, more.get("rule_hash") or rule_hash(approval.rule))
    return decide(world.db, approval.key, Say.EDIT, person, Door.MODAL, edited=edited)


def posts(world: World, approval: Approval) -> list[str]:
    rows = world.sql("SELECT kind FROM posts WHERE run_id = %s ORDER BY created_at", approval.run_id)
    return [row["kind"] for row in rows]


def test_an_edit_approves_the_new_arguments_and_keeps_the_old(world: World) -> None:
    outcome = edit(world, world.approval())
    assert isinstance(outcome, Decided)
    edited = outcome.approval
    assert (edited.status, edited.revision, edited.args_json, edited.decided_by) == (
        Status.APPROVED,
        2,
        SEARCH,
        BO.user_id,
    )
    assert edited.digest == call_digest("restart", TOOL_HASH, SEARCH)
    assert [(e.revision, e.args_json, e.edited_by) for e in edited.edits] == [(1, '{"service":"checkout"}', BO.user_id)]
    assert world.actions(edited) == ["open", "edit", "approve"]


def test_what_runs_after_an_edit_is_what_was_edited(world: World) -> None:
    outcome = edit(world, world.approval())
    assert isinstance(outcome, Decided)
    claimed = world.try_claim(outcome.approval)
    assert isinstance(claimed, Claimed)
    assert claimed.approval.args_json == SEARCH


def test_a_form_sent_as_it_was_is_a_yes_to_the_identical_digest(world: World) -> None:
    approval = world.approval()
    outcome = edit(world, approval, approval.args_json)
    assert isinstance(outcome, Decided)
    assert (outcome.approval.revision, outcome.approval.digest) == (1, approval.digest)
    assert world.actions(approval) == ["open", "approve"]


def test_after_an_edit_the_older_votes_count_no_more_and_the_others_are_called(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    assert isinstance(world.decide(approval, Say.APPROVE, BO), Counted)
    outcome = edit(world, world.now(approval), person=CY)
    assert isinstance(outcome, Counted)
    assert [vote.user_id for vote in outcome.approval.votes] == [CY.user_id]
    assert posts(world, approval) == ["vote", "edit"]
    assert isinstance(world.decide(world.now(approval), Say.APPROVE, BO), Decided)


def test_pressing_twice_calls_the_others_once(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    world.decide(approval, Say.APPROVE, BO)
    world.decide(world.now(approval), Say.APPROVE, BO)
    assert posts(world, approval) == ["vote"]


def test_a_button_of_the_revision_before_an_edit_is_refused(world: World) -> None:
    approval = world.approval(rule=a_rule(quorum=2))
    edit(world, approval)
    assert world.decide(approval, Say.APPROVE, CY) == Refused(Because.OLDER_CARD, world.now(approval))


def test_an_edit_cannot_carry_a_call_under_another_rule(world: World) -> None:
    approval = world.approval()
    stricter = rule_hash(a_rule(quorum=2))
    assert edit(world, approval, rule_hash=stricter) == Refused(Because.OTHER_RULE, world.now(approval))
    assert world.now(approval).revision == 1


def test_who_asked_cannot_edit_but_may_answer_where_named(world: World) -> None:
    approval = world.approval(rule=a_rule(approvers=(Approvers(name="all", users=(ANA.user_id,)),)))
    assert edit(world, approval, person=ANA) == Refused(Because.NOT_ALLOWED, world.now(approval), Why.IS_REQUESTER)
    answered = world.decide(approval, Say.RESPOND, ANA, "use search instead")
    assert isinstance(answered, Decided)


@pytest.mark.parametrize("say", [Say.EDIT, Say.RESPOND])
def test_what_the_policy_does_not_offer_is_refused(world: World, say: Say) -> None:
    approval = world.approval(rule=a_rule(decisions=(DecisionType.APPROVE,)))
    outcome = edit(world, approval) if say is Say.EDIT else world.decide(approval, say, BO, "words")
    assert outcome == Refused(Because.NOT_OFFERED, world.now(approval))


def test_an_answer_is_kept_word_for_word_and_nothing_may_run(world: World) -> None:
    approval = world.approval()
    words = "roll back\nthen page " + "x" * 5000
    outcome = world.decide(approval, Say.RESPOND, BO, words)
    assert isinstance(outcome, Decided)
    assert (outcome.approval.status, outcome.approval.effect) == (Status.ANSWERED, Effect.NONE)
    assert outcome.approval.response == words
    assert isinstance(world.try_claim(outcome.approval), NotPermitted)
    assert words not in str(world.audit(approval))


def test_an_answer_needs_words(world: World) -> None:
    approval = world.approval()
    assert world.decide(approval, Say.RESPOND, BO, "  \n") == Refused(Because.NO_WORDS, world.now(approval))


def test_whoever_was_called_later_cannot_edit_it_into_a_call_that_is_never_theirs(world: World) -> None:
    approval = world.approval()
    assert approval.rule.escalate
    outcome = edit(world, approval, rule_hash=rule_hash(a_rule(escalate=())))
    assert isinstance(outcome, Refused)
    assert outcome.because is Because.OTHER_RULE
