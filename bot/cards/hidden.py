"""What the policy hides, hidden in everything that a card shows: arguments, claim, result, reason, answer. Pure."""

from collections.abc import Mapping

from approvals.records import Approval
from approvals.rules.redact import hide, hide_text, secrets_in
from bot.cards.arguments import is_readable, read_arguments

Args = dict[str, object]


def secrets_of(approval: Approval) -> frozenset[str]:
    """The hidden values of the call as it is and as it was before it was edited."""
    versions = (approval.args_json, *(edit.args_json for edit in approval.edits))
    names = approval.rule.redact
    return frozenset().union(*(secrets_in(read_arguments(one), names) for one in versions)) if names else frozenset()


def hidden_in(text: str, approval: Approval) -> str:
    """Somebody's words, without the hidden values."""
    return hide_text(text, secrets_of(approval))


def shown_args(approval: Approval, args_json: str) -> Args:
    """The arguments as they may be shown: hidden by name, and by value wherever else the same text stands."""
    if approval.rule.redact and not is_readable(args_json):
        return {"arguments": f"hidden, {len(args_json)} characters"}
    args = hide(read_arguments(args_json), approval.rule.redact)
    secrets = secrets_of(approval)
    return _without(args, secrets) if secrets else args


def _without(args: Mapping[str, object], secrets: frozenset[str]) -> Args:
    return {hide_text(str(key), secrets): _cleaned(value, secrets) for key, value in args.items()}


def _cleaned(value: object, secrets: frozenset[str]) -> object:
    if isinstance(value, str):
        return hide_text(value, secrets)
    if isinstance(value, Mapping):
        return _without(value, secrets)
    return [_cleaned(item, secrets) for item in value] if isinstance(value, list) else value
