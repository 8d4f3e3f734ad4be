"""A resolved rule, field by field, in words. Pure."""

from approvals.rules.durations import format_duration
from approvals.rules.rule import REQUESTER, Approvers, Rule
from approvals.rules.words import Gate

GATES = {
    Gate.ALWAYS: "always: a person must decide before it runs",
    Gate.NEVER: "never: it runs unasked",
    Gate.RECORD: "record: it runs unasked, and is on the audit log",
}


def rule_facts(rule: Rule) -> dict[str, str]:
    """Every field of the rule, by the key that sets it in countersign.yml."""
    return {
        "gate": GATES[rule.gate],
        "decisions": ", ".join(rule.decisions),
        "approvers": "; ".join(map(approvers_words, rule.approvers)) or "nobody: no one can decide it",
        "quorum": "one approval lets it run" if rule.quorum == 1 else f"{rule.quorum} different people must approve",
        "self_approval": self_approval_words(rule),
        "timeout": f"{format_duration(rule.timeout)}: if nobody decides in that time, it expires and does not run",
        "summary": rule.summary or "none: the card's first line is the tool's name and its plain arguments",
        "risk": rule.risk or "none: the card says nothing about it",
        "redact": redact_words(rule),
        "route": route_words(rule),
        "check": rule.check or "none: the card does not say how to look whether it happened",
        "consequence": rule.consequence or "none: the card does not say what to do if it goes wrong",
    }


def approvers_words(approvers: Approvers) -> str:
    """One named set of people."""
    if approvers.name == REQUESTER:
        return "requester (whoever asked the agent)"
    if approvers.usergroup:
        return f"{approvers.name} (the Slack user group {approvers.usergroup}, looked up when somebody decides)"
    return f"{approvers.name} ({', '.join(approvers.users)})"


def self_approval_words(rule: Rule) -> str:
    """Whether whoever asked may approve."""
    if any(approvers.name == REQUESTER for approvers in rule.approvers):
        return "as `requester` is among the approvers, whoever asked may approve it"
    return "true: whoever asked may approve it too" if rule.self_approval else "false: whoever asked may not approve it"


def redact_words(rule: Rule) -> str:
    if not rule.redact:
        return "nothing: every argument is shown"
    return f"{', '.join(rule.redact)}: shown to nobody, at any depth, but for how long the value is"


def route_words(rule: Rule) -> str:
    return f"{rule.route}: the card goes there" if rule.route else "none: the card goes into the run's own thread"
