"""What people type, read: whole, odd, or nothing that a person said just now."""

import itertools
from typing import Any

import pytest

from bot.handed import Handed, read_handed
from bot.payloads import Unreadable
from bot.spoken import Command, Spoken, as_typed, read_command, read_spoken

MENTION: dict[str, Any] = {
    "team_id": "T1",
    "event": {
        "type": "app_mention",
        "user": "U1",
        "team": "T1",
        "channel": "C1",
        "ts": "1.0",
        "text": "<@UBOT> scale it",
    },
}
SHORTCUT: dict[str, Any] = {
    "type": "message_action",
    "user": {"id": "U1", "team_id": "T1"},
    "channel": {"id": "C1"},
    "trigger_id": "t",
    "message_ts": "2.0",
    "message": {"ts": "2.0", "user": "U2", "text": "disk &gt; 90 %"},
}
ODD: list[Any] = [None, 5, "text", [], {}, [None], [[]], {"id": 5}, {"id": None}, True]


def event(**more: Any) -> dict[str, Any]:
    return MENTION | {"event": MENTION["event"] | more}


def spoken(**more: Any) -> Spoken:
    read = read_spoken(event(**more), "UBOT")
    assert isinstance(read, Spoken)
    return read


def handed(**message: Any) -> Handed:
    read = read_handed(SHORTCUT | {"message": {"ts": "2.0", **message}})
    assert isinstance(read, Handed)
    return read


def test_a_mention_is_read_whole() -> None:
    assert read_spoken(MENTION, "UBOT") == Spoken(
        "T1", "U1", "T1", "C1", "1.0", None, "scale it", to_us=True, names_us=True, under_ours=False
    )


def test_a_reply_is_to_us_only_where_it_comes_as_a_mention_or_directly() -> None:
    assert not spoken(type="message", channel_type="channel", text="yes").to_us
    assert spoken(type="message", channel_type="im", text="yes").to_us
    reply = spoken(type="message", text="<@UBOT> yes", thread_ts="0.5", parent_user_id="UBOT")
    assert (reply.to_us, reply.names_us, reply.under_ours, reply.thread_ts) == (False, True, True, "0.5")


def test_the_root_of_a_thread_is_not_in_it() -> None:
    assert spoken(thread_ts="1.0").thread_ts is None


def test_the_team_of_an_outside_author_is_theirs_not_ours() -> None:
    assert spoken(user_team="T9").user_team_id == "T9"


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_what_a_person_says_with_a_file_or_to_the_channel_too_is_said(subtype: str) -> None:
    assert spoken(subtype=subtype).text == "scale it"


@pytest.mark.parametrize(
    "odd",
    [
        {"bot_id": "B1"},
        {"app_id": "A1"},
        {"bot_profile": {"id": "B1"}},
        {"user": "USLACKBOT"},
        {"edited": {"user": "U1", "ts": "2.0"}},
        {"subtype": "bot_message"},
        {"subtype": "message_changed", "hidden": True},
        {"subtype": "message_deleted"},
        {"subtype": "channel_join"},
        {"hidden": True},
        {"user": "UBOT"},
        {"user": None},
    ],
)
def test_what_no_person_said_just_now_is_not_read(odd: dict[str, Any]) -> None:
    assert isinstance(read_spoken(event(**odd), "UBOT"), Unreadable)


@pytest.mark.parametrize(("key", "odd"), list(itertools.product(MENTION["event"], ODD)))
def test_an_odd_mention_is_a_value_never_an_exception(key: str, odd: object) -> None:
    assert isinstance(read_spoken(event(**{key: odd}), "UBOT"), Spoken | Unreadable)


@pytest.mark.parametrize(("key", "odd"), list(itertools.product(["team_id", "user_id", "channel_id"], ODD)))
def test_an_odd_command_is_a_value_never_an_exception(key: str, odd: object) -> None:
    body = {"team_id": "T1", "user_id": "U1", "channel_id": "C1", "text": "ask a &lt; b"}
    assert read_command(body, "UBOT") == Command("T1", "U1", "C1", "ask a < b")
    assert isinstance(read_command(body | {key: odd}, "UBOT"), Command | Unreadable)


def test_a_message_is_handed_over_with_its_author_and_as_it_was_typed() -> None:
    assert read_handed(SHORTCUT) == Handed("", "U1", "T1", "C1", "2.0", "U2", "disk > 90 %", "t")
    assert handed(text="x", thread_ts="1.0").thread_ts == "1.0"
    assert handed(text="x", username="Grafana", bot_id="B1").author == "Grafana"


def test_the_words_of_an_alert_are_found_wherever_its_app_put_them() -> None:
    fields = [{"title": "Severity", "value": "page"}, {"value": "checkout"}]
    alert = {"pretext": "FIRING", "title": "5xx", "text": "12 of 12 pods", "fields": fields, "fallback": "no"}
    assert handed(text="", attachments=[alert]).text == "FIRING\n5xx\n12 of 12 pods\nSeverity: page\ncheckout"
    assert handed(text="", attachments=[{"fallback": "only this"}]).text == "only this"
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "in a block"}}
    assert handed(text="", blocks=[section]).text == "in a block"
    assert handed(text="said", blocks=[section]).text == "said"
    assert handed(text="", attachments=[{"fallback": "[no preview]", "blocks": [section]}]).text == "in a block"
    assert handed(files=[{"id": "F1"}]).text == ""


@pytest.mark.parametrize(("key", "odd"), list(itertools.product(["text", "attachments", "blocks", "ts", "user"], ODD)))
def test_an_odd_message_is_a_value_never_an_exception(key: str, odd: object) -> None:
    read = read_handed(SHORTCUT | {"message": SHORTCUT["message"] | {key: odd}})
    assert isinstance(read, Handed | Unreadable)
    assert isinstance(read_handed({key: odd}), Unreadable)


@pytest.mark.parametrize(
    ("escaped", "typed"),
    [
        ("<@UBOT> a &lt; b &amp;&amp; c", "a < b && c"),
        ("<@UBOT>", ""),
        ("hey <@UBOT|countersign>\u00a0 scale it", "hey scale it"),
        ("<@UBOT> run\n    x = 1  # kept", "run\n    x = 1  # kept"),
        ("<@UBOT> ask <@U2> too", "ask <@U2> too"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("<@UBOT> one\ntwo", "one\ntwo"),
    ],
)
def test_a_mention_reads_as_it_was_typed(escaped: str, typed: str) -> None:
    assert as_typed(escaped, "UBOT") == typed
