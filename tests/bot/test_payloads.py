"""Slack's JSON, read: whole, odd, or missing."""

import itertools
from typing import Any

import pytest

from approvals.records import ApprovalId, ApprovalKey
from bot.cards.blocks import preformatted
from bot.cards.keys import read_key, write_key
from bot.payloads import (
    Click,
    FieldValue,
    Submission,
    Unreadable,
    read_click,
    read_submission,
)
from bot.replies import read_groups, read_identity, read_user
from tests.bot.values import an_approval

CLICK: dict[str, Any] = {
    "type": "block_actions",
    "user": {"id": "U1", "team_id": "T2"},
    "team": {"id": "T1"},
    "container": {"type": "message", "message_ts": "2.0", "channel_id": "C1", "thread_ts": "1.0"},
    "trigger_id": "t",
    "response_url": "https://hooks.example/x",
    "actions": [{"action_id": "approve", "value": "A-1.1.1"}],
}
SUBMISSION: dict[str, Any] = {
    "user": {"id": "U1", "team_id": "T1"},
    "view": {
        "callback_id": "reject_with_reason",
        "private_metadata": "A-1.1.1",
        "state": {"values": {"note": {"note": {"type": "plain_text_input", "value": "no"}}}},
    },
}
ODD: list[Any] = [None, 5, "text", [], {}, [None], [[]], {"id": 5}, {"id": None}, True]


def test_a_click_is_read_whole() -> None:
    expected = Click("U1", "T2", "T1", "C1", "2.0", "1.0", "t", "approve", "A-1.1.1", "https://hooks.example/x")
    assert read_click(CLICK) == expected


def test_the_heading_of_the_card_that_was_pressed_is_read() -> None:
    card = {
        "blocks": [{"type": "section"}, {"type": "header", "text": {"type": "plain_text", "text": "Restart &amp; go"}}]
    }
    assert read_click(CLICK | {"message": card}).heading == "Restart &amp; go"  # type: ignore[union-attr]
    for odd in ODD:
        assert isinstance(read_click(CLICK | {"message": {"blocks": odd}}), Click)
        assert isinstance(read_click(CLICK | {"message": {"blocks": [odd, {"type": "header", "text": odd}]}}), Click)


def test_what_stands_on_the_card_as_it_is_is_read() -> None:
    card = {"blocks": [{"type": "section"}, preformatted("Roll <back>?", "Title"), preformatted("later")]}
    assert read_click(CLICK | {"message": card}).shown == "Roll <back>?"  # type: ignore[union-attr]
    for odd in ODD:
        blocks = [odd, {"elements": odd}, {"elements": [odd, {"type": "rich_text_preformatted", "elements": odd}]}]
        assert isinstance(read_click(CLICK | {"message": {"blocks": blocks}}), Click)


def test_a_menu_is_read_like_a_button() -> None:
    chosen = {"action_id": "reject_with_reason", "selected_option": {"value": "A-1.1.1"}}
    click = read_click(CLICK | {"actions": [chosen]})
    assert isinstance(click, Click)
    assert click.value == "A-1.1.1"


def test_a_submission_is_read_whole() -> None:
    expected = Submission("U1", "T1", "reject_with_reason", "A-1.1.1", {"note": "no"}, {"note": FieldValue(text="no")})
    assert read_submission(SUBMISSION) == expected


@pytest.mark.parametrize(
    ("held", "value"),
    [
        ({"type": "plain_text_input", "value": "a\nb"}, FieldValue("a\nb")),
        ({"type": "plain_text_input", "value": None}, FieldValue()),
        ({"type": "number_input", "value": "1.0"}, FieldValue("1.0")),
        ({"type": "static_select", "selected_option": {"text": {"text": "Eu"}, "value": "eu"}}, FieldValue("eu")),
        ({"type": "external_select", "selected_option": None}, FieldValue()),
        ({"type": "radio_buttons", "selected_option": {"value": "true"}}, FieldValue("true")),
        ({"type": "checkboxes", "selected_options": [{"value": "a"}, {"value": "b"}]}, FieldValue(chosen=("a", "b"))),
        ({"type": "multi_static_select", "selected_options": []}, FieldValue()),
        ({"type": "datepicker", "selected_date": "2026-11-30"}, FieldValue("2026-11-30")),
        ({"type": "timepicker", "selected_time": "09:00", "timezone": "Europe/Berlin"}, FieldValue("09:00")),
        ({"type": "datetimepicker", "selected_date_time": 1780000000}, FieldValue("1780000000")),
        ({"type": "users_select", "selected_user": "U1"}, FieldValue("U1")),
        ({"type": "multi_users_select", "selected_users": ["U1", "U2"]}, FieldValue(chosen=("U1", "U2"))),
        ({"type": "conversations_select", "selected_conversation": "C1"}, FieldValue("C1")),
    ],
)
def test_every_kind_of_input_is_read(held: dict[str, Any], value: FieldValue) -> None:
    view = SUBMISSION["view"] | {"state": {"values": {"f0": {"f0": held}}}}
    submission = read_submission(SUBMISSION | {"view": view})
    assert isinstance(submission, Submission)
    assert submission.fields == {"f0": value}


def test_an_empty_field_is_no_value() -> None:
    view = SUBMISSION["view"] | {"state": {"values": {"note": {"note": {"value": None}}}}}
    submission = read_submission(SUBMISSION | {"view": view})
    assert isinstance(submission, Submission)
    assert submission.values == {}


@pytest.mark.parametrize(("key", "odd"), list(itertools.product([*CLICK, "view"], ODD)))
def test_an_odd_click_is_a_value_never_an_exception(key: str, odd: object) -> None:
    assert isinstance(read_click(CLICK | {key: odd}), Click | Unreadable)
    assert isinstance(read_click({key: odd}), Unreadable)


@pytest.mark.parametrize(("key", "odd"), list(itertools.product(["user", "view"], ODD)))
def test_an_odd_submission_is_a_value_never_an_exception(key: str, odd: object) -> None:
    assert isinstance(read_submission(SUBMISSION | {key: odd}), Unreadable)


@pytest.mark.parametrize("odd", ODD)
def test_odd_fields_of_a_form_are_left_out(odd: object) -> None:
    for state in (odd, {"values": odd}, {"values": {"note": odd}}, {"values": {"note": {"note": odd}}}):
        submission = read_submission(SUBMISSION | {"view": SUBMISSION["view"] | {"state": state}})
        assert isinstance(submission, Submission)
        assert submission.values == {}


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_of_slack_are_values_too(odd: object) -> None:
    assert read_user({"user": odd}) is None
    assert read_groups({"usergroups": odd}) in (None, ())
    assert read_identity({"team_id": odd, "user_id": "U1"}, "") in (
        None,
        read_identity({"team_id": "text", "user_id": "U1"}, ""),
    )


def test_a_button_carries_the_approval_its_revision_and_attempt() -> None:
    assert write_key(an_approval()) == "A-9Q2M7F3K.1.1"
    assert read_key(write_key(an_approval(revision=3, attempt=2))) == ApprovalKey(ApprovalId("A-9Q2M7F3K"), 3, 2)


@pytest.mark.parametrize(
    "text",
    ["", "A-1", "A-1.1", "A-1.1.1.1", "A-1.01.1", "A-1.0.1", "A-1.-1.1", "a-1.1.1", "A-1.1.1 ", "A-1.1.1\n", "A-1.١.1"],
)
def test_anything_else_is_no_button_of_ours(text: str) -> None:
    assert read_key(text) is None
