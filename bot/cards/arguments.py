"""Every argument of a call, as text for a preformatted block. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from approvals.rules.redact import hide
from bot.cards.escape import hidden_count, visible
from bot.cards.sizes import cut, size

KEY_WIDTH: Final = 24
# Of the 10,000 characters of a card; the rest is for everything else on it.
ROOM: Final = 6_000
LEAST_ROOM: Final = 120
MOST_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class ShownArguments:
    """`whole` is False if anything was cut: then the card may not offer to let the call run."""

    text: str
    whole: bool
    hidden: int
    several_lines: bool


def show_arguments(args_json: str, redact: tuple[str, ...] = ()) -> ShownArguments:
    """All of them, aligned; cut, visibly, only if they do not fit. What the policy hides counts as shown."""
    args = hide(read_arguments(args_json), redact)
    pairs = [(visible(key), visible(show_value(value))) for key, value in args.items()]
    text = _lines(pairs)
    whole = size(text) <= ROOM
    if not whole:
        text = cut(_lines(_cut(pairs)), ROOM)
    return ShownArguments(
        text=text or "(no arguments)",
        whole=whole,
        hidden=sum(map(hidden_count, strings(args))),
        several_lines=any("\n" in one for one in strings(args)),
    )


def read_arguments(args_json: str) -> Mapping[str, object]:
    """The arguments by name. Bytes that are no JSON object are shown as they are, under one name."""
    try:
        args = json.loads(args_json)
    except ValueError:
        return {"arguments": args_json}
    return args if isinstance(args, dict) else {"arguments": args}


def show_value(value: object) -> str:
    """Text bare where it cannot be taken for anything else, everything else as JSON."""
    if isinstance(value, str):
        return value if _is_plainly_text(value) else json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)


def strings(node: object) -> Iterable[str]:
    """Every text in the arguments, names included."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


def _is_plainly_text(value: str) -> bool:
    """`5`, `true`, an empty text or one with blanks around it would be read as something else."""
    if not value or value != value.strip() or value.startswith('"'):
        return False
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return True
    return False


def _lines(pairs: Iterable[tuple[str, str]]) -> str:
    pairs = list(pairs)
    width = min(KEY_WIDTH, max((len(key) for key, _ in pairs), default=0))
    indent = "\n" + " " * (width + 2)
    # A value of several lines stays in its own column: it cannot look like another argument.
    return "\n".join(f"{key.ljust(width)}  {value.replace(chr(10), indent)}" for key, value in pairs)


def _cut(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    shown = pairs[:MOST_SHOWN]
    room = max(LEAST_ROOM, ROOM // (len(shown) + 1))
    kept = [(cut(key, 60), _cut_lines(value, room - 60)) for key, value in shown]
    if len(pairs) > len(shown):
        kept.append(("…", f"[cut; {len(pairs)} arguments in all]"))
    return kept


def _cut_lines(value: str, room: int) -> str:
    """Indenting costs room too, so only a few lines are kept of a value that is cut."""
    lines = value.split("\n")
    if len(lines) > 3 and size(value) > room:
        first = "\n".join(lines[:3])
        marker = f"… [cut; {len(value):,} characters in all]"
        return cut(first, room - size(marker)) + marker if size(first) > room - size(marker) else first + marker
    return cut(value, room)
