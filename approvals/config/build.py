"""Checked sections -> the frozen values the house uses. Finds nothing wrong: that was done before."""

from pathlib import Path
from types import MappingProxyType
from typing import Final

from approvals.config.agent_section import AgentSection
from approvals.config.mcp_section import STDIO, McpSection
from approvals.config.people_section import ApproverSection
from approvals.config.report_section import ReportSection
from approvals.config.sections import FileSections, RuleSection, in_order
from approvals.config.silence_section import EscalationSection, PagerSection, steps_of
from approvals.config.values import (
    AgentConfig,
    Config,
    HttpServer,
    McpServer,
    Pager,
    PagerDuty,
    ReportConfig,
    Retention,
    StdioServer,
    Webhook,
)
from approvals.rules.rule import REQUESTER, Approvers, Escalation, Rule
from approvals.rules.schedule import Schedule
from approvals.rules.select_rule import Policy, ToolRule

NOBODY: Final = "nobody_answered"


def build(file: FileSections, path: Path) -> Config:
    people = {name: _approvers(name, section) for name, section in file.approvers.items()}
    agents = {name: _agent(name, section, people) for name, section in file.agents.items()}
    return Config(
        MappingProxyType(agents),
        _policy(file, people | {REQUESTER: Approvers(name=REQUESTER)}),
        path,
        pagers=MappingProxyType({name: _pager(name, section) for name, section in file.pagers.items()}),
        freezers=tuple(people[name] for name in file.freeze or file.approvers),
        lookups=tuple(one for one in people.values() if one.lookup),
        reports=tuple(map(_report, file.reports)),
        retention=Retention(runs=file.retention.runs, audit=file.retention.audit),
    )


def _agent(name: str, section: AgentSection, people: dict[str, Approvers]) -> AgentConfig:
    nobody = section.model_dump(include=section.model_fields_set & {NOBODY})
    interrupts = {kind: {**nobody, **one.model_dump(exclude_unset=True)} for kind, one in section.interrupts.items()}
    return AgentConfig(
        name,
        section.factory,
        section.model,
        section.ungated,
        interrupts,
        nobody,
        model_timeout=section.model_timeout,
        # A list that is there and empty means nowhere, or nobody.
        channels=section.channels if "channels" in section.model_fields_set else None,
        people=tuple(people[one] for one in section.people) if "people" in section.model_fields_set else None,
        input=section.input,
        output=section.output,
        mcp=tuple(_server(server, one) for server, one in section.mcp.items()),
    )


def _server(name: str, section: McpSection) -> McpServer:
    if section.transport == STDIO:
        return StdioServer(name, section.command, section.args, section.env, section.cwd or None, section.timeout)
    return HttpServer(name, section.url, tuple(section.headers.items()), section.timeout)


def completed(section: RuleSection, defaults: RuleSection) -> RuleSection:
    """What a rule says, and what the defaults say where it does not. Of the calls that silence leads to, those
    that a shorter timeout leaves no time for are not taken over."""
    own = {name: getattr(section, name) for name in section.model_fields_set & set(RuleSection.model_fields)}
    timeout = own.get("timeout", defaults.timeout)
    in_time = {
        "remind": tuple(after for after in defaults.remind if after < timeout),
        "escalate": tuple(step for step in steps_of(defaults.escalate) if step.after < timeout),
    }
    return defaults.model_copy(update=in_time | own)


def _policy(file: FileSections, people: dict[str, Approvers]) -> Policy:
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
        remind=tuple(sorted(section.remind)),
        escalate=tuple(
            _escalation(step, people) for step in sorted(steps_of(section.escalate), key=lambda step: step.after)
        ),
        on_timeout=section.on_timeout,
        extend=section.extend,
    )


def _escalation(step: EscalationSection, people: dict[str, Approvers]) -> Escalation:
    return Escalation(
        after=step.after,
        to=tuple(people[name] for name in step.to),
        channel=step.channel or None,
        direct=step.direct,
        page=step.page or None,
    )


def _approvers(name: str, section: ApproverSection) -> Approvers:
    return Approvers(
        name=name,
        users=section.users,
        usergroup=section.usergroup or None,
        lookup=section.lookup or None,
        secret_env=section.secret_env or None,
    )


def _pager(name: str, section: PagerSection) -> Pager:
    if section.pagerduty_key_env:
        return PagerDuty(name, section.pagerduty_key_env)
    return Webhook(name, section.webhook, section.secret_env)


def _report(section: ReportSection) -> ReportConfig:
    return ReportConfig(section.name, section.channel, Schedule(section.cron, section.timezone), section.quiet)
