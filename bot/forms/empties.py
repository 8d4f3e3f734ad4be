"""What it can mean that a field is left empty. Pure."""

from collections.abc import Iterator

from bot.forms.check import allows
from bot.forms.fields import Empty, Kind, alike, left_empty
from bot.forms.given import Given, left_out


def empties_for(given: Given, kind: Kind, initial: str) -> tuple[Empty, ...]:
    """Each meaning once. A required argument that has a value cannot be emptied by clearing its field alone: that
    would be a slip of the hand more often than an intention."""
    if kind is Kind.CHOICE:
        return ()
    if given.hidden:
        return (Empty.KEEP,)
    found: list[Empty] = []
    for empty in _possible(given, kind, initial):
        outcome = left_empty(given.schema, given.present, empty)
        if not any(alike(outcome, left_empty(given.schema, given.present, other)) for other in found):
            found.append(empty)
    sole = found[0] if len(found) == 1 else None
    if sole in (Empty.EMPTY_TEXT, Empty.EMPTY_LIST) and given.present not in ("", []) and given.required:
        return ()
    return tuple(sorted(found, key=lambda empty: _likeliest(given, empty)))


def _likeliest(given: Given, empty: Empty) -> int:
    """First what there is now, then what the tool would take."""
    outcome = left_empty(given.schema, given.present, empty)
    if alike(outcome, given.present):
        return 0
    return 1 if not given.required and alike(outcome, left_out(given)) else 2


def _possible(given: Given, kind: Kind, initial: str) -> Iterator[Empty]:
    """The ones that say more come first, where two mean the same."""
    if initial and not initial.strip():
        yield Empty.KEEP
    if kind is not Kind.JSON and (given.present is None or allows(given.root, given.whole, None)):
        yield Empty.NULL
    if kind is Kind.TEXT and (given.present == "" or allows(given.root, given.whole, "")):
        yield Empty.EMPTY_TEXT
    if kind in (Kind.LINES, Kind.CHOICES) and (given.present == [] or allows(given.root, given.whole, [])):
        yield Empty.EMPTY_LIST
    if not given.required:
        yield Empty.LEAVE_OUT
