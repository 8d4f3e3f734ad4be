"""A message that grows, as Slack documents it and as others have measured it."""

from collections.abc import Callable

import pytest
from slack_sdk.errors import SlackApiError

from demo.slack.methods.streams import LIFETIME_SECONDS
from demo.slack.webapi import METHODS
from tests.demo.slack.conftest import Place


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


def begun(place: Place, words: str = "Hello") -> str:
    root = place.slack.say(place.ana, place.ops, "hello")
    started = place.client.chat_startStream(
        channel=place.ops,
        thread_ts=root,
        markdown_text=words,
        recipient_team_id=place.slack.workspace.team_id,
        recipient_user_id=place.ana,
    )
    return str(started["ts"])


def test_it_grows_until_it_is_stopped_and_is_marked_then(place: Place) -> None:
    ts = begun(place)
    place.client.chat_appendStream(channel=place.ops, ts=ts, markdown_text=", wor")
    growing = place.slack.message_json(place.ops, ts)
    assert (growing["text"], growing["streaming_state"]) == ("Hello, wor", "in_progress")
    mark = {"event_type": "post", "event_payload": {"id": "1"}}
    place.client.chat_stopStream(channel=place.ops, ts=ts, markdown_text="ld", metadata=mark)
    stopped = place.slack.message_json(place.ops, ts)
    assert (stopped["text"], stopped["streaming_state"], stopped["metadata"]) == ("Hello, world", "completed", mark)


def test_while_it_grows_nothing_else_may_touch_it(place: Place) -> None:
    ts = begun(place)
    assert refused(lambda: place.client.chat_update(channel=place.ops, ts=ts, text="x")) == "streaming_state_conflict"
    assert refused(lambda: place.client.chat_delete(channel=place.ops, ts=ts)) == "cant_delete_message"
    place.client.chat_stopStream(channel=place.ops, ts=ts)
    place.client.chat_update(channel=place.ops, ts=ts, text="x")
    place.client.chat_delete(channel=place.ops, ts=ts)


def test_what_is_stopped_or_was_ended_by_slack_grows_no_more(place: Place) -> None:
    stopped, ended = begun(place), begun(place)
    place.client.chat_stopStream(channel=place.ops, ts=stopped)
    place.slack.workspace.skip(LIFETIME_SECONDS)
    for ts in (stopped, ended):
        gone = refused(lambda ts=ts: place.client.chat_appendStream(channel=place.ops, ts=ts, markdown_text="x"))
        assert gone == "message_not_in_streaming_state"
    assert (
        refused(lambda: place.client.chat_stopStream(channel=place.ops, ts=ended)) == "message_not_in_streaming_state"
    )
    place.client.chat_update(channel=place.ops, ts=ended, text="x")


@pytest.mark.parametrize("missing", ["recipient_team_id", "recipient_user_id"])
def test_in_a_channel_slack_wants_to_know_for_whom_it_is(place: Place, missing: str) -> None:
    root = place.slack.say(place.ana, place.ops, "hello")
    given = {"recipient_team_id": place.slack.workspace.team_id, "recipient_user_id": place.ana}
    given.pop(missing)
    error = refused(lambda: place.client.chat_startStream(channel=place.ops, thread_ts=root, **given))
    assert error == f"missing_{missing}"


def test_in_a_direct_conversation_it_need_not_be_said(place: Place) -> None:
    direct = place.slack.workspace.direct_channel(place.ana, place.slack.workspace.app.user_id)
    root = place.slack.say(place.ana, direct, "hello")
    ts = place.client.chat_startStream(channel=direct, thread_ts=root, markdown_text="Hi")["ts"]
    # It rings when it is there, not when it begins.
    assert place.slack.notifications(place.ana) == []
    place.client.chat_stopStream(channel=direct, ts=str(ts))
    assert [n.text for n in place.slack.notifications(place.ana)] == ["Hi"]


def test_arguments_are_checked(place: Place) -> None:
    ts = begun(place)
    long = "x" * 12_001
    for call in (
        lambda: place.client.chat_appendStream(channel=place.ops, ts=ts),
        lambda: place.client.chat_appendStream(channel=place.ops, ts=ts, markdown_text=long),
        lambda: place.client.api_call("chat.startStream", json={"channel": place.ops}),
    ):
        assert refused(call) == "invalid_arguments"
    assert refused(lambda: place.client.chat_stopStream(channel=place.ops, ts="1.2")) == "message_not_found"


def test_a_slack_without_streams_says_so(place: Place) -> None:
    place.slack.workspace.streams_refused = "unknown_method"
    assert refused(lambda: begun(place)) == "unknown_method"


def test_the_tiers_are_slacks_own() -> None:
    tiers = [METHODS[f"chat.{name}Stream"].tier for name in ("start", "append", "stop")]
    assert tiers == [2, 4, 2]
