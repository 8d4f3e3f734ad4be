"""What the edit form is made of: a field for each argument that can be changed, a line for each that cannot. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Final, TypeAlias

from bot.forms.parse import same, writable
from bot.forms.schema import Schema


class Absent(Enum):
    """An argument that is not given. Not the same as null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
# A value of JSON, or ABSENT.
Outcome: TypeAlias = Any


class Kind(StrEnum):
    """How an argument is asked for."""

    TEXT = "text"
    LINES = "lines"
    NUMBER = "number"
    DATE = "date"
    CHOICE = "choice"
    CHOICES = "choices"
    LISTED = "listed"
    JSON = "json"


class Empty(StrEnum):
    """What a field that is left empty can mean. KEEP: what is there stays."""

    KEEP = "keep"
    LEAVE_OUT = "leave_out"
    NULL = "null"
    EMPTY_TEXT = "empty_text"
    EMPTY_LIST = "empty_list"


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. `id` comes back from Slack; `label` is what is read."""

    id: str
    label: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Field:
    """An argument that can be changed. `initial` is what its input begins with; of what the policy hides, that
    is nothing. `empties`: what leaving it empty can mean, the likeliest first; none = it must be filled in."""

    name: str
    block_id: str
    kind: Kind
    schema: Schema
    required: bool
    hidden: bool
    present: Outcome
    initial: str = ""
    options: tuple[Option, ...] = ()
    empties: tuple[Empty, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """An argument that stays as it is. `shown` is its value or the beginning of it; None where it may not be."""

    name: str
    block_id: str
    present: Outcome
    why: str
    shown: str | None


Part: TypeAlias = Field | Fixed


def left_empty(schema: Schema, present: Outcome, empty: Empty) -> Outcome:
    """What an empty field stands for. An optional argument takes what the tool would take, written out; one that
    was not given before, and still is not, stays so."""
    match empty:
        case Empty.KEEP:
            return present
        case Empty.LEAVE_OUT:
            return default_of(schema) if present is not ABSENT else ABSENT
        case Empty.NULL:
            return None
        case Empty.EMPTY_TEXT:
            return ""
        case Empty.EMPTY_LIST:
            return []


def default_of(schema: Schema) -> Outcome:
    """The default, if it is one that can be written as JSON."""
    return schema["default"] if "default" in schema and writable(schema["default"]) else ABSENT


def alike(one: Outcome, other: Outcome) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return same(one, other)


def which_empty(field_id: str) -> str:
    """The block in which is chosen what an empty field means, where that can be several things."""
    return f"{field_id}_empty"


def holds_name(value: object, names: tuple[str, ...]) -> bool:
    """Whether any key in the value, at any depth, is one of these."""
    left = [value]
    while left:
        node = left.pop()
        if isinstance(node, Mapping):
            if any(key in names for key in node):
                return True
            left += node.values()
        elif isinstance(node, list):
            left += node
    return False


def depth_of(value: object) -> int:
    """How deep lists and mappings are nested, without going in by recursion."""
    deepest, left = 0, [(value, 1)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        inner = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
        left += [(one, depth + 1) for one in inner]
    return deepest
