"""What is read in the edit form: names, choices and the tool's own words."""

import json

from bot.payloads import FieldValue
from tests.bot.edit_forms import Json, block_of, fields_of, left, object_of, opened, told

TEXT: Json = {"type": "string"}


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


def test_a_text_a_number_and_a_boolean_that_read_alike_are_each_a_choice() -> None:
    view = opened(object_of({"a": {"enum": ["1", 1, 1.0, True, "true"]}}, "a"), {"a": 1})
    labels = [one["text"]["text"] for one in block_of(view, "f0")["element"]["options"]]
    assert labels == ['"1"', "1", "1.0", "true", '"true"']
