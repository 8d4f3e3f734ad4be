"""A JSON Schema -> the least value that it takes, as far as a schema says so: what only code knows cannot be made up.
Pure."""

from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

FORMATS: Final = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT1S",
    "email": "nobody@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "https://example.com/",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
DEEPEST: Final = 8


def made_up_arguments(schema: Schema) -> dict[str, Any]:
    """Of a tool's arguments those that it needs."""
    made = made_up(schema, schema)
    return made if isinstance(made, dict) else {}


def made_up(schema: object, root: Schema, depth: int = 0) -> Any:
    """One value. Of a schema that never ends, no more than so deep."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return None
    said = _whole(schema, root, depth)
    for name in ("const", "default"):
        if name in said:
            return said[name]
    for name in ("enum", "examples"):
        if isinstance(said.get(name), list) and said[name]:
            return said[name][0]
    listed = said.get("anyOf") or said.get("oneOf")
    if listed:
        return made_up(next((one for one in listed if one != {"type": "null"}), None), root, depth + 1)
    return _of_type(said, root, depth)


def _whole(schema: Schema, root: Schema, depth: int) -> dict[str, Any]:
    """With what it refers to, and what must hold as well, in it."""
    said = dict(schema)
    parts = [*said.pop("allOf", []), *([_referred(root, said.pop("$ref"))] if "$ref" in said else [])]
    for part in parts:
        if isinstance(part, Mapping) and depth <= DEEPEST:
            said = {**_whole(part, root, depth + 1), **said}
    return said


def _referred(root: Schema, ref: str) -> object:
    found: object = root
    for part in ref.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _of_type(said: Schema, root: Schema, depth: int) -> Any:
    kinds = said.get("type") or ("object" if "properties" in said else "string")
    kind = next((one for one in kinds if one != "null"), "null") if isinstance(kinds, list) else kinds
    match kind:
        case "object":
            needed, known = said.get("required", []), said.get("properties", {})
            return {name: made_up(known.get(name, {}), root, depth + 1) for name in needed}
        case "array":
            return [made_up(said.get("items", {}), root, depth + 1) for _ in range(said.get("minItems", 0))]
        case "integer" | "number":
            return _number(said)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return FORMATS.get(said.get("format", ""), "x" * max(1, said.get("minLength", 1)))


def _number(said: Schema) -> int | float:
    least: int | float = said.get("minimum", said.get("exclusiveMinimum", min(1, said.get("maximum", 1))))
    if "exclusiveMaximum" in said and "minimum" not in said and "exclusiveMinimum" not in said:
        return said["exclusiveMaximum"] - 1  # type: ignore[no-any-return]  # a schema is JSON
    step = said.get("multipleOf", 1)
    if "exclusiveMinimum" in said:
        least += step
    over = least % step
    return least + step - over if over else least
