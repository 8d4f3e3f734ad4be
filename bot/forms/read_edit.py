"""The edit form as it was sent -> the arguments, or what is wrong and at which field. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from approvals.rules.digest import canonical
from bot.cards.sizes import cut_line
from bot.forms.check import Unchecked, errors
from bot.forms.complaints import complaints
from bot.forms.edit import BAD_SCHEMA, NO_OBJECT, read_call
from bot.forms.elements import visible_name
from bot.forms.fields import ABSENT, Empty, Field, Fixed, Kind, Outcome, Part, left_empty, which_empty
from bot.forms.kinds import is_date
from bot.forms.options import by_label
from bot.forms.parse import Wrong, parse_json, parse_number, writable
from bot.forms.plan import plan
from bot.forms.schema import Schema, values_of
from bot.payloads import FieldValue

FILL: Final = Wrong("Please fill this in: the tool needs it.")
CHOOSE: Final = Wrong("Please choose one of these.")
A_DATE: Final = Wrong("Please give a date that exists, such as 2026-11-30.")
NOT_TEXT: Final = Wrong("This holds half of a character (a lone surrogate), which no tool can be given.")
SENTENCE: Final = 400


@dataclass(frozen=True, slots=True)
class Edited:
    """The arguments as they were left, in their one spelling; the same bytes if nothing was changed."""

    args_json: str


@dataclass(frozen=True, slots=True)
class FieldErrors:
    """A sentence for each block id of an input. Never empty, and never a value that is in the form or hidden."""

    by_block: Mapping[str, str]


def read_edit(
    schema: Schema, args_json: str, redact: tuple[str, ...], fields: Mapping[str, FieldValue]
) -> Edited | FieldErrors:
    """`args_json`: the arguments that the form was built from."""
    present = read_call(args_json)
    if present is None:
        return FieldErrors({"f0": NO_OBJECT})
    parts = plan(schema, present, redact)
    outcomes = {part.name: _outcome(part, fields) for part in parts}
    wrong = [(name, one.sentence) for name, one in outcomes.items() if isinstance(one, Wrong)]
    if wrong:
        return _told(parts, wrong)
    args = {name: value for name, value in outcomes.items() if value is not ABSENT}
    # What nobody changed is not judged again: it is what was asked for.
    if canonical(args) == canonical(present):
        return Edited(args_json)
    found = errors(schema, args)
    if isinstance(found, Unchecked):
        return _told(parts, [(None, BAD_SCHEMA)])
    told = [one for error in found for one in complaints(error)]
    return _told(parts, told) if told else Edited(canonical(args))


def _told(parts: Iterable[Part], wrong: Iterable[tuple[str | None, str]]) -> FieldErrors:
    """At the field that each belongs to; what belongs to none is told at the first, with its name."""
    blocks = {part.name: part.block_id for part in parts if isinstance(part, Field)}
    first = next(iter(blocks.values()), "f0")
    by_block: dict[str, str] = {}
    for name, sentence in wrong:
        block = blocks.get(name, first) if name is not None else first
        words = sentence if name is None or name in blocks else f"{visible_name(name)}: {sentence}"
        if words not in (before := by_block.get(block, "")):
            by_block[block] = cut_line(f"{before} {words}".strip(), SENTENCE)
    return FieldErrors(by_block)


def _outcome(part: Part, fields: Mapping[str, FieldValue]) -> Outcome | Wrong:
    # A block that did not come back was not in the form that this person saw: nothing was said about it.
    if isinstance(part, Fixed) or part.block_id not in fields:
        return part.present
    value = fields[part.block_id]
    if part.kind is Kind.CHOICE:
        return _one(part, value)
    if part.kind is Kind.CHOICES:
        return _several(part, value, fields)
    written = value.text or ""
    if not _tidy(written):
        return _emptied(part, fields)
    if not part.hidden and _tidy(written) == _tidy(part.initial):
        return part.present
    return _parsed(part, written)


def _tidy(text: str) -> str:
    """Slack may turn line ends into its own and trim: neither is a change that somebody made."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _emptied(field: Field, fields: Mapping[str, FieldValue]) -> Outcome | Wrong:
    if not field.empties:
        return FILL
    said = fields.get(which_empty(field.block_id), FieldValue()).text
    meant = next((empty for empty in field.empties if empty == said), field.empties[0])
    return left_empty(field.schema, field.present, meant)


def _one(field: Field, value: FieldValue) -> Outcome | Wrong:
    if value.text is None:
        if field.hidden:
            return field.present
        return CHOOSE if field.required else left_empty(field.schema, field.present, Empty.LEAVE_OUT)
    return next((option.outcome for option in field.options if option.id == value.text), CHOOSE)


def _several(field: Field, value: FieldValue, fields: Mapping[str, FieldValue]) -> Outcome | Wrong:
    if not value.chosen:
        return _emptied(field, fields)
    by_id = {option.id: option.outcome for option in field.options}
    if not set(value.chosen) <= by_id.keys():
        return CHOOSE
    wanted = [by_id[one] for one in value.chosen]
    # The order in which Slack lists what was chosen is nobody's change.
    if isinstance(field.present, list) and not field.hidden and _spelled(wanted) == _spelled(field.present):
        return field.present
    return wanted


def _spelled(values: Iterable[Outcome]) -> set[str]:
    return set(map(canonical, values))


def _parsed(field: Field, written: str) -> Outcome | Wrong:
    match field.kind:
        case Kind.NUMBER:
            return _number(field, written)
        case Kind.JSON:
            return parse_json(written)
        case Kind.LISTED:
            return _listed(field, written.strip())
        case Kind.LINES:
            lines = [line.strip() for line in _tidy(written).split("\n")]
            return _text([line for line in lines if line])
        case Kind.DATE:
            return written if is_date(written) else A_DATE
        case _:
            return _text(written)


def _text(value: str | list[str]) -> Outcome | Wrong:
    return value if writable(value) else NOT_TEXT


def _listed(field: Field, written: str) -> Outcome | Wrong:
    known = by_label(values_of(field.schema))
    if written in known:
        return known[written]
    return Wrong(f"This is none of the {len(known)} values that the tool takes. Please write one of them exactly.")


def _number(field: Field, written: str) -> Outcome | Wrong:
    number = parse_number(written, whole=field.schema.get("type") == "integer")
    if isinstance(number, Wrong) or field.hidden or not field.initial:
        return number
    # Slack's number field may give 1.0 back as 1: the same number is no change.
    return field.present if Decimal(repr(number)) == Decimal(field.initial) else number
