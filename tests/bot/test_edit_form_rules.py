"""What a person can say in the edit form, and what never comes into it."""

import json
from typing import Any

import pytest

from approvals.rules.digest import canonical
from bot.forms.read_edit import Edited, FieldErrors, read_edit
from bot.payloads import FieldValue
from tests.bot.edit_forms import Json, block_of, inputs_of, left, object_of, opened, sent

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
MAYBE: Json = {"anyOf": [TEXT, {"type": "null"}]}
SECRET = "s3cr3t-value"


@pytest.mark.parametrize(
    ("args", "chosen", "then"),
    [
        ({"a": "x"}, "null", '{"a":null}'),
        ({"a": "x"}, "empty_text", '{"a":""}'),
        ({"a": "x"}, "leave_out", "{}"),
        ({"a": ""}, "null", '{"a":null}'),
        ({"a": None}, "empty_text", '{"a":""}'),
        ({}, "null", '{"a":null}'),
    ],
)
def test_null_empty_and_not_given_are_three_things_to_choose_from(args: Json, chosen: str, then: str) -> None:
    assert left(object_of({"a": MAYBE, "b": TEXT}), args, {"f0": "", "f0_empty": chosen}) == then


@pytest.mark.parametrize("args", [{"a": ""}, {"a": None}, {}, {"a": "  "}, {"a": "\r\n"}])
def test_whichever_it_is_it_stays_if_nobody_touches_it(args: Json) -> None:
    for required in ([*args], []):
        assert left(object_of({"a": MAYBE}, *required), args) == canonical(args)


def test_an_emptied_argument_takes_the_default_and_it_is_written_out() -> None:
    schema = object_of({"a": WHOLE | {"default": 3}, "b": TEXT | {"default": ""}, "c": MAYBE | {"default": None}})
    assert left(schema, {"a": 9, "b": "x", "c": "y"}, {"f0": "", "f1": "", "f2": ""}) == '{"a":3,"b":"","c":null}'


def test_an_argument_that_was_not_given_and_is_not_stays_out_though_it_has_a_default() -> None:
    schema = object_of({"a": WHOLE | {"default": 3}, "b": TEXT, "c": {"type": "boolean", "default": True}})
    assert left(schema, {"b": "x"}, {"f1": "y"}) == '{"b":"y"}'


def test_a_choice_that_is_taken_back_is_the_default() -> None:
    schema = object_of({"a": {"enum": ["x", "y"], "default": "y"}})
    assert left(schema, {"a": "x"}, {"f0": None}) == '{"a":"y"}'


def test_a_required_argument_cannot_be_left_empty() -> None:
    schema = object_of({"a": TEXT, "b": WHOLE, "c": {"type": "boolean"}, "d": {"type": "object"}}, "a", "b", "c", "d")
    args = {"a": "x", "b": 1, "c": True, "d": {}}
    assert not any(block["optional"] for block in inputs_of(opened(schema, args)))
    empty = {f"f{number}": FieldValue() for number in range(4)}
    errors = read_edit(schema, canonical(args), (), empty)
    assert isinstance(errors, FieldErrors)
    assert errors.by_block.keys() == empty.keys()


def test_a_list_can_be_emptied_where_that_is_allowed() -> None:
    schema = object_of({"a": {"type": "array", "items": TEXT, "default": []}})
    assert left(schema, {"a": ["x"]}, {"f0": ""}) == '{"a":[]}'


def test_a_block_that_did_not_come_back_was_not_touched() -> None:
    args = canonical({"a": "x", "b": 1})
    assert read_edit(object_of({"a": TEXT, "b": WHOLE}), args, (), {}) == Edited(args)


@pytest.mark.parametrize("value", ["a\r\nb", "a\rb", " a ", "\ta\n", "\u202ea\u200b ", "a\u2028b"])
def test_what_slack_does_to_line_ends_and_blanks_is_no_change(value: str) -> None:
    schema, args = object_of({"a": TEXT}, "a"), canonical({"a": value})
    for came in (value, value.replace("\r\n", "\n").replace("\r", "\n"), value.strip()):
        assert read_edit(schema, args, (), {"f0": FieldValue(came)}) == Edited(args)


