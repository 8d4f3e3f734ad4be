"""Which arguments say of themselves that they are secret: LangChain leaves that out of the schema that the model sees,
unless it is said by the type itself."""

from collections.abc import Iterator
from typing import Any

from langchain_core.tools.base import get_all_basemodel_annotations
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from approvals.rules.secret import says_secret


def with_write_only(schema: dict[str, Any], whole: type[BaseModel]) -> dict[str, Any]:
    """The schema that the model sees, with `writeOnly` where the tool's own schema has it."""
    properties = schema.get("properties", {})
    marked = {name: {**properties[name], "writeOnly": True} for name in secret_fields(whole) if name in properties}
    return {**schema, "properties": {**properties, **marked}} if marked else schema


def secret_fields(whole: type[BaseModel]) -> Iterator[str]:
    """By the names that they have in a JSON Schema."""
    # Of a tool made from a function only the annotation still has it.
    annotated = get_all_basemodel_annotations(whole)
    for name, field in whole.model_fields.items():
        fields = [
            field,
            *(one for one in getattr(annotated.get(name), "__metadata__", ()) if isinstance(one, FieldInfo)),
        ]
        if any(says_secret(one.json_schema_extra) for one in fields):
            yield field.alias or name
