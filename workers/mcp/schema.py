"""A schema of somebody else's server -> one that can be used in bounded time, or why not. Pure: fetches nothing.

A schema is looked at in many places: here, in forms, in the guard. What could keep any of them busy is kept out once,
where it comes in."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator, SchemaError

from approvals.rules.digest import canonical
from approvals.rules.parts import Referred
from approvals.rules.patterns import is_linear

LARGEST: Final = 64 * 1024
DEEPEST: Final = 40
MOST_PARTS: Final = 20_000
MOST_REFERENCES: Final = 50
# Under these stand schemas for the very same value; under the others for parts of it.
SAME_VALUE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
MANY: Final = "it unfolds into too many parts"
REFERENCES: Final = ("$dynamicRef", "$recursiveRef")


def usable_schema(schema: Mapping[str, Any]) -> dict[str, Any] | str:
    """The schema without the patterns that only a slow matcher could read (the server checks these itself)."""
    if not is_shallow(schema, DEEPEST):
        return f"it is nested more than {DEEPEST} deep"
    try:
        text = canonical(schema)
    except (ValueError, TypeError):
        return "it is not JSON"
    if len(text) > LARGEST:
        return f"it has more than {LARGEST // 1024} KB"
    if schema.get("type") != "object":
        return 'it is not of type "object"'
    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        return f"it is no JSON Schema ({error.json_path})"
    parts = list(mappings(schema))
    if any(key in part for part in parts for key in REFERENCES):
        return "it refers to itself dynamically"
    if any(not slow_free(name) for part in parts for name in patterns_of_names(part)):
        return "a pattern for the names of arguments could take for ever"
    if (why := unfolding(schema)) is not None:
        return why
    tame: dict[str, Any] = without_slow_patterns(schema)
    return {"properties": {}, **tame}


def is_shallow(value: object, depth: int) -> bool:
    if isinstance(value, Mapping):
        return depth > 0 and all(is_shallow(inner, depth - 1) for inner in value.values())
    if isinstance(value, list):
        return depth > 0 and all(is_shallow(inner, depth - 1) for inner in value)
    return True


def mappings(value: object) -> Iterator[Mapping[str, Any]]:
    """Every mapping in it, whatever it stands for."""
    if isinstance(value, Mapping):
        yield value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for one in inner:
        yield from mappings(one)


def patterns_of_names(part: Mapping[str, Any]) -> list[str]:
    named = part.get("patternProperties")
    return [str(name) for name in named] if isinstance(named, Mapping) else []


def slow_free(pattern: str) -> bool:
    """Names are matched by Python's own matcher: without groups and with one repeat it is quick."""
    return "(" not in pattern and sum(pattern.count(sign) for sign in "*+{") <= 1


def without_slow_patterns(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: without_slow_patterns(inner)
            for key, inner in value.items()
            if not (key == "pattern" and isinstance(inner, str) and not is_linear(inner))
        }
    return [without_slow_patterns(inner) for inner in value] if isinstance(value, list) else value


class TooMuch(Exception):
    """As text: half a sentence that says what."""


def unfolding(schema: Mapping[str, Any]) -> str | None:
    """Why it is more than anybody should look at once every reference in it is followed, as LangChain does for the
    model's provider; None if it is not. A part may refer to itself for what is inside of a value (a tree), but not for
    the value itself."""
    try:
        Walk(schema).over(schema, (), ())
    except TooMuch as error:
        return str(error)
    except RecursionError:
        return MANY
    return None


class Walk:
    """Goes over all that a schema unfolds into, and gives up where that does not end."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._referred, self._left = Referred(root), MOST_PARTS

    def over(self, part: object, following: tuple[str, ...], here: tuple[str, ...]) -> None:
        """Raises TooMuch. `following`: the references on the way; `here`: those since the last step into a value."""
        self._left -= 1
        if self._left < 0 or len(following) > MOST_REFERENCES:
            raise TooMuch(MANY)
        if isinstance(part, list):
            for one in part:
                self.over(one, following, here)
        if isinstance(part, Mapping):
            self._follow(part.get("$ref"), following, here)
            for key, inner in part.items():
                self.over(inner, following, here if key in SAME_VALUE else ())

    def _follow(self, target: object, following: tuple[str, ...], here: tuple[str, ...]) -> None:
        if not isinstance(target, str):
            return
        if target in here:
            raise TooMuch("a part of it refers to itself")
        if target not in following:
            self.over(self._found(target), (*following, target), (*here, target))

    def _found(self, target: str) -> object:
        if not target.startswith("#"):
            raise TooMuch("it refers to something outside of itself")
        if target != "#" and not target.startswith("#/"):
            # LangChain raises at one when it tells the model's provider of the tool.
            raise TooMuch("it refers to something by an anchor")
        found = self._referred(target)
        if found is None:
            raise TooMuch("it refers to something that is not there")
        return found
