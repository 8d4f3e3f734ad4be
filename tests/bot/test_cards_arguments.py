"""The arguments on a card: each of them, in the tool's order, unmistakable on a phone."""

import json
from typing import Any

import pytest

from approvals.records import Edit
from bot.cards.argument_block import arguments_of
from bot.cards.around import Around
from bot.cards.card import render
from tests.bot.values import AROUND, CALLERS, CY, OPENED, a_rule, an_approval, an_edited

SCHEMA = {"properties": {"service": {}, "environment": {}, "wait": {}}}


def lines(args: dict[str, Any], **more: Any) -> list[str]:
    return arguments_of(an_approval(args_json=json.dumps(args), **more)).text.splitlines()


def test_values_that_read_alike_are_shown_apart() -> None:
    args = {"a": 5, "b": "5", "c": True, "d": "true", "e": "", "f": " x", "g": None, "h": [1, "2"]}
    assert lines(args) == ["a  5", 'b  "5"', "c  true", 'd  "true"', 'e  ""', 'f  " x"', "g  null", 'h  [1, "2"]']


def test_they_stand_in_the_tools_own_order_and_others_after_them() -> None:
    args = {"b": 1, "a": 2, "environment": "prod", "service": "checkout"}
    assert [line.split()[0] for line in lines(args, args_schema=SCHEMA)] == ["service", "environment", "a", "b"]


@pytest.mark.parametrize("schema", [{}, {"properties": []}, {"properties": "x"}, {"properties": None}])
def test_a_schema_that_declares_nothing_leaves_them_by_name(schema: dict[str, Any]) -> None:
    assert lines({"b": 1, "a": 2}, args_schema=schema) == ["a  2", "b  1"]


def test_what_only_the_tools_default_gave_says_so() -> None:
    assert lines({"service": "checkout", "wait": True}, filled_in=("wait",)) == [
        "service  checkout",
        "wait     true (default)",
    ]


@pytest.mark.parametrize("value", ["true (default)", "recreate   (was rolling)"])
def test_no_value_can_pretend_to_be_a_remark_of_ours(value: str) -> None:
    assert lines({"mode": value})[0].startswith('mode  "')


def test_a_long_name_has_its_value_on_the_next_line() -> None:
    assert lines({"a": 1, "termination_grace_period": "30s\n40s"}) == [
        "a  1",
        "termination_grace_period",
        "  30s⏎",
        "  40s",
    ]


def test_names_take_no_more_than_a_third_of_a_phone() -> None:
    shown = lines({f"{'n' * length}": "v" for length in range(1, 30)})
    assert max(line.index("v") for line in shown if "v" in line) <= 16


def test_a_value_of_several_lines_cannot_look_like_another_argument() -> None:
    assert lines({"note": "x\nservice  billing", "service": "checkout"}) == [
        "note     x⏎",
        "         service··billing",
        "service  checkout",
    ]


def test_a_value_that_wraps_cannot_look_like_another_argument() -> None:
    """A phone breaks a line at its edge, and what comes next stands where names stand."""
    shown = lines({"note": f"x{' ' * 40}service  billing", "service": "checkout"})
    assert "  " not in shown[0].removeprefix("note     ")
    assert "each · is a blank" in str(render(an_approval(args_json='{"a":"b  c"}'), AROUND).blocks)


def test_a_name_that_looks_like_a_name_and_a_value_is_quoted() -> None:
    assert lines({"service  billing": 1})[0] == '"service  billing"'


def test_hidden_values_are_counted_and_hidden_wherever_they_stand() -> None:
    args = {"token": "s3cr3t-t0ken", "url": "https://x/?t=s3cr3t-t0ken", "deep": {"token": "other-one"}}
    shown = arguments_of(an_approval(args_json=json.dumps(args), rule=a_rule(redact=("token",)))).text
    assert "token  hidden, 12 characters" in shown
    assert "s3cr3t" not in shown
    assert "other-one" not in shown
    assert "https://x/?t=[hidden]" in shown


def test_an_edit_shows_what_the_agent_had_asked_for() -> None:
    shown = arguments_of(an_edited()).text.splitlines()
    assert shown == ["environment  prod", "mode         recreate   (was rolling)", "service      checkout"]


def test_after_two_edits_it_is_still_what_the_agent_had_asked_for() -> None:
    first, second = '{"a":1,"gone":2}', '{"a":5}'
    edits = (Edit(1, first, CY, OPENED), Edit(2, second, CY, OPENED))
    shown = lines({"a": 7, "new": True}, edits=edits)
    assert shown == ["a     7   (was 1)", "new   true   (was not given)", "gone  (left out)   (was 2)"]


def test_one_and_true_are_not_the_same_to_a_tool() -> None:
    assert lines({"a": True}, edits=(Edit(1, '{"a":1}', CY, OPENED),)) == ["a  true   (was 1)"]


@pytest.mark.parametrize("args_json", ["not json", "[1]", '{"a":' * 200 + "1" + "}" * 200, '{"a":' * 9000])
def test_what_cannot_be_read_is_shown_as_it_is_and_cannot_be_approved(args_json: str) -> None:
    shown = arguments_of(an_approval(args_json=args_json))
    assert shown.text.startswith("arguments  ")
    assert not shown.whole


def test_what_cannot_be_read_shows_no_value_that_might_have_to_be_hidden() -> None:
    deep = '{"a":' * 200 + '{"token":"s3cr3t-t0ken"}' + "}" * 200
    message = render(an_approval(args_json=deep, rule=a_rule(redact=("token",))), Around(CALLERS))
    assert "s3cr3t" not in str(message)


def test_no_arguments_are_said_to_be_none() -> None:
    assert lines({}) == ["(no arguments)"]