@pytest.mark.parametrize(
    ("value", "shown"),
    [("pr\u202eod", "pr\\u{202E}od"), ("a\u200bb", "a\\u{200B}b"), (" a", " a"), ("a\r\nb", "a\\u{000D}⏎\nb")],
)
def test_what_an_input_would_hide_is_spelled_out_above_it(value: str, shown: str) -> None:
    blocks = opened(object_of({"a": TEXT}, "a"), {"a": value})["blocks"]
    above = blocks[[block.get("block_id") for block in blocks].index("f0") - 1]
    assert above["elements"][1]["elements"][0]["text"] == shown
    assert "cannot be seen" in above["elements"][0]["elements"][0]["text"]


def test_json_text_spells_out_what_cannot_be_seen_and_means_the_same() -> None:
    view = opened(object_of({"a": {"type": "object"}}), {"a": {"b": "\u202e🚀\U000e0041\n"}})
    begun = block_of(view, "f0")["element"]["initial_value"]
    assert "\\u202e🚀\\udb40\\udc41\\n" in begun
    assert json.loads(begun) == {"b": "\u202e🚀\U000e0041\n"}


def test_three_thousand_characters_can_be_edited_and_one_more_cannot() -> None:
    schema = object_of({"a": TEXT, "b": TEXT}, "a", "b")
    for value in ("x" * 3_000, "🚀" * 1_500, "中" * 3_000, "\u202e" * 3_000):
        assert block_of(opened(schema, {"a": value, "b": "y"}), "f0")["element"]["initial_value"] == value
    for value in ("x" * 3_001, "🚀" * 1_501, "\u202e" * 30_000):
        view = opened(schema, {"a": value, "b": "y"})
        assert [block["block_id"] for block in inputs_of(view)] == ["f1"]
        assert f"too long to edit here; {len(value):,} characters" in json.dumps(view)
        assert left(schema, {"a": value, "b": "y"}, {"f1": "z"}) == canonical({"a": value, "b": "z"})


def test_a_hidden_value_is_nowhere_in_the_form_and_stays() -> None:
    schema = object_of({"token": TEXT, "a": TEXT}, "token", "a")
    view = opened(schema, {"token": SECRET, "a": "x"}, "token")
    assert SECRET not in json.dumps(view)
    assert block_of(view, "f0")["optional"]
    assert "leave empty to keep it" in block_of(view, "f0")["hint"]["text"]
    assert left(schema, {"token": SECRET, "a": "x"}, {"f1": "y"}, "token") == canonical({"token": SECRET, "a": "y"})
    assert left(schema, {"token": SECRET, "a": "x"}, {"f0": "new"}, "token") == canonical({"token": "new", "a": "x"})


@pytest.mark.parametrize("deep", [{"token": SECRET}, {"x": [{"token": SECRET}]}, [[{"token": {"y": SECRET}}]]])
def test_what_holds_a_hidden_value_cannot_be_changed_and_is_not_shown(deep: Any) -> None:
    schema, args = object_of({"a": {}, "b": TEXT}, "a", "b"), {"a": deep, "b": "x"}
    view = opened(schema, args, "token")
    assert SECRET not in json.dumps(view)
    assert "contains hidden values" in json.dumps(view)
    assert left(schema, args, {"f1": "y"}, "token") == canonical({"a": deep, "b": "y"})


def test_a_hidden_value_that_stands_in_another_argument_too_is_hidden_there() -> None:
    args = {"token": SECRET, "url": f"https://x/?t={SECRET}"}
    assert SECRET not in json.dumps(opened(object_of({"token": TEXT, "url": TEXT}), args, "token"))


def test_no_error_tells_a_hidden_value() -> None:
    schema = object_of({"token": TEXT | {"pattern": "^a"}, "b": WHOLE}, "token", "b")
    errors = sent(schema, {"token": SECRET, "b": 1}, {"f1": "2"}, "token")
    assert isinstance(errors, FieldErrors)
    assert SECRET not in str(errors)


def test_a_constant_is_shown_and_stays() -> None:
    schema = object_of({"kind": {"const": "restart"}, "a": TEXT}, "kind", "a")
    view = opened(schema, {"kind": "restart", "a": "x"})
    assert [block["block_id"] for block in inputs_of(view)] == ["f1"]
    assert "restart" in json.dumps(view)
    assert left(schema, {"kind": "restart", "a": "x"}, {"f1": "y"}) == '{"a":"y","kind":"restart"}'


def test_items_with_blanks_at_their_ends_are_not_lines_which_would_lose_them() -> None:
    schema = object_of({"a": {"type": "array", "items": TEXT}}, "a")
    for items in ([" a", "b"], ["a", ""], ["a\nb"]):
        assert json.loads(block_of(opened(schema, {"a": items}), "f0")["element"]["initial_value"]) == items
