"""The sections of countersign.yml as pydantic models: what this release enforces, key by key.

A field's description completes the sentence "this must be …": it is the error message, and the help in an
editor that reads the JSON Schema. Nothing here looks across sections or reads a file.
"""

from datetime import timedelta
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
    Tag,
    WithJsonSchema,
)

from approvals.config.agent_section import AgentSection
from approvals.config.basics import CHANNEL, Name, Section
from approvals.config.people_section import ApproverSection
from approvals.config.report_section import ReportSection
from approvals.config.retention_section import RetentionSection
from approvals.config.silence_section import Escalations, Extensions, PagerSection
from approvals.config.times import Duration, no_duplicates
from approvals.rules.durations import EXAMPLES
from approvals.rules.select_rule import PLACEHOLDER
from approvals.rules.when import compile_when
from approvals.rules.words import DecisionType, Gate, OnTimeout, Risk

# For editors only: `_only_argument_names` says it in words.
_SUMMARY_PATTERN: Final = rf"^(?:[^{{}}]|{PLACEHOLDER.pattern})+$"

ToolPattern = Annotated[StrictStr, StringConstraints(pattern=r"^(?:[A-Za-z0-9_.:/-]+\*?|\*)[A-Za-z0-9_.:/-]*$")]
ArgumentName = Annotated[StrictStr, StringConstraints(pattern=r"^\S(?:.*\S)?$")]


def _only_argument_names(summary: str) -> str:
    if any(ord(char) < 32 for char in summary):
        raise ValueError("a line break or another control character cannot stand here; write one line of text")
    left = PLACEHOLDER.sub("", summary)
    if "{" in left or "}" in left:
        raise ValueError(
            "only the names of the tool's arguments may stand in braces, such as {service}: "
            "no {a.b}, no {a[0]}, no {0}, no {}, no {a!r}, no {a:>9}"
        )
    return summary


def _condition(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(
            "this must be a condition in quotes, such as \"args.environment == 'prod'\"; "
            "a rule that always applies has no when"
        )
    compile_when(text)
    return text


Line = Annotated[StrictStr, StringConstraints(min_length=1), AfterValidator(_only_argument_names)]


class RuleSection(Section):
    """What applies to a tool. What a tool does not say, it takes from the section defaults."""

    # The values below are those of `defaults:` where the file does not say them.

    gate: Gate = Field(
        default=Gate.ALWAYS,
        description="always (a person must decide), never, or record (it runs unasked and is on the audit log)",
    )
    decisions: Annotated[tuple[DecisionType, ...], AfterValidator(no_duplicates)] = Field(
        default=(DecisionType.APPROVE, DecisionType.REJECT),
        min_length=1,
        json_schema_extra={"uniqueItems": True},
        description="a list of approve, edit, reject and respond, such as [approve, edit, reject]",
    )
    approvers: Annotated[tuple[Name, ...], AfterValidator(no_duplicates)] = Field(
        default=(), description="a list of names from the section approvers, or requester, such as [oncall]"
    )
    quorum: StrictInt = Field(default=1, ge=1, description="a whole number, 1 or more: how many people must approve")
    timeout: Duration = Field(default=timedelta(minutes=30), description=f"a duration such as {EXAMPLES}, at most 365d")
    self_approval: StrictBool = Field(
        default=False, description="true or false (may the person who asked approve it as well?)"
    )
    summary: Line = Field(
        default="",
        json_schema_extra={"pattern": _SUMMARY_PATTERN},
        description='one line with argument names in braces, such as "{environment} - Restart {service}"',
    )
    risk: Annotated[Risk | None, WithJsonSchema({"enum": ["low", "high"], "type": "string"})] = Field(
        default=None, description="low or high (how loud the card is)"
    )
    redact: Annotated[tuple[ArgumentName, ...], AfterValidator(no_duplicates)] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        description="a list of names of arguments whose values nobody is shown, such as [token]",
    )
    route: Annotated[StrictStr, StringConstraints(pattern=CHANNEL)] = Field(
        default="", description="a channel as #name, in quotes, or by its id (C… or G…)"
    )
    check: Line = Field(
        default="",
        json_schema_extra={"pattern": _SUMMARY_PATTERN},
        description='one line on how to look whether it happened, such as "kubectl rollout status {service}"',
    )
    consequence: Line = Field(
        default="",
        json_schema_extra={"pattern": _SUMMARY_PATTERN},
        description='one line on what to do if it goes wrong, such as "rollback {service}"',
    )
    remind: Annotated[tuple[Duration, ...], AfterValidator(no_duplicates)] = Field(
        default=(), max_length=10, description="a list of durations after opening, at most 10, such as [5m, 20m]"
    )
    escalate: Escalations = Field(
        default=(), description="none, a step such as {after: 10m, to: [leads]}, or a list of such steps"
    )
    on_timeout: OnTimeout = Field(
        default=OnTimeout.REJECT, description="reject (the agent is told that nobody answered) or cancel_run"
    )
    extend: Extensions = Field(default=0, description='"max 2x" or another number of times, from "max 0x" to "max 20x"')
    idempotency: Annotated[Literal["key"] | None, WithJsonSchema({"const": "key", "type": "string"})] = Field(
        default=None,
        description="key (the tool is given a key and takes the same key twice as one effect)",
    )


