"""Who somebody is, as Slack says it at this moment."""

import pytest

from approvals.rules.may_decide import Standing
from approvals.rules.rule import Approvers
from bot.cards.words import Callers
from bot.messenger import Later
from bot.people import CACHE_SECONDS, standing_of
from bot.replies import SlackUser
from demo.slack.faults import DropAfter, Fault, RateLimited, Refuse
from tests.bot.conftest import World


def home(world: World) -> str:
    return world.slack.workspace.team_id


def test_a_member_of_a_group_is_found_by_the_groups_handle_or_id_as_the_policy_spells_it(world: World) -> None:
    for spelled in ("oncall-sre", "@oncall-sre", world.group):
        assert world.people.look_up(world.bo, home(world), [spelled]).groups == {spelled}
    assert world.people.look_up(world.dee, home(world), ["oncall-sre"]).groups == frozenset()


def test_a_group_that_slack_does_not_have_is_unknown_not_unread(world: World) -> None:
    person = world.people.look_up(world.bo, home(world), ["oncall-sre", "nobody"])
    assert person.groups == {"oncall-sre"}
    assert (person.unknown_groups, person.unread_groups) == ({"nobody"}, frozenset())


def test_a_disabled_group_holds_nobody(world: World) -> None:
    world.slack.workspace.change_group(world.group, disabled=True)
    assert world.people.look_up(world.bo, home(world), ["oncall-sre"]).unknown_groups == {"oncall-sre"}


@pytest.mark.parametrize("fault", [RateLimited(5), Refuse("missing_scope"), DropAfter()])
def test_groups_that_cannot_be_read_are_said_to_be_unread(world: World, fault: Fault) -> None:
    world.slack.inject("usergroups.list", fault)
    person = world.people.look_up(world.bo, home(world), ["oncall-sre"])
    assert person.groups == frozenset()
    assert person.unread_groups == {"oncall-sre"}


def test_membership_is_kept_for_five_seconds_at_most(world: World) -> None:
    assert CACHE_SECONDS <= 5
    for _ in range(3):
        world.people.look_up(world.bo, home(world), ["oncall-sre"])
    assert len(world.slack.journal.calls("usergroups.list")) == 1
    assert len(world.slack.journal.calls("users.info")) == 3


def test_everybody_has_their_standing(world: World) -> None:
    robot = world.slack.workspace.add_user("robot", bot_id="B9")
    gone = world.slack.workspace.add_user("gone", is_admin=True)
    stranger = world.slack.workspace.add_user("stranger", is_stranger=True)
    world.slack.workspace.deactivate(gone)
    standings = {
        who: world.people.look_up(who, home(world), ["oncall-sre"]).standing
        for who in (world.bo, world.gus, world.xia, robot, gone, stranger, "U404")
    }
    assert standings == {
        world.bo: Standing.MEMBER,
        world.gus: Standing.GUEST,
        world.xia: Standing.OUTSIDER,
        robot: Standing.BOT,
        gone: Standing.DEACTIVATED,
        stranger: Standing.OUTSIDER,
        "U404": Standing.UNKNOWN,
    }


def test_a_payload_from_another_team_is_an_outsiders_whatever_users_info_says(world: World) -> None:
    assert world.people.look_up(world.bo, "T9", ["oncall-sre"]).standing is Standing.OUTSIDER


def test_a_payload_without_a_team_is_judged_by_what_slack_says(world: World) -> None:
    assert world.people.look_up(world.bo, "", []).standing is Standing.MEMBER
    assert world.people.look_up(world.xia, "", []).standing is Standing.OUTSIDER


def test_fields_that_slack_leaves_out_are_not_taken_for_no() -> None:
    user = SlackUser("U1", "bo", "T1", deleted=False, is_bot=False, is_guest=None, is_stranger=False)
    assert standing_of(user, "T1") is Standing.UNKNOWN


def test_approvers_become_mentions_and_requesters_stand_for_themselves(world: World) -> None:
    approvers = (
        Approvers(name="a", usergroup="oncall-sre"),
        Approvers(name="b", users=("U07LEAD", "U07LEAD")),
        Approvers(name="requester"),
        Approvers(name="c", usergroup="nobody"),
    )
    expected = Callers((f"<!subteam^{world.group}>", "<@U07LEAD>", "<@U1ANA>"), ("nobody",))
    assert world.people.callers(approvers, ["U1ANA"]) == expected


def test_mentions_wait_while_slack_cannot_say(world: World) -> None:
    world.slack.inject("usergroups.list", RateLimited(9))
    assert world.people.callers([Approvers(name="a", usergroup="oncall-sre")], []) == Later(9.0, "ratelimited")
