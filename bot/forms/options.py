"""The choices of an argument: what its schema lists, and what else it may be (null, not given, as it is). Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from approvals.rules.digest import canonical
from bot.cards.arguments import show_value
from bot.cards.escape import visible_line
from bot.cards.sizes import cut_line, size
from bot.forms.fields import ABSENT, Option, Outcome, alike

MOST: Final = 100
LABEL: Final = 75
ID: Final = 150
NOT_GIVEN: Final = "not given"
NO_VALUE: Final = "null (no value)"
# No JSON text, so never the id of a listed value.
NOT_GIVEN_ID: Final = "not-given"
KEPT_ID: Final = "as-it-is"


def choices(values: Iterable[Outcome]) -> tuple[Option, ...]:
    """An option for each value. What is too long for Slack is numbered: `whole_labels` tells it in full."""
    listed = distinct(values)
    labels = [label_of(value) for value in listed]
    twice = {one for one, count in Counter(map(_short, labels)).items() if count > 1}
    return tuple(
        Option(_id(value, index), _numbered(label, index, twice), value)
        for index, (value, label) in enumerate(zip(listed, labels, strict=True), 1)
    )


def as_it_is(present: Outcome, *, hidden: bool) -> Option:
    """For a value that is not among the choices, or that may not be shown."""
    label = "hidden by policy; stays as it is" if hidden else _short(f"as it is: {label_of(present)}")
    return Option(KEPT_ID, label, present)


def cut_labels(options: Iterable[Option]) -> tuple[str, ...]:
    """Those that Slack's option cannot hold, whole, under the number that the option has."""
    return tuple(
        f"{index}. {label_of(option.outcome)}"
        for index, option in enumerate(options, 1)
        if option.id not in (NOT_GIVEN_ID, KEPT_ID) and size(visible_line(label_of(option.outcome))) > LABEL
    )


def chosen(options: Iterable[Option], present: Outcome) -> Option | None:
    return next((option for option in options if alike(option.outcome, present)), None)


def label_of(value: Outcome) -> str:
    if value is ABSENT:
        return NOT_GIVEN
    return NO_VALUE if value is None else show_value(value)


def by_label(values: Iterable[Outcome]) -> Mapping[str, Outcome]:
    """What can be written for each value where there are too many for a menu."""
    return {show_value(value): value for value in values}


def distinct(values: Iterable[Outcome]) -> list[Outcome]:
    """Each spelling once, in order."""
    found: dict[str, Outcome] = {}
    for value in values:
        found.setdefault(NOT_GIVEN_ID if value is ABSENT else canonical(value), value)
    return list(found.values())


def _id(value: Outcome, index: int) -> str:
    if value is ABSENT:
        return NOT_GIVEN_ID
    text = canonical(value)
    return text if size(text) <= ID and text.isprintable() else f"choice-{index}"


def _numbered(label: str, index: int, twice: set[str]) -> str:
    short = _short(label)
    return _short(f"{index}. {label}") if size(visible_line(label)) > LABEL or short in twice else short


def _short(label: str) -> str:
    return cut_line(visible_line(label), LABEL)
