"""What an edit changed, in one line: `mode rolling -> recreate`. Pure."""

from approvals.records import Approval
from approvals.rules.redact import hide
from bot.cards.arguments import read_arguments, show_value
from bot.cards.escape import escape
from bot.cards.sizes import cut_line

MOST_NAMED = 6
ROOM = 60


def changes_in(approval: Approval) -> str:
    """The newest edit, argument by argument, escaped for mrkdwn; hidden values stay hidden."""
    before, after = read_arguments(approval.edits[-1].args_json), read_arguments(approval.args_json)
    names = [name for name in {**before, **after} if before.get(name, ...) != after.get(name, ...)]
    shown_before, shown_after = hide(before, approval.rule.redact), hide(after, approval.rule.redact)
    lines = [f"{_cut(name)} {_value(shown_before, name)} → {_value(shown_after, name)}" for name in names[:MOST_NAMED]]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(lines) + more


def _value(args: dict[str, object], name: str) -> str:
    return _cut(show_value(args[name])) if name in args else "(not given)"


def _cut(text: str) -> str:
    return escape(cut_line(text, ROOM))
