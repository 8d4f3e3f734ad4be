"""What stands under a field: what it takes, what leaving it empty means, and what the tool says about it. Pure."""

from collections.abc import Iterator
from typing import Final

from bot.cards.arguments import show_value
from bot.cards.escape import visible_line
from bot.cards.sizes import cut_line
from bot.forms.fields import ABSENT, Empty, Field, Kind, default_of, left_empty
from bot.forms.parse import writable
from bot.forms.schema import Schema

DESCRIPTION: Final = 150
VALUE: Final = 60
HIDDEN: Final = "Hidden; leave empty to keep it."
CHOSEN_HIDDEN: Final = "Hidden; it stays as it is unless you choose another."


def hint(field: Field) -> str:
    """One paragraph. The tool's words come last: they are somebody else's."""
    said = visible_line(str(field.schema.get("description") or ""))
    parts = (
        [f"{one[0].upper()}{one[1:]}." for one in _facts(field)]
        + list(_when_empty(field))
        + [cut_line(said, DESCRIPTION)]
    )
    return " ".join(part for part in parts if part)


def meaning(field: Field, empty: Empty) -> str:
    """What an empty field stands for, in words."""
    outcome = left_empty(field.schema, field.present, empty)
    match empty:
        case Empty.KEEP:
            return "as it is now"
        case Empty.NULL:
            return "null (no value)"
        case Empty.EMPTY_TEXT:
            return "an empty text"
        case Empty.EMPTY_LIST:
            return "an empty list"
        case Empty.LEAVE_OUT:
            return "not given" if outcome is ABSENT else f"the default, {_brief(outcome)}"


def limits(schema: Schema) -> str:
    """1 to 50, at least 1, more than 0, …; empty if there are none."""
    least, most = _number(schema, "minimum"), _number(schema, "maximum")
    over, under = _number(schema, "exclusiveMinimum"), _number(schema, "exclusiveMaximum")
    if least and most:
        return f"{least} to {most}"
    found = [("at least", least), ("more than", over), ("at most", most), ("less than", under)]
    return " and ".join(f"{words} {number}" for words, number in found if number)


def _facts(field: Field) -> Iterator[str]:
    schema = field.schema
    match field.kind:
        case Kind.NUMBER:
            kind = "whole number" if schema.get("type") == "integer" else "number"
            yield ", ".join(filter(None, (kind, limits(schema))))
        case Kind.TEXT | Kind.DATE:
            words, length = "date" if schema.get("format") == "date" else "", _length(schema, "Length", "characters")
            # That a field takes text needs no saying.
            if words or length:
                yield ", ".join(filter(None, (words or "text", length)))
        case Kind.LINES:
            yield ", ".join(filter(None, ("list of texts, one per line", _length(schema, "Items", "lines"))))
        case Kind.CHOICES:
            yield ", ".join(filter(None, ("any of these", _length(schema, "Items", "of them"))))
        case Kind.LISTED:
            yield f"one of {len(schema.get('enum', ()))} values, written exactly; too many for a menu"
        case Kind.JSON:
            yield 'JSON text, such as "text", 5, true, null, ["a"] or {"name": "text"}'
        case Kind.CHOICE:
            default = default_of(schema)
            if default is not ABSENT:
                yield f"default: {_brief(default)}"


def _when_empty(field: Field) -> Iterator[str]:
    if field.hidden:
        yield CHOSEN_HIDDEN if field.kind is Kind.CHOICE else HIDDEN
    elif len(field.empties) == 1:
        yield f"Left empty it is {meaning(field, field.empties[0])}."


def _length(schema: Schema, noun: str, unit: str) -> str:
    least, most = _number(schema, f"min{noun}"), _number(schema, f"max{noun}")
    if least and most:
        return f"{least} to {most} {unit}"
    if most:
        return f"at most {most} {unit}"
    return f"at least {least} {unit}" if least not in ("", "0") else ""


def _number(schema: Schema, name: str) -> str:
    value = schema.get(name)
    return f"{value}" if isinstance(value, int | float) and not isinstance(value, bool) and writable(value) else ""


def _brief(value: object) -> str:
    return cut_line(visible_line(show_value(value)), VALUE)
