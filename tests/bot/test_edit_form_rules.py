"""What a person can say in the edit form, what they are told, and what never comes into it."""

import json
import socket
from typing import Any

import pytest

from approvals.rules.digest import canonical
from bot.forms.edit import NotEditable, edit_form
from bot.forms.read_edit import Edited, FieldErrors, read_edit
from bot.payloads import FieldValue
from tests.bot.edit_forms import KEY, Json, block_of, fields_of, inputs_of, left, object_of, opened, sent, told

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
MAYBE: Json = {"anyOf": [TEXT, {"type": "null"}]}
SECRET = "s3cr3t-value"


def refused(schema: Json, args: Json, *redact: str) -> str:
    view = edit_form(KEY, "h", schema, canonical(args), redact)
    assert isinstance(view, NotEditable)
    return view.reason


# Left empty


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


# What Slack does to text


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


# Errors


@pytest.mark.parametrize(
    "written", ["1,5", "1.000,5", "NaN", "Infinity", "-inf", "1e999", "1_000", "٣", "0x10", "1 0", "a"]
)
def test_what_is_no_number_is_told_in_a_sentence(written: str) -> None:
    for schema in ({"type": "number"}, WHOLE):
        errors = read_edit(object_of({"a": schema}), '{"a":1}', (), {"f0": FieldValue(written)})
        assert isinstance(errors, FieldErrors)
        assert "number" in errors.by_block["f0"]


def test_a_number_that_would_lose_digits_is_refused_and_told_the_nearest() -> None:
    words = told(object_of({"a": {"type": "number"}}), {"a": 1e30}, {"f0": "0.10000000000000000001"})
    assert "0.1" in words["f0"]
    assert told(object_of({"a": {}}), {"a": 1}, {"f0": "[0.10000000000000000001]"})


@pytest.mark.parametrize(
    ("schema", "present", "entered", "words"),
    [
        (WHOLE | {"maximum": 50}, 99, "100", "must be at most 50"),
        (WHOLE | {"exclusiveMinimum": 0}, 1, "0", "must be more than 0"),
        (WHOLE | {"multipleOf": 5}, 5, "6", "must be a multiple of 5"),
        (TEXT | {"maxLength": 3}, "abc", "abcd", "at most 3 characters"),
        (TEXT | {"pattern": "^[a-z]+$"}, "abc", "A", "pattern ^[a-z]+$"),
        ({"type": "array", "items": TEXT, "maxItems": 1}, ["a"], "a\nb", "at most 1 entries"),
        ({"type": "array", "items": WHOLE}, [1], '[1, "x"]', "In it, entry 2 must be a whole number."),
        ({"type": "object", "required": ["x"]}, {"x": 1}, "{}", "lacks x"),
        ({"anyOf": [WHOLE | {"multipleOf": 5}, {"type": "null"}]}, 5, "6", "It must be a multiple of 5."),
        ({"type": "object"}, {}, "[]", "must be an object"),
        ({"type": "object"}, {}, "{a: 1}", "not JSON text"),
        ({"type": "object"}, {}, '{"a": 1, "a": 2}', "twice"),
        ({"type": "object"}, {}, '{"a": NaN}', "NaN is no number"),
        ({"type": "object"}, {}, '{"a": 1e999}', "too large"),
        ({"type": "object"}, {}, '{"a": "\\ud800"}', "lone surrogate"),
        ({"type": "array"}, [], "[" * 3_000, "nested too deeply"),
        ({"type": "string", "format": "date"}, "soon", "2026-02-30", "date that exists"),
        ({"enum": [f"z{number}" for number in range(101)]}, "z1", "z101", "none of the 101 values"),
    ],
)
def test_each_error_is_told_at_its_field_in_plain_words(schema: Json, present: Any, entered: str, words: str) -> None:
    whole = object_of({"first": TEXT, "a": schema, "last": TEXT}, "first", "a", "last")
    errors = told(whole, {"first": "x", "a": present, "last": "y"}, {"f1": entered})
    assert errors.keys() == {"f1"}
    assert words in errors["f1"]
    assert errors["f1"].endswith(".") or "pattern" in errors["f1"]


def test_several_errors_are_told_together() -> None:
    schema = object_of({"a": WHOLE, "b": WHOLE | {"multipleOf": 2}, "c": TEXT | {"maxLength": 2}}, "a", "b", "c")
    errors = told(schema, {"a": 1, "b": 2, "c": "x"}, {"f1": "3", "f2": "long"})
    assert errors.keys() == {"f1", "f2"}


def test_what_belongs_to_no_field_is_told_at_the_first_one() -> None:
    together = {
        "anyOf": [{"properties": {"a": {"const": "x"}}}, {"properties": {"a": {"const": "y"}, "b": {"const": 1}}}]
    }
    schema = object_of({"fixed": {"const": 1}, "a": TEXT, "b": WHOLE}, "a", "b", **together)
    assert told(schema, {"fixed": 1, "a": "x", "b": 1}, {"f1": "z"}).keys() == {"f1"}


def test_what_is_wrong_with_a_fixed_argument_is_told_with_its_name() -> None:
    hindered = {"if": {"properties": {"a": {"const": "y"}}}, "then": {"properties": {"fixed": {"maxLength": 5}}}}
    schema = object_of({"fixed": {"const": "always"}, "a": TEXT}, "a", "fixed", **hindered)
    errors = told(schema, {"fixed": "always", "a": "x"}, {"f1": "y"})
    assert errors["f1"].startswith("fixed: It must have at most 5")


