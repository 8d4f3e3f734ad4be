"""Whether an answer has the shape that its question asks for. Pure: no address that a schema names is called."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
from referencing import Registry
from referencing.exceptions import Unresolvable


def is_answer(schema: Mapping[str, Any] | None, text: str) -> bool:
    """Any text answers a question without a schema; else it must be JSON that the schema takes. By a schema that
    cannot be read nothing can be judged, and nothing is taken."""
    if schema is None:
        return True
    try:
        answer = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(dict(schema))
        return jsonschema.Draft202012Validator(dict(schema), registry=Registry()).is_valid(answer)
    except (ValueError, RecursionError, Unresolvable, jsonschema.exceptions.SchemaError):
        return False
