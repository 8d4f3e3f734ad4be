"""`45s`, `30m`, `2h`, `1d` <-> timedelta. Pure: no clock, no configuration."""

import re
from datetime import timedelta
from typing import Final

LONGEST: Final = timedelta(days=365)
DURATION_PATTERN: Final = r"^[1-9][0-9]*[smhd]$"
EXAMPLES: Final = "45s, 30m, 2h or 1d"

_UNIT_SECONDS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
# More digits than this is over the limit in every unit, and too many of them Python refuses to read.
_MOST_DIGITS: Final = 8


class DurationError(ValueError):
    """The text is not a duration, or the time is not one that can be written as a duration."""


def parse_duration(text: str, longest: timedelta = LONGEST) -> timedelta:
    if re.fullmatch(DURATION_PATTERN, text) is None:
        raise DurationError(f'"{text}" is not a duration; write a whole number and a unit, such as {EXAMPLES}')
    digits, unit = text[:-1], text[-1]
    if len(digits) > _MOST_DIGITS or int(digits) * _UNIT_SECONDS[unit] > longest.total_seconds():
        raise DurationError(f'"{text}" is too long; the longest duration is {longest.days}d')
    return timedelta(seconds=int(digits) * _UNIT_SECONDS[unit])


def format_duration(duration: timedelta) -> str:
    """The largest unit that says it exactly: 90 minutes is `90m`, 60 minutes is `1h`."""
    seconds = duration // timedelta(seconds=1)
    if seconds <= 0 or duration != timedelta(seconds=seconds):
        raise DurationError(f"{duration} cannot be written as a duration; it must be whole seconds, at least 1s")
    for unit, size in _UNIT_SECONDS.items():
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    raise AssertionError("every whole number of seconds fits the unit s")
