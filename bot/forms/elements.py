"""A part of the edit form -> its blocks. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from bot.cards.blocks import Block, plain, preformatted
from bot.cards.escape import hidden_count, visible
from bot.cards.sizes import cut
from bot.forms.fields import Field, Fixed, Kind, Option, Part, which_empty
from bot.forms.hints import hint, meaning
from bot.forms.kinds import is_date
from bot.forms.options import chosen, cut_labels
from bot.forms.spelled import ROOM, packed, shown

LABEL: Final = 150
LONG: Final = 200
FIXED_ROOM: Final = 300
SEVERAL_LINES: Final = frozenset({"textarea", "multiline", "multi-line", "markdown", "text"})
LINE_ENDS: Final = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
# What Slack's own number field certainly gives back as it was.
PLAIN_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?")
ODD: Final = (
    "{name} as it is now: characters that cannot be seen are spelled out, as in \\u{{200B}}, and ⏎ ends a line. "
    "All of it is kept, blanks at the ends too, unless you change the text below."
)


def blocks_of(part: Part) -> Iterator[Block]:
    """One or more; what is asked for stands in the block that has the part's own id."""
    if isinstance(part, Fixed):
        yield from _fixed(part)
        return
    if _is_odd(part):
        title = visible_name(part.name)
        for number, text in enumerate(packed(shown(part.initial), ROOM)):
            yield preformatted(text, ODD.format(name=title) if number == 0 else f"{title}, continued:")
    if whole := cut_labels(part.options):
        yield preformatted(cut(visible("\n".join(whole)), ROOM), f"{visible_name(part.name)}: the long choices in full")
    optional = bool(part.empties) or (part.kind is Kind.CHOICE and not part.required)
    yield _input(part.block_id, plain(part.name, LABEL), _element(part), hint=hint(part), optional=optional)
    if len(part.empties) > 1:
        yield _which(part)


def visible_name(name: str) -> str:
    """An argument's name as its label shows it."""
    return str(plain(name, LABEL)["text"]).replace("&amp;", "&")


def _fixed(part: Fixed) -> Iterator[Block]:
    text = "(not shown)" if part.shown is None else cut(visible(part.shown), FIXED_ROOM)
    yield preformatted(text, f"{visible_name(part.name)}: {part.why}")


def _input(block_id: str, title: Block, element: Block, *, hint: str, optional: bool) -> Block:
    block: Block = {"type": "input", "block_id": block_id, "label": title, "optional": optional, "element": element}
    return block | ({"hint": plain(hint, 2_000)} if hint else {})


def _which(field: Field) -> Block:
    """What an empty field means, where it can be several things."""
    options = [{"text": plain(meaning(field, empty), 75), "value": empty} for empty in field.empties]
    element = {
        "type": "static_select",
        "action_id": which_empty(field.block_id),
        "options": options,
        "initial_option": options[0],
    }
    title = plain(f"If {field.name} is left empty, it is", LABEL)
    return _input(which_empty(field.block_id), title, element, hint="", optional=False)


def _element(field: Field) -> Block:
    match field.kind:
        case Kind.CHOICE:
            few = "type" in field.schema and field.schema["type"] == "boolean"
            first = field.options[0] if field.hidden else chosen(field.options, field.present)
            return _menu(field, "radio_buttons" if few else "static_select", "initial_option", first)
        case Kind.CHOICES:
            present = () if field.hidden or not isinstance(field.present, list) else field.present
            found = [option for one in present if (option := chosen(field.options, one))]
            return _menu(field, "multi_static_select", "initial_options", *found, several=True)
        case Kind.DATE:
            initial = {"initial_date": field.initial} if is_date(field.initial) else {}
            return {"type": "datepicker", "action_id": field.block_id, **initial}
        case Kind.NUMBER:
            return _number(field)
        case Kind.TEXT | Kind.LINES | Kind.LISTED | Kind.JSON:
            return _text(field, multiline=_multiline(field))


def _menu(field: Field, kind: str, initial: str, *first: Option | None, several: bool = False) -> Block:
    begun = [_option(one) for one in first if one]
    element = {"type": kind, "action_id": field.block_id, "options": [_option(one) for one in field.options]}
    return element | ({initial: begun if several else begun[0]} if begun else {})


def _option(option: Option) -> Block:
    return {"text": plain(option.label, 75), "value": option.id}


def _text(field: Field, *, multiline: bool) -> Block:
    begun = {"initial_value": field.initial} if field.initial else {}
    return {"type": "plain_text_input", "action_id": field.block_id, "multiline": multiline, **begun}


def _multiline(field: Field) -> bool:
    if field.kind is not Kind.TEXT:
        return field.kind is not Kind.LISTED
    most, form = field.schema.get("maxLength"), field.schema.get("format")
    roomy = isinstance(most, int | float) and most > LONG
    return roomy or form in SEVERAL_LINES or len(field.initial) > LONG or bool(LINE_ENDS.search(field.initial))


def _number(field: Field) -> Block:
    """Slack's number field, or a text field for numbers that it might round."""
    whole = field.schema.get("type") == "integer"
    if field.initial and (not PLAIN_NUMBER.fullmatch(field.initial) or (whole and "." in field.initial)):
        return _text(field, multiline=False)
    element: Block = {"type": "number_input", "action_id": field.block_id, "is_decimal_allowed": not whole}
    for name, bound in _bounds(field).items():
        element[name] = bound
    return element | ({"initial_value": field.initial} if field.initial else {})


def _bounds(field: Field) -> dict[str, str]:
    """Slack's own limits, unless the present value lies outside: then Slack would not open the form."""
    bounds: dict[str, str] = {}
    for name, key in (("min_value", "minimum"), ("max_value", "maximum")):
        limit: Any = field.schema.get(key)
        if isinstance(limit, int | float) and not isinstance(limit, bool) and PLAIN_NUMBER.fullmatch(str(limit)):
            bounds[name] = str(limit)
    present = Decimal(field.initial) if field.initial else None
    low, high = (Decimal(bounds[name]) if name in bounds else None for name in ("min_value", "max_value"))
    if present is not None and ((low is not None and present < low) or (high is not None and present > high)):
        return {}
    return bounds


def _is_odd(field: Field) -> bool:
    """Whether an input would not show everything that its text holds."""
    if field.kind not in (Kind.TEXT, Kind.LINES, Kind.LISTED):
        return False
    return hidden_count(field.initial) > 0 or field.initial != field.initial.strip()
