"""Takes out of the read file what the models cannot speak about well, each with a finding of its own: keys without a
value, names that YAML reads as something else than text.

Pure. What is left is for the models to judge.
"""

from collections.abc import Iterable

from approvals.config.errors import Finding, Location

Mapped = dict[object, object]


def set_aside(data: Mapped) -> tuple[Mapped, tuple[Finding, ...]]:
    """What is left, and what was wrong with the rest."""
    findings = tuple(_without_value_or_name(data, ()))
    kept = _without(data, (), {finding.location for finding in findings})
    return (kept if isinstance(kept, dict) else {}), findings


def _without_value_or_name(value: object, location: Location) -> Iterable[Finding]:
    if value is None:
        yield Finding(location, "this has no value; give it one, or remove the line")
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _without_value_or_name(inner, (*location, key))
            else:
                yield Finding((*location, key), f"YAML reads this name as {_kind(key)}, not as text; put it in quotes")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _without_value_or_name(inner, (*location, index))


def _kind(key: object) -> str:
    if key is None:
        return "nothing"
    if isinstance(key, bool):
        return "true or false"
    return "a number" if isinstance(key, int | float) else "something else"


def _without(value: object, location: Location, taken: set[Location]) -> object:
    if isinstance(value, dict):
        return {
            key: _without(inner, (*location, key), taken)
            for key, inner in value.items()
            if (*location, key) not in taken
        }
    if isinstance(value, list):
        return [_without(inner, (*location, index), taken) for index, inner in enumerate(value)]
    return value
