"""What a post under a card says, to ring the phones of those who may still decide."""

from datetime import timedelta

import pytest

from approvals.records import Approval, Vote
from approvals.rules.words import DecisionType, Effect, Status
from bot.cards.calling import calling
from tests.bot.values import BO, CALLERS, OPENED, a_rule, an_approval, approved

YES = Vote(user_id=BO, decision=DecisionType.APPROVE, reason=None, at=OPENED + timedelta(minutes=1))
WAITING = an_approval(rule=a_rule(quorum=2), votes=(YES,))
UNKNOWN = approved(Effect.UNKNOWN, rule=a_rule(quorum=2), votes=(YES,))


def test_one_yes_of_two_calls_for_the_second_until_the_end() -> None:
    said = calling("vote", WAITING, CALLERS)
    assert said is not None
    assert said.startswith("<@U1BO> approved: prod - Restart checkout. 1 of 2 approvals. <!subteam^S1ONCALL>: 1 more")
    assert "until" in said


def test_one_yes_to_running_it_again_says_so_and_has_no_end() -> None:
    said = calling("vote", UNKNOWN, CALLERS)
    assert said is not None
    assert "approved to run again: prod - Restart checkout." in said
    assert "until" not in said


@pytest.mark.parametrize(
    "ended",
    [
        an_approval(rule=a_rule(quorum=2), votes=(YES,), status=Status.EXPIRED),
        an_approval(rule=a_rule(quorum=2), votes=(YES,), status=Status.REJECTED),
        an_approval(rule=a_rule(quorum=2), votes=(YES,), status=Status.CANCELLED),
    ],
    ids=lambda approval: approval.status,
)
@pytest.mark.parametrize("kind", ["vote", "edit"])
def test_nobody_is_called_for_what_ended_meanwhile(kind: str, ended: Approval) -> None:
    assert calling(kind, ended, CALLERS) is None
