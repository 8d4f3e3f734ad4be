"""What silence leads to, in countersign.yml: escalations, more time, pagers."""

import re
from typing import Annotated, Final

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictStr,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)

from approvals.config.basics import CHANNEL, Name, Section
from approvals.config.people_section import Url, Variable
from approvals.config.times import Duration, no_duplicates

NONE: Final = "none"
MOST_EXTENSIONS: Final = 20
EXTENSIONS_PATTERN: Final = r"^max (?:[0-9]|1[0-9]|20)x$"
# How pydantic names the three in an error's location.
NO_STEP: Final = "no step"
ONE_STEP: Final = "one step"
STEPS: Final = "steps"


class EscalationSection(Section):
    """One step of an escalation: when, and who else is called and may decide from then on."""

    after: Duration = Field(description="a duration after opening, such as 10m")
    to: Annotated[tuple[Name, ...], AfterValidator(no_duplicates)] = Field(
        default=(), min_length=1, description="a list of names from the section approvers, such as [leads]"
    )
    channel: Annotated[StrictStr, StringConstraints(pattern=CHANNEL)] = Field(
        default="", description="a channel as #name, in quotes, or by its id (C… or G…)"
    )
    direct: StrictBool = Field(default=False, description="true or false (do they get the card as a direct message?)")
    page: Name = Field(default="", description="a name from the section pagers")

    @model_validator(mode="after")
    def _leads_somewhere(self) -> "EscalationSection":
        if not (self.to or self.channel or self.page):
            raise ValueError("this calls nobody; say whom in to, where in channel, or which pager in page")
        if self.direct and not self.to:
            raise ValueError("direct sends the card to those in to; name them there")
        return self


def _form(value: object) -> str:
    if isinstance(value, list | tuple):
        return STEPS if value else NO_STEP
    return NO_STEP if isinstance(value, str) else ONE_STEP


def _no_step(value: object) -> tuple[EscalationSection, ...]:
    if value in (NONE, (), []):
        return ()
    raise ValueError(f'"{value}" is no escalation; write none, a step such as {{after: 10m, to: [leads]}}, or a list')


Escalations = Annotated[
    Annotated[
        tuple[EscalationSection, ...],
        BeforeValidator(_no_step),
        WithJsonSchema({"const": NONE}),
        Tag(NO_STEP),
    ]
    | Annotated[EscalationSection, Tag(ONE_STEP)]
    | Annotated[tuple[EscalationSection, ...], Field(min_length=1, max_length=10), Tag(STEPS)],
    Discriminator(_form),
]


def steps_of(escalate: EscalationSection | tuple[EscalationSection, ...]) -> tuple[EscalationSection, ...]:
    """One step is a list of one."""
    return (escalate,) if isinstance(escalate, EscalationSection) else escalate


def _extensions(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        raise ValueError(f"the number {value} does not say of what; write max {value}x")
    if not isinstance(value, str) or re.fullmatch(EXTENSIONS_PATTERN, value) is None:
        raise ValueError('this must be "max 2x" or another number of times, from "max 0x" to "max 20x"')
    return int(value.removeprefix("max ").removesuffix("x"))


Extensions = Annotated[
    int, BeforeValidator(_extensions), WithJsonSchema({"type": "string", "pattern": EXTENSIONS_PATTERN})
]


class PagerSection(Section):
    """What an escalation can set off: PagerDuty, or an address of your own."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["pagerduty_key_env"], "not": {"required": ["secret_env"]}},
                {"required": ["webhook", "secret_env"]},
            ]
        }
    )

    pagerduty_key_env: Variable = Field(
        default="", description="the name of an environment variable that holds a PagerDuty integration key (Events v2)"
    )
    webhook: Url = Field(default="", description="an address that takes POST, such as https://page.example.com/hook")
    secret_env: Variable = Field(
        default="", description="the name of an environment variable that holds a secret, such as PAGE_SECRET"
    )

    @model_validator(mode="after")
    def _one_of_the_two(self) -> "PagerSection":
        if bool(self.pagerduty_key_env) == bool(self.webhook):
            raise ValueError("this needs either pagerduty_key_env or webhook, exactly one of the two")
        if bool(self.webhook) != bool(self.secret_env):
            raise ValueError("webhook and secret_env belong together: what is sent is signed with that secret")
        return self
