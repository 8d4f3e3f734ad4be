"""What is wrong with an argument, in plain words, and at which argument. Never the value itself. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.cards.arguments import show_value
from bot.cards.escape import visible_line
from bot.cards.sizes import cut_line
from bot.forms.check import Error, missing_in, of_interest, unknown_in

NAME: Final = 60
PLACES: Final = 4
LISTED: Final = 200
TYPES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
SAYS: Final = {
    "minimum": "must be at least {0}",
    "maximum": "must be at most {0}",
    "exclusiveMinimum": "must be more than {0}",
    "exclusiveMaximum": "must be less than {0}",
    "multipleOf": "must be a multiple of {0}",
    "minLength": "must have at least {0} characters",
    "maxLength": "must have at most {0} characters",
    "pattern": "does not have the form that the tool asks for, which is the pattern {0}",
    "minItems": "must have at least {0} entries",
    "maxItems": "must have at most {0} entries",
    "minProperties": "must have at least {0} names",
    "maxProperties": "must have at most {0} names",
    "const": "must be {0}",
}
OTHERWISE: Final = "does not fit what the tool takes"


def complaints(error: Error) -> Iterator[tuple[str | None, str]]:
    """(argument, sentence); None for what is wrong with the arguments as a whole."""
    path = list(error.absolute_path)
    if path:
        yield str(path[0]), complaint(error)
    elif error.validator in ("required", "dependentRequired"):
        for name in missing_in(error):
            yield name, "It must be given."
    elif error.validator == "additionalProperties" and not isinstance(error.validator_value, Mapping):
        for name in unknown_in(error):
            yield name, "The tool knows no such argument. Leave it empty to take it out."
    elif error.context and (inner := of_interest(error)) is not error:
        yield from complaints(inner)
    else:
        yield None, f"These arguments do not go together: {_what(error)}."


def complaint(error: Error) -> str:
    """About one argument. The path inside it is told, its values are not."""
    inner = of_interest(error)
    within = list(inner.absolute_path)[1:]
    words = _what(inner)
    if not within:
        return f"It {words}."
    places = [_place(part) for part in within[:PLACES]] + (["…"] if len(within) > PLACES else [])
    return f"In it, {' > '.join(places)} {words}."


def _what(error: Error) -> str:
    value: Any = error.validator_value
    match error.validator:
        case "type":
            kinds = value if isinstance(value, list) else [value]
            return f"must be {' or '.join(TYPES.get(str(kind), str(kind)) for kind in kinds)}"
        case "enum":
            return f"must be one of these: {_brief(', '.join(show_value(one) for one in value), LISTED)}"
        case "format":
            return "must be a date that exists, such as 2026-11-30"
        case "uniqueItems":
            return "has the same entry twice"
        case "required" | "dependentRequired":
            return f"lacks {_several(missing_in(error))}"
        case "additionalProperties":
            return f"has a name that the tool does not know: {_several(unknown_in(error))}"
        case "anyOf" | "oneOf":
            return "fits none of the forms that the tool takes, or several at once"
        case keyword:
            shown = value if isinstance(value, str) else show_value(value)
            return SAYS.get(str(keyword), OTHERWISE).format(_brief(shown, LISTED))


def _place(part: object) -> str:
    return f"entry {part + 1}" if isinstance(part, int) else _brief(str(part), NAME)


def _several(names: Iterator[str]) -> str:
    return _brief(", ".join(names), LISTED)


def _brief(text: str, room: int) -> str:
    return cut_line(visible_line(text), room)
