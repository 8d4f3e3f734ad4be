"""`approvals decide` where a bot token is set: Slack says who somebody is."""

import pytest

from approvals.rules.rule import Approvers
from approvals.rules.words import Status
from demo.slack.faults import Refuse, ServerError
from demo.slack.standin import StandIn
from tests.ops.conftest import Place


def group_of(slack: StandIn, *members: str) -> tuple[Approvers, ...]:
    slack.workspace.add_group("oncall-sre", list(members))
    return (Approvers(name="oncall", usergroup="oncall-sre"),)


def test_a_member_of_the_group_approves(place: Place, slack: StandIn) -> None:
    bo = slack.workspace.add_user("bo")
    approval = place.approval(approvers=group_of(slack, bo))
    assert place.decide(approval, "approve", bo).code == 0
    assert place.now(approval).decided_by == bo


def test_a_member_outside_the_group_is_refused(place: Place, slack: StandIn) -> None:
    bo, dee = slack.workspace.add_user("bo"), slack.workspace.add_user("dee")
    ended = place.decide(place.approval(approvers=group_of(slack, bo)), "approve", dee)
    assert ended.code == 1
    assert "the policy does not let you decide this. @oncall-sre can, until " in ended.one_line


def test_the_requester_is_refused(place: Place, slack: StandIn) -> None:
    ana = slack.workspace.add_user("ana")
    approval = place.approval(asked_by=ana, approvers=group_of(slack, ana))
    assert "you told this agent to do it" in place.decide(approval, "approve", ana).one_line


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"is_ultra_restricted": True}, "guests of this workspace do not decide"),
        ({"team_id": "T0ELSEWHERE"}, "you belong to another one"),
        ({"bot_id": "B0ROBOT"}, "you are a bot"),
        ({"deleted": True}, "is deactivated"),
    ],
)
def test_who_is_no_member_is_refused_though_the_rule_lists_them(
    place: Place, slack: StandIn, fields: dict[str, object], word: str
) -> None:
    user = slack.workspace.add_user("xia", **fields)  # type: ignore[arg-type]  # one of many keywords
    slack.workspace.add_channel("ops", [user], is_ext_shared=True)
    approval = place.approval(approvers=(Approvers(name="leads", users=(user,)),))
    ended = place.decide(approval, "approve", user)
    assert ended.code == 1
    assert word in ended.one_line
    assert place.now(approval).status is Status.PENDING


def test_somebody_whom_slack_does_not_know_is_refused(place: Place, slack: StandIn) -> None:
    approval = place.approval(approvers=(Approvers(name="leads", users=("U0NOBODY",)),))
    ended = place.decide(approval, "approve", "U0NOBODY")
    assert ended.code == 1
    assert "it is not known who U0NOBODY is. Slack does not say (user_not_found)" in ended.one_line


def test_a_look_up_that_fails_refuses_and_says_so(place: Place, slack: StandIn) -> None:
    bo = slack.workspace.add_user("bo")
    slack.inject("users.info", ServerError(503), times=2)
    ended = place.decide(place.approval(approvers=(Approvers(name="leads", users=(bo,)),)), "approve", bo)
    assert ended.code == 1
    assert "is. Slack does not say (" in ended.one_line
    assert len(ended.one_line) < 300


def test_a_group_that_cannot_be_read_holds_nobody(place: Place, slack: StandIn) -> None:
    bo = slack.workspace.add_user("bo")
    approval = place.approval(approvers=group_of(slack, bo))
    slack.inject("usergroups.list", Refuse("missing_scope"), times=2)
    ended = place.decide(approval, "approve", bo)
    assert ended.code == 1
    assert "it is not known who is in oncall-sre. Slack does not say (missing_scope)" in ended.one_line


def test_a_token_that_slack_refuses_lets_nobody_decide(place: Place, slack: StandIn) -> None:
    bo = slack.workspace.add_user("bo")
    place.environ["SLACK_BOT_TOKEN"] = "xoxb-wrong"
    ended = place.decide(place.approval(approvers=(Approvers(name="leads", users=(bo,)),)), "approve", bo)
    assert ended.code == 1
    assert "(invalid_auth)" in ended.one_line
    assert "xoxb-wrong" not in ended.err
