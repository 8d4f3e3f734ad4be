"""Durations and lists, as every section of countersign.yml writes them."""

from collections.abc import Hashable
from datetime import timedelta
from functools import partial
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, WithJsonSchema

from approvals.rules.durations import DURATION_PATTERN, EXAMPLES, LONGEST, format_duration, parse_duration

_Entry = TypeVar("_Entry", bound=Hashable)


# What is kept is kept for years, by some auditors' rules.
LONGEST_KEPT = timedelta(days=36_500)


def _duration(value: object, longest: timedelta = LONGEST) -> timedelta:
    if isinstance(value, timedelta):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        raise ValueError(f"the number {value} has no unit; write {value}s, {value}m or {value}h, whichever you mean")
    if not isinstance(value, str):
        raise ValueError(f"this must be a duration such as {EXAMPLES}")
    return parse_duration(value, longest)


Duration = Annotated[
    timedelta, BeforeValidator(_duration), WithJsonSchema({"type": "string", "pattern": DURATION_PATTERN})
]


KeptFor = Annotated[
    timedelta,
    BeforeValidator(partial(_duration, longest=LONGEST_KEPT)),
    WithJsonSchema({"type": "string", "pattern": DURATION_PATTERN}),
]


def no_duplicates(values: tuple[_Entry, ...]) -> tuple[_Entry, ...]:
    """For lists in which nothing may stand twice."""
    twice = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if twice is not None:
        shown = format_duration(twice) if isinstance(twice, timedelta) else twice
        raise ValueError(f'"{shown}" stands here twice; keep one')
    return values
