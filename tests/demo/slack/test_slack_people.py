import pytest
from slack_sdk.errors import SlackApiError


def error(call, *args, **kwargs):
    with pytest.raises(SlackApiError) as refused:
        call(*args, **kwargs)
    return refused.value.response["error"]


def test_a_deactivated_person_is_shown_without_the_flags_a_check_may_rely_on(place):
    before = place.client.users_info(user=place.bo)["user"]
    place.slack.workspace.deactivate(place.bo)
    after = place.client.users_info(user=place.bo)["user"]

    assert after["deleted"] is True
    assert set(before) - set(after) == {
        "color",
        "real_name",
        "tz",
        "tz_label",
        "tz_offset",
        "is_admin",
        "is_owner",
        "is_primary_owner",
        "is_restricted",
        "is_ultra_restricted",
        "is_email_confirmed",
    }


def test_a_deactivated_person_leaves_channels_but_stays_in_the_group(place):
    group = place.slack.workspace.add_group("oncall", [place.ana, place.bo])
    place.slack.workspace.deactivate(place.bo)
    listed = place.client.usergroups_users_list

    assert place.bo not in place.client.conversations_members(channel=place.ops)["members"]
    assert listed(usergroup=group)["users"] == [place.ana, place.bo]
    assert listed(usergroup=group, include_disabled=False)["users"] == [place.ana]


def test_guests_and_strangers_carry_their_flags(place):
    workspace = place.slack.workspace
    guest = workspace.add_user("guest", is_restricted=True, is_ultra_restricted=True)
    stranger = workspace.add_user("zed", team_id="T0ELSEWHERE", is_stranger=True)

    assert place.client.users_info(user=guest)["user"]["is_ultra_restricted"] is True
    shown = place.client.users_info(user=stranger)["user"]
    assert (shown["is_stranger"], shown["team_id"]) == (True, "T0ELSEWHERE")


def test_an_outsider_is_visible_only_where_a_channel_is_shared(place):
    eve = place.slack.workspace.add_user("eve", team_id="T0ELSEWHERE")

    assert error(place.client.users_info, user=eve) == "user_not_visible"
    place.slack.workspace.add_channel("shared", [eve], is_ext_shared=True)
    assert place.client.users_info(user=eve)["user"]["team_id"] == "T0ELSEWHERE"
    assert eve not in [user["id"] for user in place.client.users_list()["members"]]


def test_unknown_people_and_groups_are_named(place):
    assert error(place.client.users_info, user="U0NOBODY") == "user_not_found"
    assert error(place.client.usergroups_users_list, usergroup="S0NONE") == "no_such_subteam"


def test_disabled_groups_are_listed_only_on_request(place):
    group = place.slack.workspace.add_group("oncall", [place.ana])
    place.slack.workspace.change_group(group, disabled=True)

    assert place.client.usergroups_list()["usergroups"] == []
    listed = place.client.usergroups_list(include_disabled=True, include_users=True)["usergroups"]
    assert [g["users"] for g in listed] == [[place.ana]]


def test_an_email_needs_its_scope(place):
    assert "email" not in place.client.users_info(user=place.ana)["user"]["profile"]
    place.slack.set_token("xoxb-stand-in", scopes=frozenset({"users:read", "users:read.email"}))
    assert place.client.users_info(user=place.ana)["user"]["profile"]["email"] == "ana@example.com"


def test_a_direct_channel_with_a_deactivated_person_cannot_be_opened(place):
    place.slack.workspace.deactivate(place.bo)

    assert error(place.client.conversations_open, users=place.bo) == "user_disabled"
    assert error(place.client.api_call, "conversations.open") == "users_list_not_supplied"


def rung(place, user_id):
    return [(n.ts, sorted(n.places)) for n in place.slack.notifications(user_id)]


def section(text, kind="mrkdwn"):
    return [{"type": "section", "text": {"type": kind, "text": text}}]


def test_a_mention_in_text_and_in_blocks_rings_once_and_says_where(place):
    ts = place.card(text=f"<@{place.ana}> please", blocks=section(f"<@{place.ana}> or <@{place.bo}>"))

    assert rung(place, place.ana) == [(ts, ["blocks", "text"])]
    assert rung(place, place.bo) == [(ts, ["blocks"])]


def test_a_group_a_broadcast_and_a_direct_message_ring(place):
    group = place.slack.workspace.add_group("oncall", [place.ana])
    first = place.card(text=f"<!subteam^{group}>")
    second = place.card(text="<!here> look")
    third = place.card(channel=place.bo, text="psst")

    assert [ts for ts, _ in rung(place, place.ana)] == [first, second]
    assert rung(place, place.bo) == [(second, ["text"]), (third, ["direct"])]


@pytest.mark.parametrize("text", ["&lt;@{}&gt;", "@{}", "<!subteam^S0NONE>"])
def test_what_is_escaped_or_unknown_rings_nobody(place, text):
    place.card(text=text.format(place.ana))

    assert rung(place, place.ana) == []


def test_a_mention_shown_as_plain_text_rings_nobody(place):
    place.card(text="x", blocks=section(f"<@{place.ana}>", "plain_text"))

    assert rung(place, place.ana) == []


def test_an_edit_rings_nobody(place):
    ts = place.card(text="x")
    place.client.chat_update(channel=place.ops, ts=ts, text=f"<@{place.ana}>")

    assert rung(place, place.ana) == []


def test_a_mention_of_somebody_outside_the_channel_rings_nobody(place):
    cy = place.slack.workspace.add_user("cy")
    place.card(text=f"<@{cy}>")

    assert rung(place, cy) == []
