"""The app's Home tab."""

import pytest
from slack_sdk.errors import SlackApiError

from demo.slack.inputs import CannotDo

BUTTON = {"type": "button", "action_id": "look", "text": {"type": "plain_text", "text": "Look"}, "value": "A-1"}
HOME = {"type": "home", "blocks": [{"type": "actions", "block_id": "waiting", "elements": [BUTTON]}]}
MODAL = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "A-1"},
    "blocks": [{"type": "section", "text": {"type": "plain_text", "text": "all of it"}}],
}


def publish(place, user_id=None, view=HOME, **more):
    return place.client.views_publish(user_id=user_id or place.ana, view=view, **more)["view"]


def test_what_was_published_is_what_that_person_sees(place):
    assert place.slack.home(place.ana) is None

    published = publish(place)

    assert place.slack.home(place.ana) == published
    assert (published["type"], published["root_view_id"], published["previous_view_id"]) == (
        "home",
        published["id"],
        None,
    )
    assert place.slack.home(place.bo) is None


def test_publishing_again_replaces_it_under_a_new_hash(place):
    first = publish(place)
    second = publish(place, view={"type": "home", "blocks": [{"type": "divider"}]}, hash=first["hash"])

    assert second["id"] == first["id"]
    assert place.slack.home(place.ana)["blocks"][0]["type"] == "divider"
    for stale in (first["hash"], ""):
        with pytest.raises(SlackApiError, match="hash_conflict"):
            place.client.api_call("views.publish", json={"user_id": place.ana, "view": HOME, "hash": stale})


@pytest.mark.parametrize(
    ("view", "user_id", "error"),
    [
        (MODAL, None, "invalid_arguments"),
        ({"type": "home", "blocks": [{"type": "divider"}] * 101}, None, "invalid_arguments"),
        (HOME | {"private_metadata": "x" * 3001}, None, "invalid_arguments"),
        (HOME, "U0NOBODY", "invalid_arguments"),
        ({"type": "home", "blocks": [{"type": "divider", "block_id": "x" * 250_000}]}, None, "view_too_large"),
    ],
)
def test_what_slack_would_not_show_is_refused(place, view, user_id, error):
    with pytest.raises(SlackApiError, match=error):
        publish(place, user_id, view)


def test_without_a_home_tab_nothing_is_published(place):
    place.slack.workspace.home_tab = False

    with pytest.raises(SlackApiError, match="not_enabled"):
        publish(place)


def test_an_external_id_belongs_to_one_view(place):
    publish(place, view=HOME | {"external_id": "inbox"})

    with pytest.raises(SlackApiError, match="duplicate_external_id"):
        publish(place, place.bo, HOME | {"external_id": "inbox"})
    updated = place.client.views_update(external_id="inbox", view=HOME | {"callback_id": "again"})["view"]
    assert (updated["type"], place.slack.home(place.ana)["callback_id"]) == ("home", "again")


def test_each_opening_is_told_with_what_is_shown(place, bot):
    bot.app.event("app_home_opened")(lambda event: None)
    place.slack.open_home(place.ana)
    place.slack.settle()
    published = publish(place)
    place.slack.open_home(place.ana)
    place.slack.settle()
    place.slack.open_home(place.ana, tab="messages")
    place.slack.settle()

    events = [d.payload["event"] for d in place.slack.journal.deliveries("event", "app_home_opened")]
    assert [(e["user"], e["tab"], e.get("view")) for e in events] == [
        (place.ana, "home", None),
        (place.ana, "home", published),
        (place.ana, "messages", None),
    ]
    assert {e["channel"] for e in events} == {place.slack.direct(place.ana)}


def test_a_button_of_a_home_opens_a_modal(place, bot):
    @bot.app.action("look")
    def listener(ack, body, client):
        client.views_open(trigger_id=body["trigger_id"], view=MODAL)
        bot.seen.append(body)
        ack()

    published = publish(place)
    delivery = place.slack.press_home(place.ana, "look")

    assert delivery.ok
    [body] = bot.seen
    assert (body["container"], body["view"]["type"]) == ({"type": "view", "view_id": published["id"]}, "home")
    assert not {"channel", "message", "response_url"} & set(body)
    assert place.slack.view(place.ana)["title"]["text"] == "A-1"
    assert place.slack.home(place.ana) == published


def test_a_guest_has_a_home_and_an_outsider_has_none(place, bot):
    bot.app.event("app_home_opened")(lambda event: None)
    guest = place.slack.workspace.add_user("guest", is_ultra_restricted=True)
    eve = place.slack.workspace.add_user("eve", team_id="T0ELSEWHERE")
    place.slack.workspace.add_channel("shared", [eve], is_ext_shared=True)

    place.slack.open_home(guest)
    with pytest.raises(CannotDo, match="another workspace"):
        place.slack.open_home(eve)
    place.slack.settle()
    assert [d.payload["event"]["user"] for d in place.slack.journal.deliveries("event")] == [guest]
