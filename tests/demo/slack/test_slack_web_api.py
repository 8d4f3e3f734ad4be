import threading
import time
from contextlib import suppress

import httpx
import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from demo.slack.faults import Delay, DropAfter, RateLimited, Refuse, ServerError
from demo.slack.standin import StandIn


def refusal(call, *args, **kwargs):
    with pytest.raises(SlackApiError) as refused:
        call(*args, **kwargs)
    return refused.value.response


def with_token(place, token):
    return WebClient(token=token, base_url=place.slack.api_url, retry_handlers=[])


def test_auth_test_says_who_and_with_which_scopes(place):
    answer = place.client.auth_test()

    app = place.slack.workspace.app
    assert (answer["user_id"], answer["bot_id"]) == (app.user_id, app.bot_id)
    assert "chat:write" in answer.headers["X-OAuth-Scopes"].split(",")


def test_a_token_is_turned_away_by_the_name_of_its_fault(place):
    slack = place.slack
    slack.add_token("xoxb-second", slack.workspace.app.user_id, frozenset({"users:read"}))
    second = with_token(place, "xoxb-second")

    assert refusal(with_token(place, None).auth_test)["error"] == "not_authed"
    assert refusal(with_token(place, "xoxb-nobody").auth_test)["error"] == "invalid_auth"
    for state in ("token_revoked", "account_inactive"):
        slack.set_token("xoxb-second", state=state)
        assert refusal(second.auth_test)["error"] == state
    slack.set_token("xoxb-second")
    assert second.auth_test()["ok"]


def test_a_missing_scope_is_named_with_those_provided(place):
    place.slack.set_token("xoxb-stand-in", scopes=frozenset({"users:read", "commands"}))
    answer = refusal(place.card)

    assert (answer["error"], answer["needed"], answer["provided"]) == (
        "missing_scope",
        "chat:write",
        "commands,users:read",
    )


def test_history_needs_the_scope_of_the_kind_of_channel(place):
    secret = place.slack.workspace.add_channel("secret", [place.ana], kind="private")
    place.slack.set_token("xoxb-stand-in", scopes=frozenset({"channels:history"}))

    assert place.client.conversations_history(channel=place.ops)["ok"]
    assert refusal(place.client.conversations_history, channel=secret)["needed"] == "groups:history"


def test_unknown_methods_and_missing_arguments_are_named(place):
    assert refusal(place.client.api_call, "chat.postNothing")["error"] == "unknown_method"
    answer = refusal(place.client.api_call, "chat.update", json={"channel": place.ops})
    assert answer["error"] == "invalid_arguments"
    assert answer["response_metadata"]["messages"] == ["[ERROR] missing required field: ts"]


def test_json_and_form_mean_the_same_where_json_is_documented(place):
    blocks = '[{"type": "divider"}]'
    headers = {"Authorization": "Bearer xoxb-stand-in"}
    url = f"{place.slack.api_url}chat.postMessage"
    form = httpx.post(url, data={"channel": place.ops, "blocks": blocks}, headers=headers).json()
    body = {"channel": place.ops, "blocks": [{"type": "divider"}]}
    sent_json = httpx.post(url, json=body, headers=headers).json()

    assert form["message"]["blocks"][0]["type"] == sent_json["message"]["blocks"][0]["type"] == "divider"


def test_a_method_that_takes_no_json_does_not_read_it(place):
    answer = httpx.post(
        f"{place.slack.api_url}users.info",
        json={"user": place.ana},
        headers={"Authorization": "Bearer xoxb-stand-in"},
    ).json()

    assert answer["error"] == "invalid_arguments"


def test_a_broken_json_body_is_invalid_json(place):
    headers = {"Authorization": "Bearer xoxb-stand-in", "Content-Type": "application/json"}
    answer = httpx.post(f"{place.slack.api_url}auth.test", content=b"{", headers=headers).json()

    assert answer["error"] == "invalid_json"


def test_an_injected_rate_limit_strikes_once_and_does_nothing(place):
    place.slack.inject("chat.postMessage", RateLimited(retry_after=7))
    answer = refusal(place.card)

    assert (answer.status_code, answer["error"], answer.headers["Retry-After"]) == (429, "ratelimited", "7")
    assert place.slack.messages(place.ops) == []
    assert place.card()


def test_an_injected_server_error_is_html(place):
    place.slack.inject("*", ServerError())

    with pytest.raises(SlackApiError, match="non-JSON"):
        place.card()


def test_an_injected_refusal_strikes_as_often_as_asked_and_only_its_method(place):
    place.slack.inject("chat.update", Refuse("edit_window_closed"), times=2)
    ts = place.card()

    errors = [refusal(place.client.chat_update, channel=place.ops, ts=ts, text="x")["error"] for _ in range(2)]
    assert errors == ["edit_window_closed"] * 2
    assert place.client.chat_update(channel=place.ops, ts=ts, text="x")["ok"]


