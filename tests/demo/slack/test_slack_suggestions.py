"""A select with more options than a form can hold: the app supplies them while a person types."""

import pytest

from demo.slack.acks import NOT_LOADED
from demo.slack.inputs import CannotDo

SERVICES = [
    {"text": {"type": "plain_text", "text": name.title()}, "value": name} for name in ("checkout", "cart", "chat")
]


def field(kind="external_select", **more):
    return {
        "type": "input",
        "block_id": "service",
        "label": {"type": "plain_text", "text": "service"},
        "element": {"type": kind, "action_id": "pick", **more},
    }


def shows(place, bot, block):
    view = {
        "type": "modal",
        "callback_id": "form",
        "title": {"type": "plain_text", "text": "Edit"},
        "submit": {"type": "plain_text", "text": "Send"},
        "blocks": [block],
    }

    @bot.app.action("approve")
    def listener(ack, body, client):
        client.views_open(trigger_id=body["trigger_id"], view=view)
        ack()

    bot.app.view("form")(lambda ack, view: bot.seen.append(view["state"]["values"]["service"]["pick"]) or ack())
    place.slack.click(place.ana, place.ops, place.card(), "approve")


def answers(bot, answer=None):
    @bot.app.options("pick")
    def listener(ack, body):
        bot.seen.append(body)
        found = [option for option in SERVICES if option["value"].startswith(body["value"])]
        ack(answer(found) if answer else {"options": found})


@pytest.fixture
def searched(place, bot):
    shows(place, bot, field(min_query_length=1))
    answers(bot)


def test_what_is_typed_reaches_bolt_and_its_options_are_shown(place, bot, searched):
    options = place.slack.suggest(place.ana, "pick", "ch")

    assert [option["value"] for option in options] == ["checkout", "chat"]
    [body] = bot.seen
    view = place.slack.view(place.ana)
    assert (body["type"], body["block_id"], body["action_id"], body["value"]) == (
        "block_suggestion",
        "service",
        "pick",
        "ch",
    )
    assert (body["container"], body["view"]["id"]) == ({"type": "view", "view_id": view["id"]}, view["id"])
    assert "trigger_id" not in body


def test_an_offered_option_can_be_sent_and_another_cannot(place, bot, searched):
    place.slack.suggest(place.ana, "pick", "che")

    with pytest.raises(CannotDo, match="cart"):
        place.slack.submit(place.ana, {"pick": "cart"})
    place.slack.submit(place.ana, {"pick": "Checkout"})

    assert bot.seen[-1] == {"type": "external_select", "selected_option": SERVICES[0]}


def test_several_searches_of_a_multi_select_add_up(place, bot):
    shows(place, bot, field("multi_external_select", min_query_length=0))
    answers(bot)
    place.slack.suggest(place.ana, "pick", "cart")
    place.slack.suggest(place.ana, "pick", "chat")

    place.slack.submit(place.ana, {"pick": ["cart", "chat"]})

    assert bot.seen[-1]["selected_options"] == SERVICES[1:]


def test_options_in_groups_are_offered_too(place, bot):
    shows(place, bot, field(min_query_length=0))
    label = {"type": "plain_text", "text": "prod"}
    answers(bot, lambda found: {"option_groups": [{"label": label, "options": found}]})

    assert place.slack.suggest(place.ana, "pick") == SERVICES


def test_an_untouched_one_sends_its_initial_option(place, bot):
    shows(place, bot, field(initial_option=SERVICES[2]))

    place.slack.submit(place.ana)

    assert bot.seen[-1]["selected_option"] == SERVICES[2]


def test_too_short_a_query_is_not_sent(place, bot):
    shows(place, bot, field())
    answers(bot)

    assert place.slack.suggest(place.ana, "pick", "ch") == []
    assert place.slack.journal.deliveries(type="block_suggestion") == []
    assert place.slack.suggest(place.ana, "pick", "che") == SERVICES[:1]


@pytest.mark.parametrize("answer", [lambda _: {"options": SERVICES * 40}, lambda _: {"options": [{"value": "x"}]}])
def test_options_slack_would_not_take_are_not_shown(place, bot, answer):
    shows(place, bot, field(min_query_length=0))
    answers(bot, answer)

    assert place.slack.suggest(place.ana, "pick") == []
    assert place.slack.journal.deliveries(type="block_suggestion")[0].shown == NOT_LOADED


def test_a_select_of_a_message_asks_with_the_message(place, bot):
    element = {"type": "external_select", "action_id": "pick", "min_query_length": 0}
    ts = place.card(blocks=[{"type": "actions", "block_id": "service", "elements": [element]}])
    answers(bot)
    bot.app.action("pick")(lambda ack, action: bot.seen.append(action["selected_option"]["value"]) or ack())

    place.slack.suggest(place.ana, "pick", channel_id=place.ops, ts=ts)
    place.slack.click(place.ana, place.ops, ts, "pick", option="cart")

    assert (bot.seen[0]["message"]["ts"], bot.seen[0]["channel"]["id"], bot.seen[1]) == (ts, place.ops, "cart")


def test_over_a_socket_the_options_come_in_the_ack(place, bot, socket_client):
    shows(place, bot, field(min_query_length=0))
    socket_client(lambda envelope: {"options": SERVICES} if envelope["accepts_response_payload"] else None)

    assert place.slack.suggest(place.ana, "pick") == SERVICES
