"""By what kind of input an argument is asked for, and what that begins with. Pure."""

import re
from datetime import date
from typing import Any, Final

from bot.cards.arguments import show_value
from bot.cards.sizes import size
from bot.forms.check import allows
from bot.forms.fields import ABSENT, Kind, Option, alike
from bot.forms.given import Given, left_out
from bot.forms.options import MOST, as_it_is, choices, chosen, distinct
from bot.forms.parse import json_text
from bot.forms.schema import Schema, flat, values_of

# Slack's limit for what a text input begins with.
INPUT_ROOM: Final = 3_000
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def kind_for(given: Given) -> Kind:
    """By the schema, unless what is there now cannot be shown in that way."""
    kind = _kind_of(given.schema, given.root)
    if kind is Kind.CHOICE and len(options_for(given, kind)) > MOST:
        kind = Kind.LISTED
    if given.hidden or given.present is ABSENT or given.present is None or _suits(kind, given):
        return kind
    return Kind.TEXT if kind is Kind.DATE and isinstance(given.present, str) else Kind.JSON


def _kind_of(schema: Schema, root: Schema) -> Kind:
    if values_of(schema):
        return Kind.CHOICE
    match schema.get("type"):
        case "boolean":
            return Kind.CHOICE
        case "string":
            return Kind.DATE if schema.get("format") == "date" else Kind.TEXT
        case "integer" | "number":
            return Kind.NUMBER
        case "array":
            return _kind_of_list(flat(schema.get("items"), root))
        case _:
            return Kind.JSON


def _kind_of_list(items: Schema) -> Kind:
    if listed := values_of(items):
        return Kind.CHOICES if len(listed) <= MOST else Kind.JSON
    return Kind.LINES if items.get("type") == "string" else Kind.JSON


def _suits(kind: Kind, given: Given) -> bool:
    value: Any = given.present
    match kind:
        case Kind.TEXT:
            return isinstance(value, str)
        case Kind.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case Kind.DATE:
            return isinstance(value, str) and is_date(value)
        case Kind.LINES:
            return isinstance(value, list) and all(isinstance(one, str) and is_line(one) for one in value)
        case Kind.CHOICES:
            offered = options_for(given, kind)
            once = isinstance(value, list) and len(distinct(value)) == len(value)
            return once and all(chosen(offered, one) for one in value)
        case Kind.LISTED:
            return any(alike(value, one) for one in values_of(given.schema))
        case Kind.CHOICE | Kind.JSON:
            return True


def is_date(text: str) -> bool:
    try:
        return bool(DATE.fullmatch(text)) and bool(date.fromisoformat(text))
    except ValueError:
        return False


def is_line(text: str) -> bool:
    """Whether a text survives being one line of several: Slack may trim, and blank lines are not items."""
    return text != "" and text == text.strip() and not re.search(r"[\r\n]", text)


def initial_text(given: Given, kind: Kind) -> str:
    """What a text input begins with, and what comes back if nobody touches it."""
    value = given.present
    if given.hidden or value is ABSENT or (value is None and kind is not Kind.JSON):
        return ""
    match kind:
        case Kind.TEXT | Kind.DATE:
            return str(value)
        case Kind.LISTED:
            return show_value(value)
        case Kind.NUMBER:
            return json_text(value)
        case Kind.LINES:
            return "\n".join(value)
        case Kind.JSON:
            pretty = json_text(value)
            return pretty if size(pretty) <= INPUT_ROOM else json_text(value, indent=None)
        case Kind.CHOICE | Kind.CHOICES:
            return ""


def options_for(given: Given, kind: Kind) -> tuple[Option, ...]:
    if kind is Kind.CHOICES:
        return choices(values_of(flat(given.schema.get("items"), given.root)))
    if kind is not Kind.CHOICE:
        return ()
    listed = values_of(given.schema) or [True, False]
    offered = [one for one in listed if allows(given.root, given.whole, one)] or listed
    if allows(given.root, given.whole, None):
        offered.append(None)
    if not given.required and not any(alike(left_out(given), one) for one in offered):
        offered.append(left_out(given))
    options = choices(offered)
    if given.hidden:
        return (as_it_is(given.present, hidden=True), *options)
    known = chosen(options, given.present) or (given.required and given.present is ABSENT)
    return options if known else (as_it_is(given.present, hidden=False), *options)
