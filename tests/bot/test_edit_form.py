"""Arguments of every kind through the edit form and back."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from approvals.rules.digest import canonical
from tests.bot.edit_forms import Json, block_of, inputs_of, left, object_of, opened

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
YES_NO = {"type": "boolean"}
DATE = {"type": "string", "format": "date"}
TEXTS = {"type": "array", "items": TEXT}
MODES = {"enum": ["rolling", "recreate"]}
SOME_MODES = {"type": "array", "items": MODES}
MIXED = {"enum": ["1", 1, 1.5, True, None, "a"]}
LONG_A, LONG_B = "x" * 160 + "a", "x" * 160 + "b"
MANY = {"enum": [f"zone-{number}" for number in range(150)]}


def nullable(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


# kind: (schema, present value, what is entered, what it is then)
TYPED: dict[str, tuple[Json, Any, Any, Any]] = {
    "text": (TEXT, "checkout", "billing", "billing"),
    "text with markup": (TEXT, "<!channel> &amp; <@U1>", "&lt;b&gt;", "&lt;b&gt;"),
    "text with emoji": (TEXT, "🚀 go 👩‍👩‍👧", "🛑 stop", "🛑 stop"),
    "text that looks like a number": (TEXT, "5", "007", "007"),
    "text that looks like null": (TEXT, "null", "true", "true"),
    "text in several lines": (TEXT, "one\ntwo", "one\ntwo\nthree", "one\ntwo\nthree"),
    "long text": (TEXT, "a" * 2999, "b" * 3000, "b" * 3000),
    "roomy text": ({"type": "string", "maxLength": 4000}, "a", "b\nc", "b\nc"),
    "text that is hidden in part": (TEXT, "pr\u202eod\u200b", "prod", "prod"),
    "nullable text": (nullable(TEXT), "a", "b", "b"),
    "text or null, as a list of types": ({"type": ["string", "null"]}, None, "b", "b"),
    "whole number": (WHOLE, 3, "5", 5),
    "negative number": (WHOLE, -3, "-5", -5),
    "limited number": ({"type": "integer", "minimum": 1, "maximum": 50}, 3, "50", 50),
    "huge number": (WHOLE, 2**80, str(2**80 + 1), 2**80 + 1),
    "whole number with a point": (WHOLE, 3.0, "4", 4),
    "number": (NUMBER, 1.5, "2.25", 2.25),
    "number without fraction": (NUMBER, 1.0, "2.0", 2.0),
    "whole number for a number": (NUMBER, 1, "2", 2),
    "tiny number": (NUMBER, 1e-9, "2e-9", 2e-9),
    "great number": (NUMBER, 1e21, "1E22", 1e22),
    "nullable number": (nullable(NUMBER), None, "0.5", 0.5),
    "boolean": (YES_NO, True, "false", False),
    "nullable boolean": (nullable(YES_NO), None, "true", True),
    "choice": (MODES, "rolling", "recreate", "recreate"),
    "choice by reference": ({"$ref": "#/$defs/Mode"}, "rolling", "recreate", "recreate"),
    "choice through allOf": ({"allOf": [{"$ref": "#/$defs/Mode"}]}, "rolling", "recreate", "recreate"),
    "nullable choice": (nullable(MODES), "rolling", "null", None),
    "choice of numbers": ({"enum": [1, 2, 3]}, 1, "3", 3),
    "mixed choice, a text": (MIXED, 1, '"1"', "1"),
    "mixed choice, null": (MIXED, "1", "null", None),
    "mixed choice, a boolean": (MIXED, 1, "true", True),
    "choice of long texts": ({"enum": [LONG_A, LONG_B]}, LONG_A, "choice-2", LONG_B),
    "choice of constants": ({"anyOf": [{"const": "a"}, {"const": "b"}]}, "a", "b", "b"),
    "one constant or null": (nullable({"const": "a"}), "a", "null", None),
    "choice of many": (MANY, "zone-3", "zone-149", "zone-149"),
    "date": (DATE, "2026-11-30", "2026-12-01", "2026-12-01"),
    "nullable date": (nullable(DATE), None, "2026-12-01", "2026-12-01"),
    "date that is none": (DATE, "soon", "2026-12-01", "2026-12-01"),
    "list of texts": (TEXTS, ["a", "b c"], "a\nb c\n\nd", ["a", "b c", "d"]),
    "list of texts, as JSON": (TEXTS, ["a\nb", ""], '["a\\nb"]', ["a\nb"]),
    "nullable list": (nullable(TEXTS), None, "a", ["a"]),
    "list of choices": (SOME_MODES, ["rolling"], ['"recreate"'], ["recreate"]),
    "list of choices, one twice": (SOME_MODES, ["rolling", "rolling"], '["recreate"]', ["recreate"]),
    "list of numbers": ({"type": "array", "items": WHOLE}, [1, 2], "[1, 2, 3]", [1, 2, 3]),
    "object": ({"type": "object"}, {"a": {"b": [1, 1.0, "\u202e"]}}, '{"a": null}', {"a": None}),
    "object by reference": ({"$ref": "#/$defs/Point"}, {"x": 1}, '{"x": 2}', {"x": 2}),
    "text or number": ({"anyOf": [TEXT, WHOLE]}, "5", "5", 5),
    "anything": ({}, "text", '{"a": 1.0}', {"a": 1.0}),
    "anything, null": ({"description": "no type"}, None, "[]", []),
}
DEFS = {"Mode": MODES, "Point": {"type": "object", "properties": {"x": WHOLE}, "required": ["x"]}}
each_kind = pytest.mark.parametrize("kind", TYPED)


def schema_of(schema: Json, *required: str) -> Json:
    return object_of({"first": TEXT, "value": schema}, *required) | {"$defs": DEFS}


@each_kind
def test_unchanged_it_is_the_same_bytes(kind: str) -> None:
    schema, present, _, _ = TYPED[kind]
    for required in (["first", "value"], ["first"], []):
        args = {"first": "x", "value": present}
        assert left(schema_of(schema, *required), args) == canonical(args)


@each_kind
def test_changed_it_is_what_was_entered(kind: str) -> None:
    schema, present, entered, then = TYPED[kind]
    for required in (["first", "value"], ["first"], []):
        edited = left(schema_of(schema, *required), {"first": "x", "value": present}, {"f1": entered})
        assert edited == canonical({"first": "x", "value": then})


@each_kind
def test_not_given_and_optional_it_can_be_left_so_or_given(kind: str) -> None:
    schema, _, _, _ = TYPED[kind]
    assert left(schema_of(schema), {"first": "x"}) == '{"first":"x"}'
    view = opened(schema_of(schema), {"first": "x"})
    assert block_of(view, "f1")["optional"]


@each_kind
def test_what_is_hidden_by_policy_never_comes_into_the_form_and_stays(kind: str) -> None:
    schema, present, _, _ = TYPED[kind]
    args = {"first": "x", "value": present}
    view = opened(schema_of(schema, "first", "value"), args, "value")
    assert not any(key.startswith("initial") for key in block_of(view, "f1")["element"] if key != "initial_option")
    assert left(schema_of(schema, "first", "value"), args, {}, "value") == canonical(args)


@each_kind
def test_a_person_reads_the_name_and_what_it_takes(kind: str) -> None:
    block = block_of(opened(schema_of(TYPED[kind][0]), {"first": "x", "value": TYPED[kind][1]}), "f1")
    assert block["label"]["text"] == "value"
    assert block["element"]["type"] != "checkboxes"


class Restart(BaseModel):
    """A tool's arguments as pydantic writes them."""

    service: str = Field(description="Which one <!channel>", max_length=40)
    replicas: int = Field(3, ge=1, le=50)
    ratio: float = 0.5
    mode: Literal["rolling", "recreate"] = "rolling"
    tags: list[str] = []
    note: str | None = None
    limit: int | None = Field(None, ge=0)
    labels: dict[str, str] = {}


