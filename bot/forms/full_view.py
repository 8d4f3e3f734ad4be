"""Every argument of a call, whole: for calls that a card cannot hold. Pure."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from approvals.records import ApprovalKey
from approvals.rules.redact import hide, hide_text, secrets_in
from bot.cards.arguments import show_value
from bot.cards.blocks import Block, header, label, plain, preformatted, section
from bot.cards.escape import visible
from bot.cards.sizes import size
from bot.forms.edit import REJECT, NotEditable, View, key_text, read_call
from bot.forms.spelled import dense, packed, shown

WHOLE: Final = "approve_whole"
MOST_BLOCKS: Final = 95
# Slack takes 250 kB; what it counts is not published.
VIEW_BYTES: Final = 230_000
# A value up to this size shares a block with its neighbours.
SHORT: Final = 200
NAME_ROOM: Final = 200
WIDTH: Final = 24
APPROVING: Final = "This is all of the call. Approve is your vote for exactly this."
SHOWING: Final = "This is all of the call."
DENSE: Final = (
    "To fit here, each argument is on one line, and every character but plain ASCII is spelled out, several in one "
    "pair of braces, as in \\u{200B A}; \\u{A} is the end of a line."
)
CONTINUED: Final = "The arguments, continued:"
UNREADABLE: Final = f"These arguments cannot be read, so they cannot be shown here. {REJECT}"
TOO_LONG: Final = f"These arguments are too long to be shown whole in Slack. {REJECT}"

Shown = tuple[str, str]


def full_view(
    key: ApprovalKey,
    heading: str,
    args_json: str,
    redact: tuple[str, ...],
    *,
    approve: bool,
    warnings: tuple[str, ...],
    secrets: frozenset[str] = frozenset(),
) -> View | NotEditable:
    """Nothing is cut: what does not fit as it is is spelled more densely, and else there is no view. `secrets` are
    hidden values of other revisions, which this one may still hold elsewhere."""
    args = read_call(args_json)
    if args is None:
        return NotEditable(UNREADABLE)
    pairs = _pairs(args, redact, secrets)
    for blocks in (_readable(pairs), _dense(pairs)):
        view = _view(key, heading, [*_warned(warnings), *blocks], approve=approve)
        if len(view["blocks"]) <= MOST_BLOCKS and len(json.dumps(view)) <= VIEW_BYTES:
            return view
    return NotEditable(TOO_LONG)


def _pairs(args: Mapping[str, object], redact: tuple[str, ...], others: frozenset[str]) -> list[Shown]:
    """Names and values as text. What the policy hides is hidden in other values and names too, should it stand
    there."""
    secrets = secrets_in(args, redact) | others
    shown = hide(args, redact)
    return [(hide_text(name, secrets), hide_text(show_value(value), secrets)) for name, value in shown.items()]


def _view(key: ApprovalKey, heading: str, blocks: list[Block], *, approve: bool) -> View:
    view: View = {
        "type": "modal",
        "callback_id": WHOLE,
        "private_metadata": key_text(key),
        "title": label("The whole call"),
        "close": label("Back"),
        "blocks": [header(heading), section(APPROVING if approve else SHOWING), *blocks],
    }
    return view | ({"submit": label("Approve")} if approve else {})


def _warned(warnings: tuple[str, ...]) -> list[Block]:
    return [{"type": "section", "text": plain(f"⚠ {one}")} for one in warnings]


def _readable(pairs: list[Shown]) -> list[Block]:
    """As on a card: short values side by side in a column, a long one or one of several lines under its name."""
    blocks: list[Block] = []
    column: list[Shown] = []
    for name, value in pairs:
        if "\n" not in value and size(value) <= SHORT and size(name) <= WIDTH:
            column.append((name, value))
            continue
        blocks += [*_column(column), *_alone(name, value)]
        column = []
    return [*blocks, *_column(column)] or [preformatted("(no arguments)")]


def _column(pairs: list[Shown]) -> Iterator[Block]:
    names = [visible(quoted(name)) for name, _ in pairs]
    width = max(map(len, names), default=0)
    lines = [
        "".join((name.ljust(width), "  ", *shown(value), "\n")) for name, (_, value) in zip(names, pairs, strict=True)
    ]
    for text in packed(lines):
        yield preformatted(text.removesuffix("\n"))


def _alone(name: str, value: str) -> Iterator[Block]:
    named = visible(quoted(name))
    if size(named) > NAME_ROOM:
        yield from (preformatted(text, "A long name, whose value follows:") for text in packed(shown(quoted(name))))
        named = "Its value"
    texts = packed(shown(value))
    for number, text in enumerate(texts, 1):
        yield preformatted(text, named if len(texts) == 1 else f"{named} (part {number} of {len(texts)})")


def _dense(pairs: list[Shown]) -> list[Block]:
    pieces = (piece for name, value in pairs for piece in (*dense(quoted(name)), "  ", *dense(value), "\n"))
    texts = packed(pieces)
    first = {"type": "section", "text": plain(DENSE)}
    return [first, *(preformatted(text, CONTINUED if number else None) for number, text in enumerate(texts))]


def quoted(name: str) -> str:
    """A name on one line; in quotes where it could be taken for a name and a value."""
    return name if name.isidentifier() else json.dumps(name, ensure_ascii=False)
