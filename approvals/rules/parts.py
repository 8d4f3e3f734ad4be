"""The parts of a JSON Schema: where they stand, what names they describe, what a reference in one leads to. Pure:
fetches nothing."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

Schema = Mapping[str, object]

# Under these stands a mapping of names, each to a part; under the second kind names of arguments or of parts.
BY_PATTERN: Final = ("patternProperties", "dependentSchemas", "dependencies")
BY_NAME: Final = ("properties", "$defs", "definitions")
# Under these stand values or names, and no part.
VALUES: Final = ("default", "const", "enum", "examples", "example", "required", "dependentRequired", "discriminator")
REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
# What any of these says is not "anything at all".
SAYS_WHAT: Final = ("type", "enum", "const", "properties", "anyOf", "oneOf", "allOf", "$ref", "not")


class Referred:
    """What the references in one schema lead to, by pointer, anchor or id."""

    def __init__(self, root: Schema) -> None:
        self._resolver = Registry[Any]().with_resource("", DRAFT202012.create_resource(dict(root))).resolver()

    def __call__(self, reference: object) -> object:
        """The part, or None where it leads to nothing in the schema."""
        try:
            return self._resolver.lookup(str(reference)).contents
        except (Unresolvable, ValueError, TypeError, LookupError, AttributeError):
            # A schema need not be one: the resolver trips over what is none in all of these ways.
            return None


def parts_of(schema: object) -> Iterator[Schema]:
    """Every part that stands in it, itself first, whatever the keyword is called; what it only refers to is not
    followed."""
    todo: list[object] = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, list | tuple):
            todo.extend(part)
        elif isinstance(part, Mapping):
            yield part
            todo.extend(_inside(part, (*BY_PATTERN, *BY_NAME)))


def unnamed_parts(part: object) -> list[object]:
    """Those one step into a part that are about the value itself, or about values in it without a name."""
    if isinstance(part, list | tuple):
        return list(part)
    return (
        list(_inside({k: v for k, v in part.items() if k not in BY_NAME}, BY_PATTERN))
        if isinstance(part, Mapping)
        else []
    )


def _inside(part: Schema, mappings: tuple[str, ...]) -> Iterator[object]:
    for key, inner in part.items():
        if key in mappings and isinstance(inner, Mapping):
            yield from inner.values()
        elif key not in VALUES:
            yield inner


def named_in(schema: object) -> Iterator[tuple[str, object]]:
    """Every argument's name that stands under a `properties`, wherever that is, with its part."""
    for part in parts_of(schema):
        if isinstance(properties := part.get("properties"), Mapping):
            yield from properties.items()


def is_open(part: Schema) -> bool:
    """Whether it lets arguments in whose names it does not say."""
    kinds = part.get("type")
    listed = kinds if isinstance(kinds, list | tuple) else [kinds]
    if "object" in listed and "properties" not in part:
        return True
    more = any(part.get(key) not in (None, False) for key in ("additionalProperties", "patternProperties"))
    return more or not any(key in part for key in SAYS_WHAT)
