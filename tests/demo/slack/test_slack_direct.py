"""Direct messages and membership, and what guests, outsiders, bots and the deactivated can do there."""

import pytest
from slack_sdk.errors import SlackApiError

from demo.slack.inputs import CannotDo


def refused(call, **args) -> str:
    with pytest.raises(SlackApiError) as refusal:
        call(**args)
    return str(refusal.value.response["error"])


@pytest.fixture
def kinds(place) -> dict[str, str]:
    workspace = place.slack.workspace
    added = {
        "guest": workspace.add_user("guest", is_ultra_restricted=True),
        "outsider": workspace.add_user("eve", team_id="T0ELSEWHERE"),
        "stranger": workspace.add_user("mallory", team_id="T0ELSEWHERE"),
        "gone": workspace.add_user("gone"),
        "robot": workspace.add_app("robot"),
    }
    workspace.add_channel("shared", [place.ana, *added.values()], id="C0SHARED", is_ext_shared=True)
    workspace.change_channel("C0SHARED", members=workspace.channels["C0SHARED"].members - {added["stranger"]})
    workspace.deactivate(added["gone"])
    return added


def test_a_direct_message_is_opened_once(place):
    first = place.client.conversations_open(users=place.ana, return_im=True)
    again = place.client.conversations_open(users=[place.ana])

    assert (first["channel"]["is_im"], first["channel"]["user"]) == (True, place.ana)
    assert (again["channel"], again["already_open"]) == ({"id": first["channel"]["id"]}, True)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("gone", "user_disabled"),
        ("robot", "cannot_dm_bot"),
        ("stranger", "invalid_user_combination"),
        (None, "user_not_found"),
    ],
)
def test_with_some_no_direct_message_is_opened(place, kinds, kind, error):
    other = kinds[kind] if kind else "U0NOBODY"

    assert refused(place.client.conversations_open, users=other) == error
    assert refused(place.client.chat_postMessage, channel=other, text="hello") == "channel_not_found"


def test_guests_and_outsiders_who_share_a_channel_can_be_written_to(place, kinds):
    for kind in ("guest", "outsider"):
        said = place.client.chat_postMessage(channel=kinds[kind], text="hello")
        assert said["channel"] == place.slack.direct(kinds[kind])
        assert [n.places for n in place.slack.notifications(kinds[kind])] == [frozenset({"direct"})]
    with pytest.raises(CannotDo, match="shares no channel"):
        place.slack.direct(kinds["stranger"])


def test_opening_needs_its_scope(place):
    place.slack.set_token("xoxb-stand-in", scopes=frozenset({"chat:write"}))

    assert refused(place.client.conversations_open, users=place.ana) == "missing_scope"


def test_a_direct_message_has_no_name_to_post_to(place):
    place.slack.direct(place.ana)

    assert refused(place.client.chat_postMessage, channel="directmessage", text="hello") == "channel_not_found"


def test_a_channel_name_with_or_without_its_sign_answers_with_the_id(place):
    prod = place.slack.workspace.add_channel("prod-approvals", [place.ana], kind="private")

    for name in ("#prod-approvals", "prod-approvals"):
        assert place.client.chat_postMessage(channel=name, text="hello")["channel"] == prod


def test_a_bot_reads_of_a_public_channel_who_is_in_it_and_of_a_foreign_private_one_nothing(place):
    public = place.slack.workspace.add_channel("public", [place.ana], with_bot=False)
    private = place.slack.workspace.add_channel("private", [place.ana], kind="private", with_bot=False)

    info = place.client.conversations_info(channel=public, include_num_members=True)["channel"]
    assert (info["is_member"], info["is_private"], info["num_members"]) == (False, False, 1)
    assert place.client.conversations_members(channel=public)["members"] == [place.ana]
    assert refused(place.client.chat_postMessage, channel=public, text="x") == "not_in_channel"
    assert refused(place.client.conversations_history, channel=public) == "not_in_channel"
    for call in (place.client.conversations_info, place.client.conversations_members):
        assert refused(call, channel=private) == "channel_not_found"
    assert refused(place.client.chat_postMessage, channel=private, text="x") == "channel_not_found"


def test_members_come_in_pages(place):
    for number in range(5):
        place.slack.workspace.add_user(f"more{number}")
    everybody = [u for u in place.slack.workspace.users if u != place.slack.workspace.app.user_id]
    many = place.slack.workspace.add_channel("many", everybody)

    pages = [page["members"] for page in place.client.conversations_members(channel=many, limit=3)]

    assert [len(page) for page in pages] == [3, 3, 2]
    assert {user for page in pages for user in page} == {*everybody, place.slack.workspace.app.user_id}


def test_members_and_guests_use_commands_where_they_are(place, bot, kinds):
    bot.app.command("/countersign")(lambda ack, command: bot.seen.append(command["channel_name"]) or ack())

    place.slack.command(kinds["guest"], "C0SHARED", "/countersign")
    place.slack.command(place.bo, "C0SHARED", "/countersign")
    place.slack.command(kinds["guest"], place.slack.direct(kinds["guest"]), "/countersign")

    assert bot.seen == ["shared", "shared", "directmessage"]
    with pytest.raises(CannotDo, match="cannot see"):
        place.slack.command(kinds["guest"], place.ops, "/countersign")
    for kind in ("outsider", "gone", "robot"):
        with pytest.raises(CannotDo):
            place.slack.command(kinds[kind], "C0SHARED", "/countersign")


def test_everybody_in_a_shared_channel_is_heard_and_told_apart(place, bot, kinds):
    bot.app.event("message")(lambda event: None)
    place.slack.subscriptions = frozenset({"message.channels", "message.im"})

    place.slack.say(kinds["outsider"], "C0SHARED", "hello")
    place.slack.settle()
    place.slack.post_as(kinds["robot"], "C0SHARED", "beep")
    place.slack.settle()
    place.slack.say(kinds["guest"], place.slack.direct(kinds["guest"]), "psst")
    place.slack.settle()

    payloads = [d.payload for d in place.slack.journal.deliveries("event")]
    outsider, robot, guest = (payload["event"] for payload in payloads)
    assert (outsider["user_team"], payloads[0]["is_ext_shared_channel"]) == ("T0ELSEWHERE", True)
    assert (robot["bot_profile"]["name"], robot["app_id"][0], "subtype" in robot) == ("robot", "A", False)
    assert (guest["channel_type"], "bot_id" in guest) == ("im", False)
    with pytest.raises(CannotDo, match="deactivated"):
        place.slack.say(kinds["gone"], "C0SHARED", "hello")


def test_a_reply_shown_in_the_channel_too_is_a_broadcast_with_its_root(place, bot):
    bot.app.event("message")(lambda event: None)
    root = place.card()
    place.slack.settle()

    place.slack.say(place.ana, place.ops, "everybody look", root, broadcast=True)
    place.slack.settle()

    event = place.slack.journal.deliveries("event", "message")[-1].payload["event"]
    assert (event["subtype"], event["thread_ts"], event["root"]["ts"]) == ("thread_broadcast", root, root)
    assert event["root"]["bot_id"] == place.slack.workspace.app.bot_id
