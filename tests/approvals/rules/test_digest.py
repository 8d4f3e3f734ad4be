"""What is hashed: no spelling of a call matters, and nothing else goes unnoticed."""

import json
import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, create_model

from approvals.rules.digest import call_digest, canonical, rule_hash, tool_hash
from approvals.rules.rule import Approvers, Escalation
from approvals.rules.words import DecisionType
from tests.approvals.ledger.world import a_rule

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_canonical_text_reads_back_as_the_same_value(value: Any) -> None:
    assert json.loads(canonical(value)) == value


@given(JSON)
def test_canonical_text_is_its_own_canonical_text(value: Any) -> None:
    assert canonical(json.loads(canonical(value))) == canonical(value)


@given(st.dictionaries(TEXT, JSON, min_size=2), st.randoms())
def test_the_order_of_keys_does_not_matter(value: dict[str, Any], chance: Any) -> None:
    items = list(value.items())
    chance.shuffle(items)
    assert canonical(dict(items)) == canonical(value)


@given(JSON)
def test_white_space_does_not_matter(value: Any) -> None:
    assert canonical(json.loads(json.dumps(value, indent=3))) == canonical(value)


@given(JSON, JSON)
def test_different_values_have_different_texts(one: Any, other: Any) -> None:
    # As bytes, because 1, 1.0 and True are equal in Python and not the same argument.
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical(one) == canonical(other)) == same


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "\ud800", "a\udfffb"], ids=repr)
@pytest.mark.parametrize(
    "inside", [lambda v: v, lambda v: [v], lambda v: {"a": {"b": v}}], ids=["bare", "list", "deep"]
)
def test_what_has_no_bytes_is_refused(value: object, inside: Any) -> None:
    with pytest.raises(ValueError, match=r"JSON compliant|surrogates not allowed"):
        canonical(inside(value))


def test_a_name_that_has_no_bytes_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical({"\ud800": 1})


def test_letters_that_look_alike_are_different() -> None:
    assert canonical("caf\u00e9") != canonical("cafe\u0301")
    assert canonical("\u0430") != canonical("a")


CALL = ("restart", "a1", '{"service":"checkout"}')


@given(st.integers(0, 2), st.data())
def test_one_changed_character_of_tool_identity_or_arguments_changes_the_digest(part: int, data: Any) -> None:
    text = CALL[part]
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(exclude_categories=["Cs"]).filter(lambda c: c != text[place]))
    changed = [*CALL]
    changed[part] = text[:place] + other + text[place + 1 :]
    assert call_digest(*changed) != call_digest(*CALL)


@given(TEXT, TEXT, TEXT)
def test_what_moves_from_one_part_to_the_next_changes_the_digest(tool: str, identity: str, args: str) -> None:
    assert call_digest(tool + "x", identity, args) != call_digest(tool, "x" + identity, args)
    assert call_digest(tool, identity + "x", args) != call_digest(tool, identity, "x" + args)


def test_arguments_are_hashed_as_bytes_and_not_as_what_they_mean() -> None:
    assert call_digest("restart", "a1", '{"a":1}') != call_digest("restart", "a1", '{"a": 1}')


def test_what_the_call_is_about_is_under_the_digest_where_the_tool_says_it() -> None:
    assert call_digest(*CALL, None) == call_digest(*CALL)
    assert len({call_digest(*CALL, about) for about in (None, "", "4.12", "4.13")}) == 4


def test_the_digest_of_a_known_call_stays_what_it_was() -> None:
    # A digest that changes with a release supersedes whatever waits during the deploy.
    assert call_digest(*CALL) == "95800b58d87e614b31cc61b1259f5a795556a1793576749d6709a401b6c73470"
    rule = a_rule(decisions=(DecisionType.APPROVE, DecisionType.REJECT), escalate=())
    assert rule_hash(rule) == "15262c17a69f49c318ec3c264ea6a2ebf551b0079070c1080bdca3cf38a31e49"
    assert (
        tool_hash("fleet", "restart", {"properties": {"service": {"type": "string"}}})
        == "6f05dfe2b269e129d49c28310f670bffe389c09b3f7cfc4c5fc2383bb93d3627"
    )