def test_a_missing_argument_is_told_at_its_own_field() -> None:
    schema = object_of({"a": TEXT, "b": TEXT}, dependentRequired={"a": ["b"]})
    entered = {"f0": "new", "f1": "", "f1_empty": "leave_out"}
    assert told(schema, {}, entered) == {"f1": "It must be given."}


# What is in no schema


def test_arguments_that_the_schema_does_not_name_are_kept_and_can_be_changed() -> None:
    for schema in ({}, {"type": "object"}, object_of({"a": TEXT})):
        args = {"a": "x", "z": {"b": 1.0}, "y": "text"}
        assert left(schema, args) == canonical(args)
    assert left({}, {"a": "x", "z": 1}, {"f0": '"y"', "f1": ""}) == '{"a":"y"}'


def test_what_the_tool_does_not_take_is_told_at_its_field() -> None:
    schema = object_of({"a": TEXT}, additionalProperties=False)
    errors = told(schema, {"a": "x", "z": 1}, {"f0": "y"})
    assert errors == {"f1": "The tool knows no such argument. Leave it empty to take it out."}


# Never in the form


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


# No form


def test_where_there_can_be_no_form_a_sentence_says_why() -> None:
    many = object_of({f"a{number}": WHOLE for number in range(91)})
    assert "91 arguments" in refused(many, {})
    assert "no argument" in refused({}, {})
    assert "no argument" in refused(object_of({"a": {"const": 1}}), {"a": 1})
    assert "too many or too long" in refused({}, {f"a{n}": "中" * 2_900 for n in range(12)})
    assert isinstance(edit_form(KEY, "h", {}, "[1]", ()), NotEditable)


def test_ninety_fields_fit() -> None:
    schema = object_of({f"a{number}": WHOLE for number in range(90)}, *(f"a{number}" for number in range(90)))
    assert len(inputs_of(opened(schema, {f"a{number}": number for number in range(90)}))) == 90


@pytest.mark.parametrize(
    "faulty",
    [
        {"properties": {"a": {"$ref": "#/$defs/none"}}},
        {"properties": {"a": {"$ref": "https://evil.example/schema.json"}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
        {"properties": {"a": {"pattern": "("}}},
        {"properties": {"a": {"type": "text"}}},
        {"properties": ["a"]},
        {"required": "a"},
        {"properties": {"a": {"minimum": "5"}}},
    ],
)
def test_a_schema_that_checks_nothing_is_no_ground_for_a_form(faulty: Json) -> None:
    assert "faulty" in refused(faulty, {"a": "x"})
    assert isinstance(read_edit(faulty, '{"a":"x"}', (), {"f0": FieldValue('"y"')}), FieldErrors)


# The tool's own words


def test_long_and_hostile_words_of_the_tool_are_cut_and_plain() -> None:
    name = "n" * 300
    view = opened(object_of({name: TEXT | {"description": "<!channel> \u202e" + "d" * 5_000}}), {name: "x"})
    block = block_of(view, "f0")
    assert len(block["label"]["text"]) == 150
    assert block["hint"]["type"] == "plain_text"
    assert "\\u{202E}" in block["hint"]["text"]
    assert len(block["hint"]["text"]) < 300


def test_long_choices_can_be_read_in_full() -> None:
    long = ["x" * 100 + "a", "x" * 100 + "b"]
    view = opened(object_of({"a": {"enum": long}}, "a"), {"a": long[0]})
    assert all(one in json.dumps(view["blocks"][2]) for one in long)


def test_choices_that_would_look_alike_are_numbered() -> None:
    view = opened(object_of({"a": {"enum": ["a b", "a  b", "c"]}}, "a"), {"a": "c"})
    assert [one["text"]["text"] for one in block_of(view, "f0")["element"]["options"]] == ["1. a b", "2. a b", "c"]


def test_a_hundred_choices_are_a_menu_and_one_more_is_a_text() -> None:
    for count, kind in ((100, "static_select"), (101, "plain_text_input")):
        schema = object_of({"a": {"enum": [f"z{number}" for number in range(count)]}}, "a")
        assert block_of(opened(schema, {"a": "z1"}), "f0")["element"]["type"] == kind


def test_a_present_value_that_is_no_choice_can_stay() -> None:
    schema = object_of({"a": {"enum": ["x", "y"]}, "b": TEXT}, "a", "b")
    assert left(schema, {"a": "other", "b": ""}) == '{"a":"other","b":""}'
    assert "f0" in told(schema, {"a": "other", "b": "x"}, {"f1": "y"})


def test_the_form_is_read_as_the_stand_in_sends_it() -> None:
    view = opened(object_of({"a": {"enum": [1, 2]}, "b": {"type": "boolean"}}, "a", "b"), {"a": 1, "b": False})
    assert fields_of(view, {}) == {"f0": FieldValue("1"), "f1": FieldValue("false")}


def test_items_with_blanks_at_their_ends_are_not_lines_which_would_lose_them() -> None:
    schema = object_of({"a": {"type": "array", "items": TEXT}}, "a")
    for items in ([" a", "b"], ["a", ""], ["a\nb"]):
        assert json.loads(block_of(opened(schema, {"a": items}), "f0")["element"]["initial_value"]) == items


def test_a_text_a_number_and_a_boolean_that_read_alike_are_each_a_choice() -> None:
    view = opened(object_of({"a": {"enum": ["1", 1, 1.0, True, "true"]}}, "a"), {"a": 1})
    labels = [one["text"]["text"] for one in block_of(view, "f0")["element"]["options"]]
    assert labels == ['"1"', "1", "1.0", "true", '"true"']


def test_nothing_is_fetched_whatever_a_schema_refers_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        assert "faulty" in refused({"properties": {"a": {"$ref": address}}}, {"a": "x"})
        with pytest.raises(BlockingIOError):
            server.accept()
