"""A JSON Schema -> a flat one for each argument: references followed, `allOf` merged, `null` taken out. Pure.

Good enough to choose an input and to write a hint; whether a value is right is asked of the whole schema only.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from bot.forms.parse import writable

Schema = Mapping[str, Any]

# A schema may refer to itself; no argument needs to be looked into deeper than this to choose an input.
DEEPEST: Final = 20
CHOICES: Final = ("anyOf", "oneOf")
MERGED: Final = ("properties", "$defs", "definitions")


def arguments_of(root: Schema) -> dict[str, Schema]:
    """The schema of each argument, by name, in the schema's own order."""
    properties = flat(root, root).get("properties")
    listed = properties.items() if isinstance(properties, Mapping) else ()
    return {str(name): one if isinstance(one, Mapping) else {} for name, one in listed}


def required_of(root: Schema) -> frozenset[str]:
    return frozenset(names(flat(root, root).get("required")))


def names(listed: object) -> tuple[str, ...]:
    return tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()


def flat(schema: object, root: Schema, depth: int = DEEPEST) -> dict[str, Any]:
    """One mapping; what stands beside a `$ref` wins over what it refers to, as pydantic means it."""
    if not isinstance(schema, Mapping) or depth == 0:
        return {}
    parts = [_target(schema["$ref"], root)] if "$ref" in schema else []
    parts += listed if isinstance(listed := schema.get("allOf"), list) else []
    merged: dict[str, Any] = {}
    for part in parts:
        merged = _merge(merged, flat(part, root, depth - 1))
    return _merge(merged, {key: value for key, value in schema.items() if key not in ("$ref", "allOf")})


def without_null(schema: object, root: Schema) -> dict[str, Any]:
    """The same without the choice of being null; a choice of which one is left is that one."""
    whole = flat(schema, root)
    if isinstance(whole.get("type"), list):
        left = [one for one in whole["type"] if one != "null"]
        whole["type"] = left[0] if len(left) == 1 else left
    for key in CHOICES:
        if isinstance(whole.get(key), list):
            whole = _without_choice(whole, key, root)
    return whole


def _without_choice(whole: dict[str, Any], key: str, root: Schema) -> dict[str, Any]:
    branches = [branch for one in whole[key] if not _is_null(branch := without_null(one, root))]
    rest = {name: value for name, value in whole.items() if name != key}
    if len(branches) == 1:
        return _merge(branches[0], rest)
    if branches and all("enum" in branch or "const" in branch for branch in branches):
        return {**rest, "enum": [value for branch in branches for value in values_of(branch)]}
    return whole


def values_of(schema: Schema) -> list[Any]:
    """What `const` or `enum` allows; nothing if neither is there."""
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    return [one for one in listed if writable(one)] if isinstance(listed, list) else []


def _is_null(schema: Schema) -> bool:
    return schema.get("type") in ("null", []) or values_of(schema) == [None]


def _merge(first: dict[str, Any], second: Schema) -> dict[str, Any]:
    merged = {**first, **second}
    for key in MERGED:
        if isinstance(first.get(key), Mapping) and isinstance(second.get(key), Mapping):
            merged[key] = {**first[key], **second[key]}
    if "required" in first and "required" in second:
        merged["required"] = [*names(first["required"]), *names(second["required"])]
    return merged


def _target(reference: object, root: Schema) -> object:
    """What a `#/a/b` points to in this schema; anywhere else is not looked at."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    node: object = root
    for part in unquote(reference[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping):
            node = node.get(key)
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return None
    return node