def test_a_dropped_answer_leaves_the_message_posted_and_a_blind_retry_posts_it_twice(place):
    place.slack.inject("chat.postMessage", DropAfter())
    retrying = WebClient(token="xoxb-stand-in", base_url=place.slack.api_url)

    retrying.chat_postMessage(channel=place.ops, text="once?")

    assert [m.text for m in place.slack.messages(place.ops)] == ["once?", "once?"]
    assert [call.fault for call in place.slack.journal.calls("chat.postMessage")] == ["DropAfter", None]


def test_a_delay_holds_the_answer_back(place):
    place.slack.inject("auth.test", Delay(0.2))
    started = time.monotonic()

    assert place.client.auth_test()["ok"]
    assert time.monotonic() - started >= 0.2


def test_a_delayed_answer_does_not_hold_up_the_end():
    with StandIn() as slack:
        slack.inject("auth.test", Delay(30))

        def ask() -> None:
            # Whether the answer still gets out is a matter of luck.
            with suppress(httpx.TransportError):
                httpx.post(f"{slack.api_url}auth.test", timeout=20)

        held = threading.Thread(target=ask)
        held.start()
        slack.wait_for(lambda: slack.faults.waiting() == 0)
        started = time.monotonic()
    held.join()

    assert time.monotonic() - started < 5


def test_rates_are_counted_per_channel_and_per_method_when_switched_on():
    with StandIn(enforce_rates=True) as slack:
        ana = slack.workspace.add_user("ana")
        one, other = (slack.workspace.add_channel(name, [ana]) for name in ("one", "other"))
        client = WebClient(token="xoxb-stand-in", base_url=slack.api_url, retry_handlers=[])
        for _ in range(5):
            client.chat_postMessage(channel=one, text="x")

        limited = refusal(client.chat_postMessage, channel=one, text="x")
        assert (limited.status_code, int(limited.headers["Retry-After"]) in range(1, 6)) == (429, True)
        assert client.chat_postMessage(channel=other, text="x")["ok"]
        slack.advance(5)
        assert client.chat_postMessage(channel=one, text="x")["ok"]

        for _ in range(20):
            client.usergroups_list()
        assert refusal(client.usergroups_list).status_code == 429


def test_the_journal_keeps_calls_without_the_token(place):
    place.card()
    call = place.slack.journal.calls("chat.postMessage")[-1]

    assert (call.token_kind, call.args["channel"], call.ok) == ("bot", place.ops, True)
    assert "token" not in call.args


def test_a_view_needs_a_fresh_trigger(place):
    view = {"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": [{"type": "divider"}]}
    place.slack.click(place.ana, place.ops, place.card(), "approve")
    trigger = place.slack.journal.deliveries("interaction")[-1].payload["trigger_id"]
    opened = place.client.views_open(trigger_id=trigger, view=view)["view"]

    assert refusal(place.client.views_open, trigger_id=trigger, view=view)["error"] == "exchanged_trigger_id"
    assert refusal(place.client.views_open, trigger_id="1.2.x", view=view)["error"] == "invalid_trigger_id"
    late = place.slack.click(place.ana, place.ops, place.card(), "approve").payload["trigger_id"]
    place.slack.advance(3.1)
    assert refusal(place.client.views_open, trigger_id=late, view=view)["error"] == "expired_trigger_id"

    place.client.views_update(view_id=opened["id"], view=view, hash=opened["hash"])
    stale = refusal(place.client.views_update, view_id=opened["id"], view=view, hash=opened["hash"])
    assert stale["error"] == "hash_conflict"


def test_a_stack_of_views_holds_three(place):
    button = {"type": "button", "action_id": "deeper", "text": {"type": "plain_text", "text": "Deeper"}}
    view = {
        "type": "modal",
        "title": {"type": "plain_text", "text": "x"},
        "blocks": [{"type": "actions", "elements": [button]}],
    }
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.client.views_open(trigger_id=delivery.payload["trigger_id"], view=view)
    for _ in range(2):
        delivery = place.slack.press(place.ana, "deeper")
        place.client.views_push(trigger_id=delivery.payload["trigger_id"], view=view)

    delivery = place.slack.press(place.ana, "deeper")
    answer = refusal(place.client.views_push, trigger_id=delivery.payload["trigger_id"], view=view)
    assert answer["error"] == "push_limit_reached"


def test_it_starts_fast_and_leaves_no_thread_and_no_port():
    before, started = set(threading.enumerate()), time.monotonic()
    with StandIn() as slack:
        WebClient(token="xoxb-stand-in", base_url=slack.api_url).auth_test()
        with httpx.Client() as kept_alive:
            kept_alive.post(f"{slack.api_url}auth.test")
            slack.stop()
            stopped = time.monotonic() - started
        slack.stop = lambda: None

    assert stopped < 1
    assert set(threading.enumerate()) == before
    with pytest.raises(httpx.ConnectError):
        httpx.post(f"{slack.api_url}auth.test")
