"""Checked sections -> the frozen values the house uses. Finds nothing wrong: that was done before."""

from pathlib import Path
from types import MappingProxyType

from approvals.config.sections import ApproverSection, FileSections, RuleSection, in_order
from approvals.config.values import AgentConfig, Config
from approvals.rules.rule import REQUESTER, Approvers, Rule
from approvals.rules.select_rule import Policy, ToolRule


def build(file: FileSections, path: Path) -> Config:
    agents = {name: AgentConfig(name, agent.factory, agent.model) for name, agent in file.agents.items()}
    return Config(MappingProxyType(agents), _policy(file), path)


def completed(section: RuleSection, defaults: RuleSection) -> RuleSection:
    """What a rule says, and what the defaults say where it does not."""
    own = {name: getattr(section, name) for name in section.model_fields_set & set(RuleSection.model_fields)}
    return defaults.model_copy(update=own)


def _policy(file: FileSections) -> Policy:
    people = {name: _approvers(name, section) for name, section in file.approvers.items()}
    people[REQUESTER] = Approvers(name=REQUESTER)
    tools = tuple(
        ToolRule(pattern=name, rule=_rule(completed(section, file.defaults), people), when=section.when or None)
        for name, rules in file.tools.items()
        for section in in_order(rules)
    )
    return Policy(defaults=_rule(file.defaults, people), tools=tools)


def _rule(section: RuleSection, people: dict[str, Approvers]) -> Rule:
    return Rule(
        gate=section.gate,
        decisions=section.decisions,
        approvers=tuple(people[name] for name in section.approvers),
        quorum=section.quorum,
        self_approval=section.self_approval,
        timeout=section.timeout,
        summary=section.summary or None,
        risk=section.risk,
        redact=section.redact,
        route=section.route or None,
        check=section.check or None,
        consequence=section.consequence or None,
        idempotent=section.idempotency == "key",
    )


def _approvers(name: str, section: ApproverSection) -> Approvers:
    return Approvers(name=name, users=section.users, usergroup=section.usergroup or None)
