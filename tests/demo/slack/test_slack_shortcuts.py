"""The "More actions" menu of a message, other apps' messages above all."""

import pytest

from demo.slack.acks import NOT_RESPONDING
from demo.slack.inputs import CannotDo
from demo.slack.wire import SlackError

HAND_OVER = "hand_to_agent"
# What Slack's own sample of such a payload has, less `enterprise` and what is optional in `team`.
KEYS = {
    *("type", "callback_id", "trigger_id", "message_ts", "response_url", "message", "enterprise", "team", "user"),
    *("channel", "token", "action_ts", "is_enterprise_install"),
}


@pytest.fixture
def alerts(place) -> str:
    """Another app's bot, in a private channel with ana; our bot is not in it."""
    return place.slack.workspace.add_app("alerts")


@pytest.fixture
def alarms(place, alerts) -> str:
    return place.slack.workspace.add_channel("alarms", [place.ana, alerts], kind="private", with_bot=False)


def fires(place, alerts, alarms) -> str:
    button = {"type": "button", "text": {"type": "plain_text", "text": "Acknowledge"}}
    return place.slack.post_as(
        alerts,
        alarms,
        "checkout: 5xx above 2 %",
        blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "*checkout*: 5xx above 2 %"}}],
        attachments=[
            {
                "color": "danger",
                "title": "p99 4.1 s",
                "fields": [{"title": "pod", "value": "checkout-7", "short": True}],
            },
            {"blocks": [{"type": "actions", "elements": [button]}]},
        ],
    )


def test_bolt_gets_the_whole_message_of_another_app(place, bot, alerts, alarms):
    @bot.app.message_shortcut(HAND_OVER)
    def listener(ack, shortcut):
        bot.seen.append(shortcut)
        ack()

    ts = fires(place, alerts, alarms)
    delivery = place.slack.shortcut(place.ana, alarms, ts, HAND_OVER)

    assert (delivery.status, delivery.shown) == (200, None)
    [shortcut] = bot.seen
    assert set(shortcut) == KEYS
    assert (shortcut["user"]["id"], shortcut["channel"], shortcut["message_ts"]) == (
        place.ana,
        {"id": alarms, "name": "privategroup"},
        ts,
    )
    message = shortcut["message"]
    assert (message["text"], message["bot_profile"]["name"]) == ("checkout: 5xx above 2 %", "alerts")
    assert "subtype" not in message
    assert [a["id"] for a in message["attachments"]] == [1, 2]
    assert [a["fallback"] for a in message["attachments"]] == ["p99 4.1 s", "[no preview available]"]
    assert message["attachments"][1]["blocks"][0]["block_id"]


def test_a_shortcut_opens_a_modal(place, bot, alerts, alarms):
    title = {"type": "plain_text", "text": "Hand over"}
    blocks = [{"type": "section", "text": {"type": "plain_text", "text": "checkout"}}]

    @bot.app.message_shortcut(HAND_OVER)
    def listener(ack, shortcut, client):
        client.views_open(trigger_id=shortcut["trigger_id"], view={"type": "modal", "title": title, "blocks": blocks})
        ack()

    place.slack.shortcut(place.ana, alarms, fires(place, alerts, alarms), HAND_OVER)

    assert place.slack.view(place.ana)["title"] == title


def test_its_response_url_speaks_to_the_chooser_and_leaves_the_message_alone(place, bot, alerts, alarms):
    @bot.app.message_shortcut(HAND_OVER)
    def listener(ack, respond):
        ack()
        respond("Not here.")

    ts = fires(place, alerts, alarms)
    place.slack.shortcut(place.ana, alarms, ts, HAND_OVER)

    told = place.slack.wait_for(lambda: place.slack.ephemerals(place.ana))
    assert [message.text for message in told] == ["Not here."]
    assert place.slack.message(alarms, ts).text == "checkout: 5xx above 2 %"


def test_a_persons_message_can_be_handed_over_too(place, bot):
    bot.app.message_shortcut(HAND_OVER)(lambda ack, shortcut: bot.seen.append(shortcut["message"]["user"]) or ack())

    place.slack.shortcut(place.bo, place.ops, place.slack.say(place.ana, place.ops, "it burns"), HAND_OVER)

    assert bot.seen == [place.ana]


def test_a_shortcut_nobody_listens_to_shows_a_warning(place, bot):
    ts = place.slack.say(place.ana, place.ops, "it burns")

    assert place.slack.shortcut(place.ana, place.ops, ts, HAND_OVER).shown == NOT_RESPONDING


def test_only_what_the_installation_declares_is_offered(place):
    ts = place.slack.say(place.ana, place.ops, "it burns")

    assert place.slack.shortcuts(place.ana, place.ops, ts) == {HAND_OVER: "Hand to an agent"}
    with pytest.raises(CannotDo, match="other"):
        place.slack.shortcut(place.ana, place.ops, ts, "other")


def test_guests_are_offered_it_and_outsiders_the_deactivated_and_bots_are_not(place, bot, alerts):
    bot.app.message_shortcut(HAND_OVER)(lambda ack: ack())
    workspace = place.slack.workspace
    guest, eve = workspace.add_user("guest", is_restricted=True), workspace.add_user("eve", team_id="T0ELSEWHERE")
    gone = workspace.add_user("gone")
    shared = workspace.add_channel("shared", [place.ana, guest, eve, gone, alerts], is_ext_shared=True)
    workspace.deactivate(gone)
    ts = place.slack.say(place.ana, shared, "it burns")

    assert place.slack.shortcut(guest, shared, ts, HAND_OVER).ok
    for nobody in (eve, gone, alerts):
        with pytest.raises(CannotDo):
            place.slack.shortcut(nobody, shared, ts, HAND_OVER)


def test_a_message_that_one_does_not_see_or_that_is_for_oneself_alone_offers_none(place, alerts, alarms):
    with pytest.raises(CannotDo):
        place.slack.shortcut(place.bo, alarms, fires(place, alerts, alarms), HAND_OVER)
    private = place.client.chat_postEphemeral(channel=place.ops, user=place.ana, text="psst")["message_ts"]
    assert place.slack.shortcuts(place.ana, place.ops, private) == {}


def test_another_app_posts_only_what_slack_takes_and_only_where_it_is(place, alerts, alarms):
    with pytest.raises(SlackError, match="invalid_blocks"):
        place.slack.post_as(alerts, alarms, attachments=[{"blocks": [{"type": "no such block"}]}])
    with pytest.raises(CannotDo):
        place.slack.post_as(alerts, place.ops, "hello")
    with pytest.raises(CannotDo):
        place.slack.post_as(place.ana, place.ops, "hello")
