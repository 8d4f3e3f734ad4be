"""Which arguments say of themselves that they are secret: LangChain leaves that out of the schema that the model sees,
unless it is said by the type itself."""

from collections.abc import Iterator
from typing import Any, get_type_hints

from langchain_core.tools import BaseTool
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from approvals.rules.secret import says_secret


def with_write_only(schema: dict[str, Any], tool: BaseTool, whole: type[BaseModel]) -> dict[str, Any]:
    """The schema that the model sees, with `writeOnly` where the tool itself says so."""
    properties = schema.get("properties", {})
    said = {*secret_fields(whole), *secret_parameters(tool)}
    marked = {name: {**properties[name], "writeOnly": True} for name in said if name in properties}
    return {**schema, "properties": {**properties, **marked}} if marked else schema


def secret_fields(whole: type[BaseModel]) -> Iterator[str]:
    """Of a tool with a model of its own, by the names that they have in a JSON Schema."""
    for name, field in whole.model_fields.items():
        if says_secret(field.json_schema_extra):
            yield field.alias or name


def secret_parameters(tool: BaseTool) -> Iterator[str]:
    """Of a tool that is made from a function: there only the function's own annotations still have it."""
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or tool._run
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError):
        # LangChain could make no schema of such annotations either: this tool has brought one.
        return
    for name, hint in hints.items():
        fields = (one for one in getattr(hint, "__metadata__", ()) if isinstance(one, FieldInfo))
        if any(says_secret(field.json_schema_extra) for field in fields):
            yield name
