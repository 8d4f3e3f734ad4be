"""The sentence for every outcome."""

from datetime import timedelta

import pytest

from approvals.ledger.decide import Because, Counted, Decided, Refused
from approvals.rules.may_decide import Why
from approvals.rules.words import DecisionType, Say, Status
from bot.cards.answers import answer
from bot.cards.which_question import which_question
from bot.cards.words import Callers
from tests.bot.values import (
    ANA,
    BO,
    CALLERS,
    CY,
    EVERY_STATE,
    OPENED,
    a_question,
    a_rule,
    a_yes,
    an_approval,
    an_edited,
)

THREE = Callers((f"<@{BO}>", f"<@{CY}>", "<@U1ELI>"))


def test_self_approval_reads_as_agreed() -> None:
    told = answer(
        Refused(Because.NOT_ALLOWED, an_approval(), Why.IS_REQUESTER),
        Say.APPROVE,
        ANA,
        Callers((f"<@{BO}>", f"<@{CY}>")),
    )
    assert told.startswith(
        f"Not recorded: you told this agent to do it, so somebody else must approve. <@{BO}> and <@{CY}> can, until "
    )


def test_nobody_is_sent_to_people_who_are_not_there() -> None:
    told = answer(Refused(Because.NOT_ALLOWED, an_approval(), Why.IS_REQUESTER), Say.APPROVE, ANA, Callers())
    assert told.endswith("Nobody else can.")
    unread = answer(
        Refused(Because.NOT_ALLOWED, an_approval(), Why.IS_REQUESTER), Say.APPROVE, ANA, Callers(unread=True)
    )
    assert unread.endswith("so somebody else must approve.")


@pytest.mark.parametrize("why", list(Why))
def test_every_why_has_a_sentence_of_its_own(why: Why) -> None:
    told = {answer(Refused(Because.NOT_ALLOWED, an_approval(), w), Say.APPROVE, ANA, CALLERS) for w in Why}
    assert len(told) == len(Why)
    assert all(sentence.startswith("Not recorded: ") for sentence in told)


@pytest.mark.parametrize("because", list(Because))
def test_every_refusal_begins_with_not_recorded(because: Because) -> None:
    for approval in (None, *EVERY_STATE.values()):
        assert answer(Refused(because, approval), Say.APPROVE, BO, CALLERS).startswith("Not recorded: ")


@pytest.mark.parametrize("say", [say for say in Say if say is not Say.RESPOND])
def test_every_say_that_decides_has_a_sentence(say: Say) -> None:
    assert "prod - Restart checkout" in answer(Decided(an_approval()), say, BO, CALLERS)


def test_a_vote_short_of_the_quorum_says_how_many_and_who_else() -> None:
    told = answer(Counted(an_approval(rule=a_rule(quorum=2)), 1, 2), Say.APPROVE, BO, CALLERS)
    assert told.startswith("Your approval is recorded (1 of 2). <!subteam^S1ONCALL> was told. Until <!date^")


def test_a_closed_one_says_who_was_first_and_when() -> None:
    closed = an_approval(status=Status.REJECTED, decided_by=CY, decided_at=OPENED + timedelta(minutes=1))
    told = answer(Refused(Because.CLOSED, closed), Say.APPROVE, BO, CALLERS)
    assert told.startswith(f"Not recorded: <@{CY}> rejected it already, <!date^")
    assert "you rejected it already" in answer(Refused(Because.CLOSED, closed), Say.APPROVE, CY, CALLERS)


def test_hostile_values_in_a_sentence_do_nothing() -> None:
    hostile = an_approval(args_json='{"environment":"<!channel>","service":"<@U1EVIL>"}')
    assert "&lt;!channel&gt; - Restart &lt;@U1EVIL&gt;" in answer(Decided(hostile), Say.APPROVE, BO, CALLERS)


def test_a_question_that_repeats_what_is_hidden_does_not_tell_it() -> None:
    args = '{"question":"use hunter2secret?","token":"hunter2secret"}'
    asked = a_question(args_json=args, rule=a_rule(decisions=(DecisionType.RESPOND,), redact=("token",)))
    assert "hunter2secret" not in str(which_question("m", (asked, asked)))


def test_two_of_several_are_named_as_told() -> None:
    told = answer(Counted(an_approval(rule=a_rule(quorum=3), votes=(a_yes(BO),)), 1, 3), Say.APPROVE, BO, THREE)
    assert told.startswith(f"Your approval is recorded (1 of 3). <@{CY}> and <@U1ELI> were told. Until <!date^")


def test_an_edit_short_of_the_quorum_is_recorded_as_its_authors_vote() -> None:
    told = answer(Counted(an_edited(), 1, 2), Say.EDIT, CY, THREE)
    assert told.startswith("Recorded as you changed it, and as your approval of that (1 of 2). ")


def test_an_older_revision_names_who_edited_it() -> None:
    told = answer(Refused(Because.OLDER_CARD, an_edited()), Say.APPROVE, BO, CALLERS)
    assert told == f"Not recorded: it was edited by <@{CY}>. Look at the card again, then press."


def test_an_answer_is_repeated_and_approves_nothing() -> None:
    told = answer(Decided(a_question(response="roll back")), Say.RESPOND, ANA, CALLERS)
    assert told == 'Your answer is recorded: "roll back". The agent is given it. It approves nothing.'


def test_nobody_who_has_voted_is_named_as_one_who_can() -> None:
    voted = an_approval(rule=a_rule(quorum=2), votes=(a_yes(BO),))
    told = answer(Refused(Because.NOT_ALLOWED, voted, Why.IS_REQUESTER), Say.APPROVE, ANA, THREE)
    assert f"<@{CY}> and <@U1ELI> can" in told


@pytest.mark.parametrize("say", [Say.APPROVE, Say.EDIT, Say.RUN_AGAIN])
def test_while_frozen_nobody_is_told_that_it_runs_now(say: Say) -> None:
    told = answer(Decided(an_approval()), say, BO, CALLERS, frozen=True)
    assert "runs now" not in told
    assert "it runs as soon as that is lifted" in told
