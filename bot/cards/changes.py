"""What edits changed, in a line each: `mode rolling → recreate`. Pure."""

from collections.abc import Mapping
from typing import Final

from approvals.records import Approval
from bot.cards.arguments import read_arguments, show_value
from bot.cards.escape import escape_to
from bot.cards.hidden import shown_args

MOST_NAMED: Final = 5
NAME_ROOM: Final = 30
VALUE_ROOM: Final = 50


def changes_in(approval: Approval, number: int = -1) -> str:
    """One edit, argument by argument, escaped for mrkdwn; hidden values stay hidden. `number` counts edits as
    they came; without it, the newest."""
    older = [edit.args_json for edit in approval.edits]
    newer = [*older[1:], approval.args_json]
    return _between(approval, older[number], newer[number])


def changed_names(approval: Approval, older: str, newer: str | None = None) -> tuple[str, ...]:
    """The arguments that differ, by their true values."""
    before, after = read_arguments(older), read_arguments(newer or approval.args_json)
    return tuple(name for name in {**before, **after} if not _same(before, after, name))


def _between(approval: Approval, older: str, newer: str) -> str:
    names = changed_names(approval, older, newer)
    before, after = shown_args(approval, older), shown_args(approval, newer)
    said = [f"{escape_to(name, NAME_ROOM)} {_value(before, name)} → {_value(after, name)}" for name in names]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(said[:MOST_NAMED]) + more


def _same(before: Mapping[str, object], after: Mapping[str, object], name: str) -> bool:
    """`1` and `true` are equal to Python, and not to a tool."""
    return name in before and name in after and show_value(before[name]) == show_value(after[name])


def _value(args: Mapping[str, object], name: str) -> str:
    return escape_to(show_value(args[name]), VALUE_ROOM) if name in args else "(not given)"
