"""What is shown, hashed and run is what the tool would see."""

from datetime import date
from typing import Annotated, Any
from uuid import uuid4

import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, tool
from pydantic import BaseModel, Field, field_validator

from approvals.records import Approval
from tests.bot.values import an_approval
from workers.arguments import (
    BadArguments,
    identity_hash,
    injected_names,
    normalise,
    to_run,
    with_json_schema,
)


class Deploy(BaseModel):
    service: str
    count: int = 1
    when: date | None = None
    note: str = Field(default_factory=lambda: uuid4().hex)

    @field_validator("service")
    @classmethod
    def lower(cls, value: str) -> str:
        if value == "forbidden":
            raise ValueError("not that one")
        return value.lower()


@tool(args_schema=Deploy)
def deploy(service: str, count: int, when: date | None, note: str) -> str:
    """Deploy."""
    return service


@tool
def with_state(service: str, state: Annotated[dict[str, Any], InjectedToolArg], count: int = 2) -> str:
    """Has an argument that the model never sees."""
    return service


MCP = StructuredTool.from_function(
    name="k8s.scale",
    description="Scale",
    func=lambda **args: "ok",
    args_schema={
        "type": "object",
        "properties": {"name": {"type": "string"}, "replicas": {"type": "integer", "default": 1}},
        "required": ["name"],
    },
)


def normal(one: BaseTool, args: dict[str, Any]) -> dict[str, Any]:
    found = normalise(one, args)
    assert isinstance(found, dict), found
    return found


def test_values_are_coerced_validated_and_completed_before_anyone_sees_them() -> None:
    found = normal(deploy, {"service": "Checkout", "count": "3", "when": "2026-11-30"})
    assert found["service"] == "checkout"
    assert found["count"] == 3
    assert found["when"] == "2026-11-30"
    assert len(found["note"]) == 32


def test_what_was_normalised_once_stays_as_it_is() -> None:
    once = normal(deploy, {"service": "Checkout"})
    assert normal(deploy, once) == once


@pytest.mark.parametrize("args", [{}, {"service": 7}, {"service": "forbidden"}, {"service": "a", "count": "many"}])
def test_what_the_tool_refuses_is_told_to_the_model_and_not_to_people(args: dict[str, Any]) -> None:
    refused = normalise(deploy, args)
    assert isinstance(refused, BadArguments)
    assert "Not called" in refused.message


def test_arguments_that_the_tool_does_not_know_are_not_shown_because_they_do_not_run() -> None:
    assert "extra" not in normal(deploy, {"service": "a", "extra": 1})


def test_an_injected_argument_is_neither_shown_nor_taken_from_the_model() -> None:
    assert injected_names(with_state) == {"state"}
    assert normal(with_state, {"service": "a", "state": {"evil": 1}}) == {"service": "a", "count": 2}


class Pay(BaseModel):
    amount: int

    @field_validator("amount")
    @classmethod
    def in_cents(cls, value: int) -> int:
        return value * 100


@tool(args_schema=Pay)
def pay(amount: int) -> str:
    """Pay."""
    return str(amount)


def test_a_value_that_changes_each_time_it_is_read_makes_no_card() -> None:
    assert isinstance(normalise(pay, {"amount": 3}), BadArguments)


class Aliased(BaseModel):
    replicas: int = 7
    env: str = Field(validation_alias="environment", default="staging")


@tool(args_schema=Aliased)
def aliased(replicas: int, env: str) -> str:
    """Has an argument under another name, which LangChain leaves out of what the model sees."""
    return env


def test_an_argument_that_the_model_does_not_see_makes_no_card() -> None:
    assert injected_names(aliased) == frozenset()
    assert isinstance(normalise(aliased, {"replicas": 3, "environment": "qa"}), BadArguments)


class Checked(BaseModel):
    service: str
    state: Annotated[dict[str, Any], InjectedToolArg]

    @field_validator("service")
    @classmethod
    def lower(cls, value: str) -> str:
        return value.lower()


@tool(args_schema=Checked)
def checked(service: str, state: dict[str, Any]) -> str:
    """Has validators and an injected argument."""
    return service


def test_validators_count_beside_injected_arguments_too() -> None:
    assert normal(checked, {"service": "WEB"}) == {"service": "web"}


def test_a_json_schema_is_enforced_by_us() -> None:
    assert normal(MCP, {"name": "web"}) == {"name": "web", "replicas": 1}
    refused = normalise(MCP, {"name": "web", "replicas": "oops"})
    assert isinstance(refused, BadArguments)
    assert "replicas" in refused.message


@pytest.mark.parametrize("value", [float("nan"), "\ud800"])
def test_what_has_no_json_text_makes_no_card(value: object) -> None:
    refused = normalise(MCP, {"name": "web", "extra": value})
    assert isinstance(refused, BadArguments)


def shown(args_json: str) -> Approval:
    return an_approval(args_json=args_json)


def test_the_row_is_run_whatever_was_handed_over() -> None:
    args, rewritten = to_run(with_state, shown('{"count":2,"service":"a"}'), {"service": "b", "state": {"s": 1}})
    assert args == {"count": 2, "service": "a", "state": {"s": 1}}
    assert rewritten


def test_a_tool_is_another_tool_when_its_code_moves_or_its_schema_changes() -> None:
    def other(service: str, count: int = 2) -> str:
        """Deploy."""
        return service

    def changed(service: str, count: int = 3) -> str:
        """Deploy."""
        return service

    hashes = {identity_hash(tool(f)) for f in (other, changed)} | {identity_hash(deploy), identity_hash(MCP)}
    assert len(hashes) == 4


def test_a_schema_that_refers_to_an_address_is_not_followed() -> None:
    """A server's schema must not make the worker call whatever address it likes."""
    outcome = with_json_schema({"properties": {"a": {"$ref": "http://127.0.0.1:9/schema"}}}, {"a": 1})
    assert isinstance(outcome, BadArguments)
    assert "cannot be read" in outcome.message


WRONG_SCHEMAS: list[dict[str, Any]] = [
    {"properties": {"a": {"$ref": "#/properties/a"}}},
    {"properties": {"a": {"type": "strng"}}},
    {"properties": {"a": {"pattern": "["}}},
    {"properties": {"a": {"minLength": "x"}}},
    {"properties": []},
]


@pytest.mark.parametrize("schema", WRONG_SCHEMAS)
def test_a_schema_that_is_itself_wrong_is_told_to_the_model(schema: dict[str, Any]) -> None:
    refused = with_json_schema({"type": "object", **schema}, {"a": "x"})
    assert isinstance(refused, BadArguments)
    assert "the tool's own schema cannot be read" in refused.message


@tool
def configure(config: dict[str, Any]) -> str:
    """Take any settings."""
    return str(config)


def test_arguments_too_deep_to_be_written_are_told_to_the_model() -> None:
    config: dict[str, Any] = {}
    for _ in range(400):
        config = {"a": config}
    assert isinstance(normalise(configure, {"config": config}), BadArguments)
