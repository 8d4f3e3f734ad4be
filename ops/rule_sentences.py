"""A resolved rule, field by field, in words. Pure."""

from typing import assert_never

from approvals.rules.durations import format_duration
from approvals.rules.rule import REQUESTER, Approvers, Escalation, Rule
from approvals.rules.words import Gate, OnTimeout

GATES = {
    Gate.ALWAYS: "always: a person must decide before it runs",
    Gate.NEVER: "never: it runs unasked",
    Gate.RECORD: "record: it runs unasked, and is on the audit log",
}

ON_TIMEOUT = {
    OnTimeout.REJECT: "reject: the agent is told that nobody answered",
    OnTimeout.CANCEL_RUN: "cancel_run: the whole run ends",
}


def rule_facts(rule: Rule) -> dict[str, str]:
    """Every field of the rule that means something under its gate, by the key that sets it in countersign.yml."""
    gate = {"gate": GATES[rule.gate]}
    match rule.gate:
        case Gate.ALWAYS:
            return gate | asking(rule)
        case Gate.RECORD:
            return gate | {"summary": summary_words(rule), "redact": redact_words(rule)}
        case Gate.NEVER:
            return gate
        case _:
            assert_never(rule.gate)


def asking(rule: Rule) -> dict[str, str]:
    """What matters where a person is asked."""
    return {
        "decisions": ", ".join(rule.decisions),
        "approvers": "; ".join(map(approvers_words, rule.approvers)) or "nobody: no one can decide it",
        "quorum": "one approval lets it run" if rule.quorum == 1 else f"{rule.quorum} different people must approve",
        "self_approval": self_approval_words(rule),
        "timeout": f"{format_duration(rule.timeout)}: if nobody decides in that time, it expires and does not run",
        "summary": summary_words(rule),
        "risk": rule.risk or "none: the card says nothing about it",
        "redact": redact_words(rule),
        "route": route_words(rule),
        "check": rule.check or "none: the card does not say how to look whether it happened",
        "consequence": rule.consequence or "none: the card does not say what to do if it goes wrong",
        "remind": remind_words(rule),
        "escalate": "; ".join(map(escalation_words, rule.escalate)) or "none: nobody else is called",
        "on_timeout": ON_TIMEOUT[rule.on_timeout],
        "extend": f"max {rule.extend}x: an approver may give it {format_duration(rule.timeout)} more, so often"
        if rule.extend
        else "max 0x: nobody can give it more time",
    }


def remind_words(rule: Rule) -> str:
    """When, and whom."""
    times = ", ".join(map(format_duration, rule.remind))
    return f"{times} after opening, those who may decide are called again" if times else "none: nobody is called again"


def escalation_words(step: Escalation) -> str:
    """One step."""
    parts = [
        f"{'; '.join(map(approvers_words, step.to))} may decide too" if step.to else "",
        f"a card goes to {step.channel}" if step.channel else "",
        "they get it as a direct message" if step.direct else "",
        f"the pager {step.page} is set off" if step.page else "",
    ]
    return f"after {format_duration(step.after)}: {', '.join(filter(None, parts))}"


def approvers_words(approvers: Approvers) -> str:
    """One named set of people."""
    if approvers.name == REQUESTER:
        return "requester (whoever asked the agent)"
    if approvers.usergroup:
        return f"{approvers.name} (the Slack user group {approvers.usergroup}, looked up when somebody decides)"
    if approvers.lookup:
        return f"{approvers.name} (whom {approvers.lookup} names, asked when somebody decides)"
    return f"{approvers.name} ({', '.join(approvers.users)})"


def self_approval_words(rule: Rule) -> str:
    """Whether whoever asked may approve."""
    if any(approvers.name == REQUESTER for approvers in rule.approvers):
        return "as `requester` is among the approvers, whoever asked may approve it"
    return "true: whoever asked may approve it too" if rule.self_approval else "false: whoever asked may not approve it"


def summary_words(rule: Rule) -> str:
    return rule.summary or "none: the card's first line is the tool's name and its plain arguments"


def redact_words(rule: Rule) -> str:
    if not rule.redact:
        return "nothing by this rule; what the tool's schema calls secret is hidden as well"
    return f"{', '.join(rule.redact)}: shown to nobody, at any depth, but for how long the value is"


def route_words(rule: Rule) -> str:
    return f"{rule.route}: the card goes there" if rule.route else "none: the card goes into the run's own thread"
