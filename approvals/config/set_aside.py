"""Takes out of the read file what the models cannot speak about well, each with a finding of its own:
keys of a later release, keys without a value, names that YAML reads as something else than text.

Pure. What is left is for the models to judge.
"""

from collections.abc import Iterable
from typing import Final

from approvals.config.errors import Finding, Location
from approvals.config.not_yet import KEYS_AT_THE_TOP, KEYS_OF_AN_AGENT

_REFUSED: Final = "so it is refused rather than ignored"

Mapped = dict[object, object]


def set_aside(data: Mapped) -> tuple[Mapped, tuple[Finding, ...]]:
    findings = [*_without_value_or_name(data, ()), *_later_keys(data, (), KEYS_AT_THE_TOP)]
    for name, agent in _entries(data, "agents"):
        findings += _later_keys(agent, ("agents", name), KEYS_OF_AN_AGENT)
    kept = _without(data, (), {finding.location for finding in findings})
    return (kept if isinstance(kept, dict) else {}), tuple(findings)


def _entries(data: Mapped, section: str) -> Iterable[tuple[str, object]]:
    entries = data.get(section)
    if not isinstance(entries, dict):
        return ()
    return [(name, entry) for name, entry in entries.items() if isinstance(name, str)]


def _later_keys(section: object, location: Location, later: tuple[str, ...]) -> list[Finding]:
    if not isinstance(section, dict):
        return []
    return [
        Finding((*location, key), f'this release does not enforce "{key}" yet, {_REFUSED}; remove the line')
        for key in section
        if key in later
    ]


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
