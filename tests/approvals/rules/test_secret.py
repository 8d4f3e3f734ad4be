"""What a schema calls secret is hidden as if `redact` named it."""

from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, SecretBytes, SecretStr

from approvals.rules.digest import rule_hash
from approvals.rules.secret import may_hide, secret_names, with_secrets
from tests.bot.values import a_rule


class Login(BaseModel):
    user: str
    pin: SecretStr


class Everything(BaseModel):
    plain: str
    day: date | None = None
    pin: SecretStr
    key: SecretBytes | None = None
    tokens: list[SecretStr] = []
    by_name: dict[str, SecretStr] = {}
    said: Annotated[str, Field(json_schema_extra={"writeOnly": True})] = ""
    logins: list[Login] = []


def test_pydantics_own_secrets_and_what_says_so_are_found_at_any_depth() -> None:
    assert secret_names(Everything.model_json_schema()) == ("by_name", "key", "pin", "said", "tokens")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "writeOnly": True},
        {"type": "string", "format": "password"},
        {"anyOf": [{"type": "null"}, {"format": "password"}]},
        {"$ref": "#/$defs/a~1b"},
        {"type": "array", "items": {"writeOnly": True}},
        {"patternProperties": {"^x": {"writeOnly": True}}},
    ],
)
def test_a_schema_of_any_make_says_so(schema: dict[str, Any]) -> None:
    whole = {"properties": {"token": schema, "name": {"type": "string"}}, "$defs": {"a/b": {"writeOnly": True}}}
    assert secret_names(whole) == ("token",)


SECRET: dict[str, Any] = {"type": "string", "writeOnly": True}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"token": {"$ref": "#tok"}}, "$defs": {"t": {"$anchor": "tok", **SECRET}}},
        {
            "properties": {"token": {"$ref": "urn:a:t"}},
            "$defs": {"t": {"$id": "urn:a:t"} | SECRET},
        },
        {"properties": {"token": {"if": {}, "else": SECRET}}},
        {"properties": {"token": {"unevaluatedProperties": SECRET}}},
        {"properties": {"token": {"unevaluatedItems": SECRET}}},
        {"properties": {"token": {"dependentSchemas": {"properties": SECRET}}}},
        {"properties": {"token": {"x-of-some-dialect": [SECRET]}}},
    ],
)
def test_whatever_keyword_it_stands_under_and_however_it_is_referred_to(schema: dict[str, Any]) -> None:
    assert secret_names(schema, ["token", "user"]) == ("token",)


def test_a_reference_may_lead_through_a_list() -> None:
    """As zod-to-json-schema writes it."""
    schema = {"properties": {"old": {"anyOf": [SECRET, {}]}, "token": {"$ref": "#/properties/old/anyOf/0"}}}
    assert secret_names(schema) == ("old", "token")


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalProperties": SECRET},
        {"patternProperties": {"^t": SECRET}},
        {"unevaluatedProperties": SECRET},
        {"anyOf": [{"additionalProperties": SECRET}]},
        {"writeOnly": True},
        {"properties": {"user": {"$dynamicRef": "#tok"}}, "$defs": {"t": {"$dynamicAnchor": "other", **SECRET}}},
        {"properties": {"user": {"$ref": "elsewhere"}}, "$defs": {"t": SECRET}},
    ],
)
def test_where_nobody_can_say_which_argument_is_meant_all_are_hidden(schema: dict[str, Any]) -> None:
    whole = {"properties": {"user": {"type": "string"}}} | schema
    assert secret_names(whole, ["user", "token"]) == ("token", "user")


def test_an_argument_may_be_called_like_a_keyword() -> None:
    schema = {"properties": {"default": SECRET, "format": {"type": "string"}, "writeOnly": {"const": "password"}}}
    assert secret_names(schema) == ("default",)


@pytest.mark.parametrize(
    ("properties", "may"),
    [
        ({"token": {"type": "string"}}, True),
        ({"user": {"type": "string"}}, False),
        ({"login": {"type": "object", "properties": {"token": {"type": "string"}}}}, True),
        ({"headers": {"type": "object", "additionalProperties": True}}, True),
        ({"anything": {}}, True),
        ({"tags": {"type": "array", "items": {"type": "string"}}}, False),
        ({"pin": SECRET}, True),
    ],
)
def test_whether_a_call_of_a_tool_may_hide_something(properties: dict[str, Any], may: bool) -> None:
    assert may_hide({"type": "object", "properties": properties}, ["token"]) is may


def test_a_schema_that_refers_to_itself_or_to_nothing_comes_to_an_end() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "far": {"$ref": "http://127.0.0.1:9/x"}}}
    assert (
        secret_names({"$ref": "#/$defs/node", "$defs": {"node": {**node, "allOf": [{"$ref": "#/$defs/node"}]}}}) == ()
    )


def test_what_the_schema_hides_counts_like_what_the_policy_hides() -> None:
    named = a_rule(redact=("pin",))
    assert rule_hash(with_secrets(a_rule(), Login.model_json_schema())) == rule_hash(named)
    assert with_secrets(named, Login.model_json_schema()) is named
    assert with_secrets(a_rule(), {}) == a_rule()
