"""Which entry of the policy a tool falls under, and why. Asks `select_rule`; decides nothing itself. Pure."""

from dataclasses import dataclass

from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Policy, select_rule


@dataclass(frozen=True, slots=True)
class Applies:
    """`pattern` is the entry under `tools:`; None for the defaults."""

    rule: Rule
    pattern: str | None
    why: str


def which_rule(policy: Policy, tool: str) -> Applies:
    """The rule as the gate will find it, and how it was found."""
    rule = select_rule(policy, Call(tool, {}, "", "", ""))
    matching = [entry.pattern for entry in policy.tools if matches(policy, entry.pattern, tool)]
    # By identity: two entries may say the same.
    chosen = next((entry.pattern for entry in policy.tools if entry.rule is rule), None)
    others = [pattern for pattern in matching if pattern != chosen]
    return Applies(rule, chosen, why(tool, chosen, others))


def matches(policy: Policy, pattern: str, tool: str) -> bool:
    """Whether this entry would apply if it were the only one."""
    alone = tuple(entry for entry in policy.tools if entry.pattern == pattern)
    return select_rule(Policy(defaults=policy.defaults, tools=alone), Call(tool, {}, "", "", "")) is not policy.defaults


def why(tool: str, chosen: str | None, others: list[str]) -> str:
    """How it was found, as a sentence or two."""
    if chosen is None:
        return f"{tool}: the defaults apply, because no entry under tools names it or matches it."
    if chosen == tool:
        found = f"{tool}: the entry under tools with exactly this name applies"
        beaten = "an exact name beats a pattern"
    else:
        found = f"{tool}: the pattern {chosen} under tools applies"
        beaten = "a longer pattern beats a shorter one, then the order of names decides"
    also = f"; it beats {', '.join(others)}, because {beaten}" if others else ""
    return f"{found}{also}. What it does not say is taken from defaults."
