"""Small checks that add up to a schema; each yields what Slack would say. No limits here."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Check = Callable[[Any, str], Iterator[str]]


def said(message: str, pointer: str) -> str:
    return f"{message} [json-pointer:{pointer}]"


def string(most: int, least: int = 0, form: str | None = None) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield said("must be a string", at)
        elif len(value) > most:
            yield said(f"must be less than {most + 1} characters", at)
        elif len(value) < least:
            yield said(f"must be more than {least - 1} characters", at)
        elif form and not re.fullmatch(form, value):
            yield said("must match the expected format", at)

    return check


def whole(most: int, least: int) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            yield said(f"must be a whole number from {least} to {most}", at)

    return check


def flag(value: Any, at: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield said("must be a boolean", at)


def choice(*allowed: str) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if value not in allowed:
            yield said("must be a valid enum value", at)

    return check


def items(each: Check, most: int, least: int = 1) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield said("must provide an array", at)
            return
        if len(value) > most:
            yield said(f"no more than {most} items allowed", at)
        if len(value) < least:
            yield said(f"no fewer than {least} items allowed", at)
        for index, item in enumerate(value):
            yield from each(item, f"{at}/{index}")

    return check


def shape(needed: Mapping[str, Check], allowed: Mapping[str, Check] | None = None) -> Check:
    """An object with all of `needed`, perhaps some of `allowed`, and nothing else."""
    known = {**needed, **(allowed or {})}

    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield said("must provide an object", at)
            return
        for name in needed:
            if value.get(name) is None:
                yield said(f"missing required field: {name}", at)
        for name, part in value.items():
            if name not in known and name != "type":
                yield said(f"invalid additional property: {name}", at)
            elif name in known and part is not None:
                yield from known[name](part, f"{at}/{name}")

    return check


def tagged(kinds: Mapping[str, Check]) -> Check:
    """An object whose `type` chooses the check; a type that is not listed may not stand here."""

    def check(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield said("must provide an object", at)
        elif value.get("type") is None:
            yield said("missing required field: type", at)
        elif not isinstance(value["type"], str) or value["type"] not in kinds:
            yield said(f"unsupported type: {value['type']}", f"{at}/type")
        else:
            yield from kinds[value["type"]](value, at)

    return check


def exactly_one(of: tuple[str, ...], then: Check) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if isinstance(value, dict) and sum(value.get(name) is not None for name in of) != 1:
            yield said(f"must provide exactly one of: {', '.join(of)}", at)
        yield from then(value, at)

    return check


def at_least_one(of: tuple[str, ...], then: Check) -> Check:
    def check(value: Any, at: str) -> Iterator[str]:
        if isinstance(value, dict) and all(value.get(name) is None for name in of):
            yield said(f"must provide at least one of: {', '.join(of)}", at)
        yield from then(value, at)

    return check
