"""What is told at which field of the edit form, and of what no form is made."""

import socket
from typing import Any

import pytest

from approvals.rules.digest import canonical
from bot.forms.edit import NotEditable, edit_form
from bot.forms.read_edit import FieldErrors, read_edit
from bot.payloads import FieldValue
from tests.bot.edit_forms import KEY, Json, inputs_of, left, object_of, opened, told

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def refused(schema: Json, args: Json, *redact: str) -> str:
    view = edit_form(KEY, "h", schema, canonical(args), redact)
    assert isinstance(view, NotEditable)
    return view.reason


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


def test_arguments_that_the_schema_does_not_name_are_kept_and_can_be_changed() -> None:
    for schema in ({}, {"type": "object"}, object_of({"a": TEXT})):
        args = {"a": "x", "z": {"b": 1.0}, "y": "text"}
        assert left(schema, args) == canonical(args)
    assert left({}, {"a": "x", "z": 1}, {"f0": '"y"', "f1": ""}) == '{"a":"y"}'


def test_what_the_tool_does_not_take_is_told_at_its_field() -> None:
    schema = object_of({"a": TEXT}, additionalProperties=False)
    errors = told(schema, {"a": "x", "z": 1}, {"f0": "y"})
    assert errors == {"f1": "The tool knows no such argument. Leave it empty to take it out."}


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


def test_nothing_is_fetched_whatever_a_schema_refers_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        assert "faulty" in refused({"properties": {"a": {"$ref": address}}}, {"a": "x"})
        with pytest.raises(BlockingIOError):
            server.accept()
