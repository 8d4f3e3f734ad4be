"""What the policy hides: the values of named arguments, in the arguments themselves and in any text. Pure."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

HIDDEN: Final = "[hidden]"
# A shorter value is in half of all words: hiding it would hide the text around it.
SHORTEST_SECRET: Final = 4


def hide(args: Mapping[str, object], names: tuple[str, ...], mark: str | None = None) -> dict[str, object]:
    """The arguments with `hidden, N characters`, or with `mark`, for the value of every key called so, at any depth.

    N counts the characters of a text, of anything else those of its JSON.
    """
    return {
        key: (mark or _mark(value)) if key in names else _hide_inside(value, names, mark) for key, value in args.items()
    }


def secrets_in(args: Mapping[str, object], names: tuple[str, ...]) -> frozenset[str]:
    """The texts that `hide` hides, also those inside hidden lists and mappings, which no other text may show."""
    found = (text for key, value in _entries(args) if key in names for text in _texts(value))
    return frozenset(text for text in found if len(text.strip()) >= SHORTEST_SECRET)


def hide_text(text: str, secrets: Iterable[str]) -> str:
    """The text with `[hidden]` for every secret, spelled as it is or as JSON or Python spells it."""
    # Only those that are there: a pattern with a long one in it would be tried in full at every character.
    spelled = {spelling for secret in secrets if secret.strip() for spelling in _spellings(secret) if spelling in text}
    if not spelled:
        return text
    # One pass, the longest first: a secret inside another one must not leave the rest of it behind.
    longest_first = sorted(spelled, key=lambda spelling: (-len(spelling), spelling))
    return re.sub("|".join(map(re.escape, longest_first)), HIDDEN, text)


def hide_beginning(text: str, secrets: Iterable[str]) -> str:
    """`hide_text` of the beginning of a text of which more will come: as much as no continuation can change."""
    spelled = {spelling for secret in secrets if secret.strip() for spelling in _spellings(secret)}
    certain = len(text) - max((_begun(text, spelling) for spelling in spelled), default=0)
    found = sorted((spelling for spelling in spelled if spelling in text), key=lambda spelling: -len(spelling))
    for match in re.finditer("|".join(map(re.escape, found)), text) if found else ():
        if match.start() < certain < match.end():
            # What may begin here begins inside of something that is hidden: both ends of that are open.
            certain = match.start()
    return hide_text(text[:certain], spelled)


def _begun(text: str, spelling: str) -> int:
    """How many characters at the end of the text may be the beginning of this."""
    longest = min(len(spelling) - 1, len(text))
    return next((n for n in range(longest, 0, -1) if text.endswith(spelling[:n])), 0)


def _mark(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return f"hidden, {len(text)} characters"


def _hide_inside(value: object, names: tuple[str, ...], mark: str | None) -> object:
    if isinstance(value, Mapping):
        return hide(value, names, mark)
    return [_hide_inside(item, names, mark) for item in value] if isinstance(value, list | tuple) else value


def _entries(value: object) -> Iterator[tuple[str, object]]:
    """Every key and its value, at any depth."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key, inner
            yield from _entries(inner)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _entries(item)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _spellings(secret: str) -> set[str]:
    """As it is, without blanks at its ends (a key read from a file ends with a new line), as JSON and Python write it,
    and as either writes that."""
    plain = {secret, secret.strip()}
    once = {written for text in plain for written in _written(text)}
    return plain | once | {written for text in once - plain for written in _written(text)}


def _written(text: str) -> tuple[str, ...]:
    return (json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1], repr(text)[1:-1], ascii(text)[1:-1])
