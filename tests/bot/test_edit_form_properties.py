"""Whatever a tool's schema and a call's arguments are: the form is one that Slack takes, and what nobody touches is
the same bytes again."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from approvals.rules.digest import canonical
from bot.forms.edit import NotEditable, edit_form
from bot.forms.read_edit import Edited, FieldErrors, read_edit
from bot.payloads import FieldValue
from demo.slack.blocks.validator import check_view
from tests.bot.edit_forms import KEY, Json, fields_of, inputs_of

ODD = ["\u202e", "\u200b", "\r\n", "\n", "\t", " ", "🚀", "\U000e0041", "<!channel>", "&amp;", "{0}", '"', "\\", "\x00"]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.lists(st.sampled_from([*ODD, "a", "5", "null"]), max_size=12).map("".join),
    st.sampled_from(["", "null", "true", "1.0", "[]", "x" * 3_000, "x" * 3_001, "🚀" * 1_501, "\u202e" * 3_000]),
)
NAMES = st.one_of(st.sampled_from(["service", "replicas", "mode", "token", "f0", "f0_empty", "a b", ""]), TEXTS)
INTEGERS = st.one_of(st.integers(-100, 100), st.integers(-(2**70), 2**70))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(st.none(), st.booleans(), INTEGERS, FLOATS, TEXTS)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
DATES = st.dates().map(str)


def of(schema: Json, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Json, Any]]:
    return st.tuples(st.just(schema), values)


def chosen(values: list[Any]) -> st.SearchStrategy[tuple[Json, Any]]:
    return of({"enum": values}, st.sampled_from(values))


def some_chosen(values: list[Any]) -> st.SearchStrategy[tuple[Json, Any]]:
    return of({"type": "array", "items": {"enum": values}}, st.lists(st.sampled_from(values), max_size=3))


LISTS = st.lists(SCALARS, min_size=1, max_size=6, unique_by=canonical)
TYPED = st.one_of(
    of({"type": "string"}, TEXTS),
    of({"type": "string", "maxLength": 5_000}, TEXTS),
    of({"type": "integer"}, INTEGERS),
    of({"type": "integer", "minimum": -100, "maximum": 100}, st.integers(-100, 100)),
    of({"type": "number"}, st.one_of(INTEGERS, FLOATS)),
    of({"type": "boolean"}, st.booleans()),
    of({"type": "string", "format": "date"}, DATES),
    of({"type": "array", "items": {"type": "string"}}, st.lists(TEXTS, max_size=4)),
    of({"type": "array", "items": {"type": "integer"}}, st.lists(INTEGERS, max_size=4)),
    of({"type": "object"}, st.dictionaries(NAMES, ANYTHING, max_size=3)),
    of({}, ANYTHING),
    of({"anyOf": [{"type": "string"}, {"type": "integer"}]}, st.one_of(TEXTS, INTEGERS)),
    of({"$ref": "#/$defs/Mode"}, st.sampled_from(["rolling", "recreate"])),
    of({"enum": [f"z{number}" for number in range(120)]}, st.sampled_from(["z0", "z119"])),
    LISTS.flatmap(chosen),
    LISTS.flatmap(some_chosen),
    SCALARS.map(lambda value: ({"const": value}, value)),
)


@st.composite
def arguments(draw: st.DrawFn) -> tuple[str, Json, Any, bool, bool]:
    """A name, its schema, a value, whether it is given and whether it is required."""
    schema, value = draw(TYPED)
    if draw(st.booleans()):
        schema = draw(
            st.sampled_from([{"anyOf": [schema, {"type": "null"}]}, {"oneOf": [{"type": "null"}, {"allOf": [schema]}]}])
        )
        value = draw(st.sampled_from([value, None]))
    if draw(st.booleans()):
        schema = schema | {"default": draw(st.sampled_from([value, None, "", 0, []])), "description": draw(TEXTS)}
    is_given = draw(st.booleans())
    return draw(NAMES), schema, value, is_given, is_given and draw(st.booleans())


@st.composite
def calls(draw: st.DrawFn) -> tuple[Json, Json]:
    """A tool's schema and arguments that it takes, some of which it does not name."""
    drawn = draw(st.lists(arguments(), max_size=6, unique_by=lambda one: one[0]))
    schema: Json = {
        "type": "object",
        "properties": {name: one for name, one, *_ in drawn},
        "required": [name for name, _, _, _, required in drawn if required],
        "$defs": {"Mode": {"enum": ["rolling", "recreate"], "type": "string"}},
    }
    more = draw(st.dictionaries(NAMES, ANYTHING, max_size=2))
    args = {name: value for name, value in more.items() if name not in schema["properties"]}
    return schema, args | {name: value for name, _, value, is_given, _ in drawn if is_given}


def as_slack_may_send(fields: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
    """Line ends made one kind, blanks at the ends gone, what was chosen in another order."""
    return {
        block: FieldValue((one.text or "").replace("\r\n", "\n").replace("\r", "\n").strip() or None, one.chosen[::-1])
        for block, one in fields.items()
    }


each_call = given(calls(), st.sampled_from([(), ("token",), ("service", "a b")]))
thorough = settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow])


@thorough
@each_call
def test_unchanged_it_is_the_same_bytes_whatever_slack_does_to_them(
    call: tuple[Json, Json], redact: tuple[str, ...]
) -> None:
    schema, args = call
    before = canonical(args)
    view = edit_form(KEY, "prod - Restart", schema, before, redact)
    if isinstance(view, NotEditable):
        return
    check_view(view)
    fields = fields_of(view, {})
    assert read_edit(schema, before, redact, fields) == Edited(before)
    assert read_edit(schema, before, redact, as_slack_may_send(fields)) == Edited(before)


@thorough
@given(calls(), st.data())
def test_whatever_is_sent_the_tool_takes_what_comes_of_it_or_a_field_says_why_not(
    call: tuple[Json, Json], data: st.DataObject
) -> None:
    schema, args = call
    view = edit_form(KEY, "prod - Restart", schema, canonical(args), ())
    if isinstance(view, NotEditable):
        return
    blocks = [block["block_id"] for block in inputs_of(view)]
    values = st.builds(FieldValue, st.one_of(st.none(), TEXTS), st.lists(TEXTS, max_size=2).map(tuple))
    sent = data.draw(st.dictionaries(st.sampled_from(blocks), values))
    edited = read_edit(schema, canonical(args), (), sent)
    if isinstance(edited, FieldErrors):
        assert edited.by_block
        assert edited.by_block.keys() <= set(blocks)
        return
    after = json.loads(edited.args_json)
    assert canonical(after) == edited.args_json
    assert after == args or Draft202012Validator(schema).is_valid(after)


@thorough
@given(calls())
def test_nothing_that_the_policy_hides_is_in_the_form(call: tuple[Json, Json]) -> None:
    schema, args = call
    secret = "s3cr3t-value-é"
    args = args | {"token": secret, "deep": {"x": [{"token": [secret]}]}}
    schema["properties"]["token"] = {"type": "string"}
    view = edit_form(KEY, "prod - Restart", schema, canonical(args), ("token",))
    assert isinstance(view, NotEditable) or secret not in json.dumps(view, ensure_ascii=False)