def schema(name: str = "service", doc: str | None = None, note: str | None = None, **more: Any) -> dict[str, Any]:
    """What pydantic says about a tool with one argument."""
    model = create_model("restart", __doc__=doc, **{name: (str, Field(description=note, **more))})
    return model.model_json_schema()


def hash_of(given: dict[str, Any]) -> str:
    return tool_hash("fleet", "restart", given)


def test_rewording_a_docstring_does_not_change_the_tool() -> None:
    assert hash_of(schema(doc="Restart.", note="which")) == hash_of(schema(doc="Restart one.", note="which one"))
    assert hash_of(schema(doc="Restart.", title="Service")) == hash_of(schema())


@pytest.mark.parametrize(
    "changed",
    [
        schema(default="checkout"),
        schema(name="services"),
        schema(max_length=9),
        schema(name="title"),
        schema(name="description"),
        {**schema(), "properties": {**schema()["properties"], "title": {"type": "string"}}},
        {**schema(), "properties": {**schema()["properties"], "description": {"type": "string"}}},
        {**schema(), "required": []},
    ],
    ids=["default", "name", "limit", "title", "description", "one called title", "one called description", "required"],
)
def test_a_changed_argument_is_a_changed_tool(changed: dict[str, Any]) -> None:
    assert hash_of(changed) != hash_of(schema())


@pytest.mark.parametrize("name", ["title", "description", "properties", "$defs", "default"])
def test_the_type_of_an_argument_counts_whatever_its_name(name: str) -> None:
    text, number = ({"properties": {name: {"type": kind}}} for kind in ("string", "number"))
    assert hash_of(text) != hash_of(number)


@pytest.mark.parametrize("name", ["title", "description", "properties", "$defs", "default"])
def test_the_words_about_an_argument_do_not_count_whatever_its_name(name: str) -> None:
    one, other = ({"properties": {name: {"type": "string", "description": words}}} for words in ("a", "b"))
    assert hash_of(one) == hash_of(other)


@pytest.mark.parametrize("key", ["default", "const", "enum"])
@pytest.mark.parametrize("name", ["title", "description"])
def test_a_value_is_no_prose_whatever_its_keys(key: str, name: str) -> None:
    one, other = (
        {"properties": {"issue": {"type": "object", key: [v] if key == "enum" else v}}}
        for v in ({name: "restart"}, {name: "delete everything"})
    )
    assert hash_of(one) != hash_of(other)


def test_a_changed_argument_of_a_nested_type_is_a_changed_tool() -> None:
    one, other = (
        {"$defs": {"Target": {"title": "Target", "properties": {name: {"type": "string"}}}}, "type": "object"}
        for name in ("title", "description")
    )
    assert hash_of(one) != hash_of(other)


def test_where_a_tool_lives_and_its_name_are_its_identity() -> None:
    assert tool_hash("fleet", "restart", {}) != tool_hash("fleet2", "restart", {})
    assert tool_hash("fleet", "restart", {}) != tool_hash("fleet", "delete", {})
    assert tool_hash("fleet.a", "b", {}) != tool_hash("fleet", "a.b", {})


def test_to_whom_it_may_be_escalated_counts_and_when_does_not() -> None:
    def hashed(minutes: int, *users: str) -> str:
        step = Escalation(after=timedelta(minutes=minutes), to=(Approvers(name="leads", users=users),))
        return rule_hash(a_rule(escalate=(step,)))

    assert hashed(5, "U1", "U2") == hashed(10, "U2", "U1") != hashed(5, "U1")
    assert hashed(5, "U1") != rule_hash(a_rule(escalate=()))