class ToolRuleSection(RuleSection):
    """A rule under `tools:`, which may apply to some calls of the tool only."""

    when: Annotated[str, BeforeValidator(_condition), WithJsonSchema({"type": "string", "minLength": 1})] = Field(
        default="", description="a condition on the call, in quotes, such as 'args.environment == \"prod\"'"
    )


# How pydantic names the two in an error's location.
ONE_RULE: Final = "one rule"
A_LIST: Final = "a list"


def _form(value: object) -> str:
    return A_LIST if isinstance(value, list | tuple) else ONE_RULE


Rules = Annotated[
    Annotated[ToolRuleSection, Tag(ONE_RULE)]
    | Annotated[tuple[ToolRuleSection, ...], Field(min_length=1), Tag(A_LIST)],
    Discriminator(_form),
]


def in_order(rules: ToolRuleSection | tuple[ToolRuleSection, ...]) -> tuple[ToolRuleSection, ...]:
    """One rule is a list of one."""
    return (rules,) if isinstance(rules, ToolRuleSection) else rules


class FileSections(Section):
    """The configuration of Countersign: agents, who may decide, and what must be decided."""

    model_config = ConfigDict(title="countersign.yml")

    agents: dict[Name, AgentSection] = Field(
        min_length=1,
        description="a mapping from an agent's name to its factory and model, with at least one agent",
    )
    approvers: dict[Name, ApproverSection] = Field(
        default_factory=dict, description="a mapping from a name to a usergroup, users or lookup"
    )
    defaults: RuleSection = Field(
        default_factory=RuleSection, description="a mapping: the rule of every tool that no rule names"
    )
    tools: dict[ToolPattern, Rules] = Field(
        default_factory=dict,
        description="a mapping from a tool's name, or a pattern such as read_*, to its rule or a list of rules",
    )
    pagers: dict[Name, PagerSection] = Field(
        default_factory=dict, description="a mapping from a name to a pager, such as {pagerduty_key_env: PAGERDUTY_KEY}"
    )
    freeze: Annotated[tuple[Name, ...], AfterValidator(no_duplicates)] = Field(
        default=(), min_length=1, description="a list of names from the section approvers, such as [leads]"
    )
    reports: tuple[ReportSection, ...] = Field(
        default=(), description="a list of reports, each a mapping with name, channel, cron and timezone"
    )
    retention: RetentionSection = Field(
        default_factory=RetentionSection, description="a mapping with runs and audit, such as {runs: 30d, audit: 400d}"
    )
