"""A real Bolt app in Socket Mode, with slack_sdk's own client, on the stand-in."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from demo.slack.acks import NOT_RESPONDING

REASON = {
    "type": "input",
    "block_id": "reason",
    "label": {"type": "plain_text", "text": "reason"},
    "element": {"type": "plain_text_input", "action_id": "reason_field"},
}
FORM = {
    "type": "modal",
    "callback_id": "form",
    "title": {"type": "plain_text", "text": "Reject"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [REASON],
}


@pytest.fixture
def slack(slack):
    slack.socket_mode = True
    return slack


@pytest.fixture
def app(place) -> App:
    return App(client=place.client, signing_secret="none is used over a socket")


@pytest.fixture
def connected(place, app) -> Iterator[SocketModeHandler]:
    """Bolt with slack_sdk's builtin client, greeted by the stand-in."""
    web_client = WebClient(base_url=place.slack.api_url, retry_handlers=[])
    handler = SocketModeHandler(app, "xapp-stand-in", web_client=web_client, ping_interval=1)
    handler.connect()
    place.slack.wait_for(lambda: place.slack.sockets_open() == 1)
    yield handler
    # Hung up on from the other side it stops at once; by itself it first waits for its receive timeout.
    handler.client.auto_reconnect_enabled = False
    place.slack.close_sockets(abruptly=True)
    handler.close()


def opens_form(app: App) -> None:
    @app.action("approve")
    def listener(ack, body, client):
        client.views_open(trigger_id=body["trigger_id"], view=FORM)
        ack()


def test_a_click_reaches_a_real_bolt_listener_over_the_socket(place, app, connected):
    seen: list[Any] = []
    app.action("approve")(lambda ack, body: seen.append(body["user"]["id"]) or ack())

    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert (delivery.ok, delivery.shown, delivery.way) == (True, None, "socket")
    assert seen == [place.ana]


def test_an_event_is_acknowledged_once(place, app, connected):
    app.event("message")(lambda event: None)

    ts = place.slack.say(place.ana, place.ops, "hello")

    place.slack.settle()
    [delivery] = place.slack.journal.deliveries("event")
    assert (delivery.payload["event"]["ts"], delivery.ok, delivery.attempt) == (ts, True, 0)


def test_errors_in_an_ack_are_shown_on_the_form(place, app, connected):
    opens_form(app)
    app.view("form")(lambda ack: ack(response_action="errors", errors={"reason": "too short"}))

    place.slack.click(place.ana, place.ops, place.card(), "approve")
    delivery = place.slack.submit(place.ana, {"reason": "x"})

    assert delivery.shown is None
    assert place.slack.view_errors(place.ana) == {"reason": "too short"}


@pytest.mark.parametrize("action", ["update", "push"])
def test_a_view_in_an_ack_is_shown(place, app, connected, action):
    second = FORM | {"callback_id": "second"}
    opens_form(app)
    app.view("form")(lambda ack: ack(response_action=action, view=second))

    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.submit(place.ana, {"reason": "x"})

    assert place.slack.view(place.ana)["callback_id"] == "second"
    place.slack.close_view(place.ana)
    assert (place.slack.view(place.ana) is None) == (action == "update")


def test_a_slash_command_is_answered_in_the_ack(place, app, connected):
    app.command("/countersign")(lambda ack: ack("nothing waits for you"))

    place.slack.command(place.ana, place.ops, "/countersign", "inbox")

    assert [m.text for m in place.slack.ephemerals(place.ana)] == ["nothing waits for you"]


def test_a_click_nobody_listens_to_is_never_acknowledged(place, connected):
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert (delivery.failure, delivery.shown) == ("http_timeout", NOT_RESPONDING)
    assert len(place.slack.journal.deliveries("interaction")) == 1


@pytest.mark.parametrize("reason", ["warning", "refresh_requested", "link_disabled"])
def test_bolt_connects_anew_when_it_is_told_to_go(place, app, connected, reason):
    app.action("approve")(lambda ack: ack())

    place.slack.disconnect(reason)
    place.slack.wait_for(lambda: place.slack.sockets_greeted() == 2 and place.slack.sockets_open() == 1)

    assert place.slack.click(place.ana, place.ops, place.card(), "approve").ok


def test_bolt_connects_anew_after_its_connection_was_closed(place, app, connected):
    app.action("approve")(lambda ack: ack())

    place.slack.close_sockets()
    place.slack.wait_for(lambda: place.slack.sockets_greeted() == 2 and place.slack.sockets_open() == 1, 15)

    assert place.slack.click(place.ana, place.ops, place.card(), "approve").ok


def test_sixty_clicks_in_flight_and_none_is_lost(place, app, connected):
    seen: list[str] = []
    app.action("approve")(lambda ack, body: seen.append(body["user"]["id"]) or ack())
    people = [place.slack.workspace.add_user(f"person{n}") for n in range(60)]
    ts = place.card()

    with ThreadPoolExecutor(60) as pool:
        clicks = list(pool.map(lambda user: place.slack.click(user, place.ops, ts, "approve"), people))

    assert all(click.ok for click in clicks)
    assert sorted(seen) == sorted(people)
