"""The published JSON Schema of countersign.yml, made from the models. Writes no file; a test compares it."""

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from approvals.config.sections import FileSections

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _WithoutDefaults(GenerateJsonSchema):
    """A tool's keys default to those under `defaults:`, so that the models' own would mislead an editor."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        # Without this a misspelled name, such as `read_?`, would be let through unchecked.
        return {**super().dict_schema(schema), "additionalProperties": False}


def config_json_schema() -> dict[str, Any]:
    return {"$schema": _DIALECT, **FileSections.model_json_schema(schema_generator=_WithoutDefaults)}


def config_json_schema_text() -> str:
    """Exactly the bytes of countersign.schema.json."""
    return json.dumps(config_json_schema(), indent=2, ensure_ascii=False) + "\n"
