"""Socket Mode as it is on the wire: a bare client that acknowledges what and how it is told to."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from websockets.exceptions import ConnectionClosedOK, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from demo.slack.acks import NOT_RESPONDING, TROUBLE
from demo.slack.standin import StandIn
from demo.slack.tokens import Installation
from demo.slack.views import open_on

FORM = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "Note"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "reason",
            "label": {"type": "plain_text", "text": "reason"},
            "element": {"type": "plain_text_input", "action_id": "reason_field"},
        }
    ],
}


@pytest.fixture
def slack(slack):
    slack.socket_mode = True
    return slack


def link(place, token: str = "xapp-stand-in") -> str:
    return str(WebClient(base_url=place.slack.api_url).apps_connections_open(app_token=token)["url"])


@pytest.fixture
def dial(place) -> Iterator[Any]:
    """A bare client that acknowledges nothing by itself, past its hello."""
    with ExitStack() as opened:

        def dialled() -> tuple[ClientConnection, dict[str, Any]]:
            # No proxy of the environment stands between.
            before = place.slack.sockets_greeted()
            connection = opened.enter_context(connect(link(place), proxy=None))
            greeting = json.loads(connection.recv(5))
            # The greeting is on its way before the connection takes its turn.
            if greeting["type"] == "hello":
                place.slack.wait_for(lambda: place.slack.sockets_greeted() > before)
            return connection, greeting

        yield dialled


def ack(connection: ClientConnection, envelope: dict[str, Any], payload: Any = None) -> None:
    connection.send(json.dumps({"envelope_id": envelope["envelope_id"]} | ({"payload": payload} if payload else {})))


def test_the_greeting_says_who_and_how_many(place, dial):
    greetings = [dial()[1] for _ in range(2)]

    assert [hello["num_connections"] for hello in greetings] == [1, 2]
    assert greetings[0]["type"] == "hello"
    assert greetings[0]["connection_info"] == {"app_id": place.slack.workspace.app.id}
    assert greetings[0]["debug_info"]["approximate_connection_time"] > 0


def test_an_event_not_acknowledged_in_time_comes_again_on_the_next_connection(place, dial):
    connections = [dial()[0] for _ in range(2)]
    place.slack.say(place.ana, place.ops, "hello")

    first, second = (json.loads(connection.recv(5)) for connection in connections)
    first, second = sorted((first, second), key=lambda envelope: envelope["retry_attempt"])

    assert (first["type"], first["accepts_response_payload"]) == ("events_api", False)
    assert [(e["retry_attempt"], e["retry_reason"]) for e in (first, second)] == [(0, ""), (1, "timeout")]
    assert first["payload"] == second["payload"]
    assert first["envelope_id"] != second["envelope_id"]
    for connection in connections:
        ack(connection, second)
    place.slack.settle()
    assert [d.ok for d in place.slack.journal.deliveries("event")] == [False, True]


def test_an_ack_may_come_over_another_connection_and_twice(place, dial):
    (one, _), (other, _) = dial(), dial()
    place.slack.subscriptions = frozenset()
    ts = place.card()
    with ThreadPoolExecutor(1) as pool:
        click = pool.submit(place.slack.click, place.ana, place.ops, ts, "approve")
        # Turns are taken: whoever came first is next.
        envelope = json.loads(one.recv(5))
        for _ in range(2):
            ack(other, envelope)
        assert click.result().ok
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("interactive", False)


def test_an_answer_to_a_click_is_not_read(place, dial):
    connection, _ = dial()
    place.slack.subscriptions = frozenset()
    ts = place.card()
    with ThreadPoolExecutor(1) as pool:
        click = pool.submit(place.slack.click, place.ana, place.ops, ts, "approve")
        ack(connection, json.loads(connection.recv(5)), {"text": "thanks"})
        assert click.result().response == ""


def test_an_ack_beyond_twenty_kilobytes_is_lost(place, dial):
    connection, _ = dial()
    with place.slack.workspace.changed:
        open_on(place.slack.workspace, place.ana, FORM, over=None)
    with ThreadPoolExecutor(1) as pool:
        submitted = pool.submit(place.slack.submit, place.ana, {"reason": "x"})
        long = {"type": "section", "text": {"type": "plain_text", "text": "x" * 2_500}}
        big = {"response_action": "update", "view": FORM | {"blocks": [*FORM["blocks"], *[long] * 8]}}
        ack(connection, json.loads(connection.recv(5)), big)
        assert (submitted.result().failure, submitted.result().shown) == ("http_timeout", TROUBLE)


def test_without_a_connection_a_click_fails_and_an_event_is_tried_again(place):
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    assert (delivery.failure, delivery.shown) == ("connection_failed", NOT_RESPONDING)
    events = place.slack.journal.deliveries("event", "message")
    assert [d.attempt for d in events if d.payload["event"]["text"] == "hello"] == [0, 1, 2, 3]


def test_an_eleventh_connection_is_sent_away(place, dial):
    for _ in range(10):
        dial()
    _, greeting = dial()

    assert (greeting["type"], greeting["reason"]) == ("disconnect", "too_many_websockets")
    assert place.slack.sockets_open() == 10


def test_a_link_works_once_and_not_for_long(place):
    used, stale = link(place), link(place)
    with connect(used, proxy=None):
        place.slack.advance(31)

    for url in (used, stale):
        with pytest.raises(InvalidStatus), connect(url, proxy=None):
            raise AssertionError("it was let in")


def test_only_an_app_token_opens_a_connection_and_it_opens_nothing_else(place):
    with pytest.raises(SlackApiError, match="not_allowed_token_type"):
        link(place, "xoxb-stand-in")
    with pytest.raises(SlackApiError, match="not_allowed_token_type"):
        WebClient(token="xapp-stand-in", base_url=place.slack.api_url).auth_test()
    with pytest.raises(SlackApiError, match="invalid_auth"):
        link(place, "xapp-other")
    place.slack.socket_mode = False
    with pytest.raises(SlackApiError, match="forbidden_team"):
        link(place)


@pytest.mark.parametrize("abruptly", [False, True])
def test_a_closed_connection_gets_nothing_more(place, dial, abruptly):
    dial()

    place.slack.close_sockets(abruptly=abruptly)

    place.slack.wait_for(lambda: place.slack.sockets_open() == 0)
    assert place.slack.click(place.ana, place.ops, place.card(), "approve").failure == "connection_failed"


def test_a_stand_in_that_stops_with_a_connection_open_closes_it():
    with ExitStack() as opened:
        with StandIn(installation=Installation(socket_mode=True)) as slack:
            url = WebClient(base_url=slack.api_url).apps_connections_open(app_token="xapp-stand-in")["url"]
            connection = opened.enter_context(connect(str(url), proxy=None))
            slack.wait_for(lambda: slack.sockets_open() == 1)
        connection.recv(5)
        with pytest.raises(ConnectionClosedOK):
            connection.recv(5)
