import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from demo.slack.server import Answer, Request, Server
from demo.slack.standin import StandIn


@dataclass
class Listener:
    """An app that answers as told and keeps what it got."""

    statuses: list[int]
    headers: dict[str, str] = field(default_factory=dict)
    got: list[Request] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Answer:
        with self.lock:
            self.got.append(request)
            status = self.statuses.pop(0) if self.statuses else 200
        return Answer(status, b"", self.headers)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(request.body)["event"] for request in self.got]


@pytest.fixture
def listener(place) -> Iterator[Listener]:
    app = Listener([])
    with Server(app.answer) as server:
        place.slack.events_url = f"http://127.0.0.1:{server.port}/slack/events"
        yield app


def only_messages(place):
    place.slack.subscriptions = frozenset({"message.channels"})


def test_an_event_is_retried_three_times_with_number_and_reason(place, listener):
    only_messages(place)
    listener.statuses = [500] * 10
    place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    retries = [(r.headers.get("x-slack-retry-num"), r.headers.get("x-slack-retry-reason")) for r in listener.got]
    assert retries == [(None, None), ("1", "http_error"), ("2", "http_error"), ("3", "http_error")]
    assert len({json.loads(request.body)["event_id"] for request in listener.got}) == 1
    assert [d.attempt for d in place.slack.journal.deliveries("event")] == [0, 1, 2, 3]


def test_a_retry_stops_at_the_first_2xx(place, listener):
    only_messages(place)
    listener.statuses = [500, 200]
    place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    assert len(listener.got) == 2


def test_the_app_can_ask_for_no_retry(place, listener):
    only_messages(place)
    listener.statuses, listener.headers = [500], {"X-Slack-No-Retry": "1"}
    place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    assert len(listener.got) == 1


def test_an_unreachable_app_is_retried_as_connection_failed(place):
    only_messages(place)
    place.slack.events_url = "http://127.0.0.1:9/slack/events"
    place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    failures = [d.failure for d in place.slack.journal.deliveries("event")]
    assert failures == ["connection_failed"] * 4


def test_an_interaction_is_never_retried(place, listener):
    place.slack.subscriptions = frozenset()
    listener.statuses = [500]
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.settle()

    forms = [r for r in listener.got if r.headers["content-type"] == "application/x-www-form-urlencoded"]
    assert (delivery.failure, len(forms)) == ("http_error", 1)


def test_the_envelope_carries_what_bolt_and_dedupe_need(place, listener):
    only_messages(place)
    ts = place.slack.say(place.ana, place.ops, "hello")
    place.slack.settle()

    body = json.loads(listener.got[0].body)
    workspace = place.slack.workspace
    assert (body["type"], body["team_id"], body["api_app_id"]) == (
        "event_callback",
        workspace.team_id,
        workspace.app.id,
    )
    assert body["authorizations"][0]["user_id"] == workspace.app.user_id
    assert (
        body["event"]
        | {
            "type": "message",
            "user": place.ana,
            "text": "hello",
            "ts": ts,
            "event_ts": ts,
            "channel": place.ops,
            "channel_type": "channel",
            "team": workspace.team_id,
        }
        == body["event"]
    )
    assert "subtype" not in body["event"]


def test_a_reply_names_its_thread_and_the_author_of_the_root(place, listener):
    only_messages(place)
    root = place.slack.say(place.ana, place.ops, "root")
    place.slack.settle()
    place.slack.say(place.bo, place.ops, "reply", root)
    place.slack.settle()

    reply = listener.events()[-1]
    assert (reply["thread_ts"], reply["parent_user_id"]) == (root, place.ana)


def test_the_bots_own_post_comes_back_with_bot_id_and_no_subtype(place, listener):
    only_messages(place)
    place.card()
    place.slack.settle()

    (event,) = listener.events()
    assert event["bot_id"] == place.slack.workspace.app.bot_id
    assert "subtype" not in event


def test_edits_and_deletions_are_hidden_events_with_a_subtype(place, listener):
    only_messages(place)
    ts = place.slack.say(place.ana, place.ops, "helo")
    place.slack.settle()
    place.slack.edit(place.ana, place.ops, ts, "hello")
    place.slack.settle()
    place.slack.remove(place.ana, place.ops, ts)
    place.slack.settle()

    _, changed, deleted = listener.events()
    assert (changed["subtype"], changed["hidden"]) == ("message_changed", True)
    assert (changed["message"]["text"], changed["previous_message"]["text"]) == ("hello", "helo")
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", ts)


@pytest.mark.parametrize(("kind", "seen"), [("public", "channel"), ("private", "group"), ("im", "im")])
def test_a_message_event_says_what_kind_of_channel_it_is(place, listener, kind, seen):
    channel = place.slack.workspace.add_channel("somewhere", [place.ana], kind=kind)
    place.slack.say(place.ana, channel, f"<@{place.slack.workspace.app.user_id}> hi")
    place.slack.settle()

    events = listener.events()
    assert [e["channel_type"] for e in events if e["type"] == "message"] == [seen]
    # A mention in a direct message is no app_mention.
    assert len([e for e in events if e["type"] == "app_mention"]) == (0 if kind == "im" else 1)


def test_the_app_hears_nothing_of_channels_it_is_not_in(place, listener):
    elsewhere = place.slack.workspace.add_channel("elsewhere", [place.ana], with_bot=False)
    place.slack.say(place.ana, elsewhere, f"<@{place.slack.workspace.app.user_id}> hi")
    place.slack.settle()

    assert listener.got == []


def test_an_event_can_be_delivered_twice_under_one_id_and_under_two(place, listener):
    event = {"type": "message", "channel": place.ops, "user": place.ana, "text": "again", "ts": "1.2"}
    for event_id in ("Ev1", "Ev1", "Ev2"):
        place.slack.deliver_event(event, event_id)

    assert [json.loads(request.body)["event_id"] for request in listener.got] == ["Ev1", "Ev1", "Ev2"]


def test_stopping_does_not_wait_for_a_retry_that_is_minutes_away():
    with StandIn(events_url="http://127.0.0.1:9/") as slack:
        ana = slack.workspace.add_user("ana")
        slack.say(ana, slack.workspace.add_channel("ops", [ana]), "hello")
        slack.wait_for(lambda: slack.journal.deliveries("event")[1:])
