"""Every argument of a call, as text for a preformatted block on a phone. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from approvals.records import Approval
from bot.cards.arguments import is_readable, show_value, strings
from bot.cards.changes import changed_names
from bot.cards.escape import hidden_count, visible, visible_line
from bot.cards.hidden import shown_args
from bot.cards.sizes import cut, cut_line, size

# A phone shows about 40 columns: a longer name has its value on the next line.
KEY_WIDTH: Final = 14
# Of the 10,000 characters of a card; the rest is for everything else on it.
ROOM: Final = 4_800
LEAST_ROOM: Final = 120
MOST_SHOWN: Final = 40
WAS_ROOM: Final = 100
# Two blanks or more stand between a name and its value; in a long value they could fake an argument.
GAP: Final = re.compile(r"(?<=[^\s])  +")
PLAIN_NAME: Final = re.compile(r"[\w.-]+")
OURS: Final = re.compile(r"\(default\)|\(was ")

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ShownArguments:
    """`whole` is False if anything was cut: then nothing on the card may let the call run."""

    text: str
    whole: bool
    hidden: int
    several_lines: bool
    gaps: bool


def arguments_of(approval: Approval) -> ShownArguments:
    """All of them, in the tool's own order; cut, visibly, only if they do not fit. What the policy hides counts
    as shown. After an edit, what the agent had asked for stands behind what was changed."""
    args = ordered(shown_args(approval, approval.args_json), approval.args_schema)
    texts = list(strings(args))
    rows = _rows(approval, args)
    text = _lines(rows)
    fits = size(text) <= ROOM
    return ShownArguments(
        text=(text if fits else cut(_lines(_cut(rows)), ROOM)) or "(no arguments)",
        whole=fits and is_readable(approval.args_json),
        hidden=sum(map(hidden_count, texts)),
        several_lines=any("\n" in one for one in texts),
        gaps="·" in text and any(GAP.search(one) for one in texts),
    )


def question_in(approval: Approval) -> ShownArguments | None:
    """The bare text, of a call whose one argument is a text: a question needs no name before it."""
    args = shown_args(approval, approval.args_json)
    only = next(iter(args.values())) if len(args) == 1 else None
    if not isinstance(only, str) or not only.strip():
        return None
    text = "\n".join(map(visible, only.strip().split("\n")))
    return ShownArguments(cut(text, ROOM), size(text) <= ROOM, hidden_count(only), several_lines=False, gaps=False)


def ordered(args: Mapping[str, object], schema: Mapping[str, object]) -> dict[str, object]:
    """As the tool declares them; those that it does not declare come last, by name."""
    declared = schema.get("properties")
    names = [name for name in declared if name in args] if isinstance(declared, Mapping) else []
    return {name: args[name] for name in [*names, *sorted(args.keys() - set(names))]}


def _rows(approval: Approval, args: Mapping[str, object]) -> list[Row]:
    first = approval.edits[0].args_json if approval.edits else approval.args_json
    before, changed = shown_args(approval, first), changed_names(approval, first)
    gone = [name for name in changed if name not in args and name in before]
    shown = {name: _shown(value) + _remark(approval, name, changed, before) for name, value in args.items()}
    shown |= {name: f"(left out){_was(before, name)}" for name in gone}
    return [(visible(_quoted(name)), text) for name, text in shown.items()]


def _remark(approval: Approval, name: str, changed: Iterable[str], before: Mapping[str, object]) -> str:
    if name in changed:
        return _was(before, name)
    return " (default)" if name in approval.filled_in else ""


def _was(before: Mapping[str, object], name: str) -> str:
    old = cut_line(visible_line(show_value(before[name])), WAS_ROOM) if name in before else "not given"
    return f"   (was {old})"


def _shown(value: object) -> str:
    """The value's text, with no gap in it that could part a name from a value, and no remark like ours."""
    text = show_value(value)
    if isinstance(value, str) and OURS.search(value):
        text = json.dumps(value, ensure_ascii=False)
    return GAP.sub(lambda gap: "·" * len(gap[0]), visible(text))


def _quoted(name: str) -> str:
    """In quotes where it could be taken for a name and a value, or for several lines."""
    return name if PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _lines(rows: Iterable[Row]) -> str:
    rows = list(rows)
    width = max((len(name) for name, _ in rows if len(name) <= KEY_WIDTH), default=0)
    return "\n".join(_line(name, value, width) for name, value in rows)


def _line(name: str, value: str, width: int) -> str:
    """A value of several lines stays in its own column: it cannot look like another argument."""
    if len(name) > KEY_WIDTH:
        return f"{name}\n  {value.replace(chr(10), chr(10) + '  ')}"
    return f"{name.ljust(width)}  {value.replace(chr(10), chr(10) + ' ' * (width + 2))}"


def _cut(rows: list[Row]) -> list[Row]:
    shown = rows[:MOST_SHOWN]
    room = max(LEAST_ROOM, ROOM // (len(shown) + 1))
    kept = [(cut(name, 60), _cut_lines(value, room - 60)) for name, value in shown]
    if len(rows) > len(shown):
        kept.append(("…", f"[cut; {len(rows)} arguments in all]"))
    return kept


def _cut_lines(value: str, room: int) -> str:
    """Indenting costs room too, so only a few lines are kept of a value that is cut."""
    lines = value.split("\n")
    if len(lines) > 3 and size(value) > room:
        first = "\n".join(lines[:3])
        marker = f"… [cut; {len(value):,} characters in all]"
        return cut(first, room - size(marker)) + marker if size(first) > room - size(marker) else first + marker
    return cut(value, room)
