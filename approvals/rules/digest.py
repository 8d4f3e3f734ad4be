"""What is hashed: the bytes a person is shown, the rule they were held to, the tool that would run. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from approvals.rules.rule import Approvers, Rule

DIGEST_VERSION = 1
# Under these a JSON Schema holds values, whose own `title` is no prose.
VALUES = {"const", "default", "enum"}


def canonical(value: object) -> str:
    """One spelling per JSON value: sorted keys, no spaces, text as it is.

    Raises ValueError for NaN and infinity, and for text that is not valid Unicode (a lone surrogate):
    such a value has no bytes to show, so it can have no approval.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    text.encode("utf-8")
    return text


def call_digest(tool: str, tool_hash: str, args_json: str, fingerprint: str | None = None) -> str:
    """The digest an approval is for: tool identity and the arguments handed to the tool, as shown; and, where the tool
    says so, what the call is about."""
    about = [] if fingerprint is None else [fingerprint]
    return sha256(canonical([DIGEST_VERSION, tool, tool_hash, args_json, *about]))


def rule_hash(rule: Rule) -> str:
    """Hash of what makes a say-so worth something: not texts, times or routes, which may change under it. Those to
    whom it may be escalated count: they may decide too.

    The order in which the file lists decisions, approvers, users and redacted arguments means nothing.
    """
    return sha256(canonical(what_counts(rule, in_order(rule.approvers))))


def in_order(approvers: Iterable[Approvers]) -> list[Approvers]:
    """By name, and each one's users by their ids."""
    ordered = sorted(approvers, key=lambda one: one.name)
    return [one.model_copy(update={"users": tuple(sorted(one.users))}) for one in ordered]


def seals(stored: str, rule: Rule) -> bool:
    """Whether a row's hash is the one of the row's own rule.

    Rows of the first release were hashed with each set's users as the file listed them. Such a row keeps its
    hash and stays good: it is compared with today's policy by today's hash of its rule, never by the old one.
    """
    return stored in (rule_hash(rule), sha256(canonical(what_counts(rule, rule.approvers))))


def what_counts(rule: Rule, approvers: Iterable[Approvers]) -> dict[str, object]:
    """The hashed part of a rule."""
    counted: dict[str, object] = {
        "gate": rule.gate,
        "decisions": sorted(rule.decisions),
        "approvers": [counted_approvers(a) for a in sorted(approvers, key=lambda a: a.name)],
        "quorum": rule.quorum,
        "self_approval": rule.self_approval,
    }
    # Only where they say something: a rule of the first release has the bytes that it had.
    if rule.redact:
        counted["redact"] = sorted(rule.redact)
    if rule.idempotent:
        counted["idempotent"] = True
    if later := {one.name: one for step in rule.escalate for one in step.to}:
        counted["escalate"] = [counted_approvers(one) for one in in_order(later.values())]
    return counted


def counted_approvers(approvers: Approvers) -> dict[str, object]:
    """Only where there is a look-up: others have the bytes that they had before there were any."""
    return approvers.model_dump(exclude=set() if approvers.lookup else {"lookup", "secret_env"})


def tool_hash(module: str, name: str, schema: Mapping[str, object]) -> str:
    """Hash of a tool's identity: where its code lives, its name, and the schema of its arguments."""
    return sha256(canonical([module, name, without_prose(schema)]))


def without_prose(schema: object, *, names_arguments: bool = False) -> object:
    """A JSON Schema without its titles and descriptions: rewording a docstring changes no call."""
    if isinstance(schema, Mapping):
        return {
            key: value
            if key in VALUES and not names_arguments
            else without_prose(value, names_arguments=not names_arguments and key in {"properties", "$defs"})
            for key, value in schema.items()
            if names_arguments or not (key in {"title", "description"} and isinstance(value, str))
        }
    if isinstance(schema, list):
        return [without_prose(item) for item in schema]
    return schema


def sha256(text: str) -> str:
    """Hex SHA-256 of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
