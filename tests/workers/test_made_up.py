"""Arguments that are made up from a schema satisfy it."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import jsonschema
import pytest
from pydantic import BaseModel, Field, SecretStr

from workers.agents.made_up import made_up_arguments


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


class Inner(BaseModel):
    name: Annotated[str, Field(min_length=3, max_length=4)]
    next: "Inner | None" = None


class Everything(BaseModel):
    text: str
    flag: bool
    size: Size
    kind: Literal["only"]
    at_least: Annotated[int, Field(ge=5)]
    more_than: Annotated[float, Field(gt=5)]
    less_than: Annotated[int, Field(lt=-3)]
    at_most: Annotated[int, Field(le=0)]
    fourth: Annotated[int, Field(ge=2, multiple_of=4)]
    day: date
    moment: datetime
    uuid: UUID
    secret: SecretStr
    maybe: int | None
    either: list[str] | str
    inner: Inner
    inners: Annotated[list[Inner], Field(min_length=2)]
    by_name: dict[str, int]
    left_out: int = 3


def test_what_pydantic_describes_is_read_back_by_pydantic() -> None:
    schema = Everything.model_json_schema()
    made = made_up_arguments(schema)
    jsonschema.validate(made, schema)
    assert Everything.model_validate(made).left_out == 3
    assert "left_out" not in made


@pytest.mark.parametrize(
    "argument",
    [
        {},
        {"type": ["null", "integer"]},
        {"type": "null"},
        {"const": 7},
        {"enum": ["a", "b"]},
        {"type": "string", "pattern": "^a+$", "examples": ["aa"]},
        {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "integer"}}}]},
        {"oneOf": [{"type": "null"}, {"type": "boolean"}]},
        {"$ref": "#/$defs/a"},
        {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3},
        {"type": "integer", "exclusiveMaximum": 0},
    ],
)
def test_so_is_what_others_describe(argument: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"x": argument}, "required": ["x"], "$defs": {"a": {"type": "integer"}}}
    jsonschema.validate(made_up_arguments(schema), schema)


def test_a_schema_without_an_end_comes_to_one() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["next"]}
    assert "next" in made_up_arguments({"$ref": "#/$defs/node", "$defs": {"node": node}})
