"""What a schema calls secret is hidden as if `redact` named it."""

from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, SecretBytes, SecretStr

from approvals.rules.digest import rule_hash
from approvals.rules.secret import secret_names, with_secrets
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