def test_a_tool_of_pydantic_has_a_field_for_each_argument_in_order() -> None:
    schema, args = Restart.model_json_schema(), Restart(service="checkout").model_dump()
    view = opened(schema, args)
    by_name = {block["label"]["text"]: block for block in inputs_of(view)}
    assert [name for name in by_name if not name.startswith("If ")] == list(Restart.model_fields)
    assert by_name["service"]["hint"]["text"] == "Text, at most 40 characters. Which one <!channel>"
    assert by_name["replicas"]["hint"]["text"] == "Whole number, 1 to 50. Left empty it is the default, 3."
    assert not by_name["service"]["optional"]
    assert left(schema, args) == canonical(args)


def test_a_tool_of_pydantic_gets_what_was_changed() -> None:
    schema, args = Restart.model_json_schema(), Restart(service="checkout").model_dump()
    edited = left(schema, args, {"f1": "7", "f4": "a\nb", "f5": "slowly", "f6": "0", "f7": '{"team": "ops"}'})
    changed = {"replicas": 7, "tags": ["a", "b"], "note": "slowly", "limit": 0, "labels": {"team": "ops"}}
    assert edited == canonical(args | changed)


def test_every_view_says_what_sending_it_does() -> None:
    view = opened(object_of({"a": TEXT}), {"a": "x"})
    assert view["callback_id"] == "edit_arguments"
    assert view["private_metadata"] == "A-9Q2M7F3K.2.1"
    assert view["submit"]["text"] == "Save and approve"
    assert view["close"]["text"] == "Back"
    assert view["blocks"][0]["text"] == {"type": "plain_text", "text": "prod - Restart checkout", "emoji": False}
    assert "The tool cannot be changed. Sending this approves the call as you leave it; it runs" in str(view)
