"""What a person wrote -> a value with exactly one spelling, or a sentence that says what is wrong. Pure."""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from approvals.rules.digest import canonical
from bot.cards.escape import is_hidden, visible_line
from bot.cards.sizes import cut_line

WHOLE: Final = re.compile(r"[+-]?[0-9]+")
NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")
ASK_WHOLE: Final = "Please write a whole number, such as 5: digits only, without commas or spaces."
ASK_NUMBER: Final = "Please write a number with a point, such as 1.5, without commas or spaces."
NOT_JSON: Final = 'This is not JSON text. Text stands in double quotes, as in "text", [1, 2] or {"name": "text"}.'


@dataclass(frozen=True, slots=True)
class Wrong:
    """It cannot be taken as it is; `sentence` says what to write."""

    sentence: str


class _Refused(ValueError):
    """JSON text that Python would read, but not as it is written."""


def parse_number(written: str, *, whole: bool) -> int | float | Wrong:
    """1 and 1.0 stay what they are; a number that would lose digits is refused."""
    text = written.strip()
    if WHOLE.fullmatch(text):
        return int(text)
    if whole or not NUMBER.fullmatch(text):
        return Wrong(ASK_WHOLE if whole else ASK_NUMBER)
    try:
        return _exact(text)
    except _Refused as refused:
        return Wrong(str(refused))


def parse_json(written: str) -> object | Wrong:
    try:
        value: object = json.loads(
            written, parse_constant=_no_number, parse_float=_exact, object_pairs_hook=_no_doubles
        )
        canonical(value)
    except _Refused as refused:
        return Wrong(str(refused))
    except RecursionError:
        return Wrong("This is nested too deeply to be read.")
    except UnicodeEncodeError:
        return Wrong("This holds half of a character (a lone surrogate), which no tool can be given.")
    except ValueError as error:
        where = f" Look at line {error.lineno}." if isinstance(error, json.JSONDecodeError) else ""
        return Wrong(NOT_JSON + where)
    return value


def json_text(value: object, *, indent: int | None = 2) -> str:
    """JSON to read and to edit; what could not be seen is escaped, which JSON reads back as it was."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return "".join(json.dumps(char)[1:-1] if is_hidden(char) else char for char in text)


def same(one: object, other: object) -> bool:
    """Whether both have the same spelling: 1, 1.0 and true are three values."""
    return canonical(one) == canonical(other)


def writable(value: object) -> bool:
    """Whether it has a spelling at all; NaN, for one, has none."""
    try:
        canonical(value)
    except (ValueError, TypeError):
        return False
    return True


def _exact(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Refused("This number is too large to be written exactly.")
    if Decimal(repr(value)) != Decimal(text):
        raise _Refused(f"This number has more digits than can be kept. The nearest one is {value!r}.")
    return value


def _no_number(constant: str) -> object:
    raise _Refused(f"{constant} is no number that a tool can be given.")


def _no_doubles(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for name, value in pairs:
        if name in read:
            raise _Refused(f"The name {cut_line(visible_line(name), 60)} stands there twice.")
        read[name] = value
    return read
