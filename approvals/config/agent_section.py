"""An entry of `agents:` in countersign.yml, key by key."""

import re
from datetime import timedelta
from typing import Annotated, Final

from pydantic import (
    AfterValidator,
    Field,
    JsonValue,
    StrictBool,
    StrictStr,
    StringConstraints,
    model_validator,
)

from approvals.config.basics import CHANNEL, Name, Section
from approvals.config.mcp_section import McpSection, ServerName
from approvals.config.times import Duration, no_duplicates
from approvals.rules.may_ask import DIRECT

_DOTTED: Final = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*:[A-Za-z_][A-Za-z0-9_]*"
# Told from a value by not being in `model_fields_set`; a nullable field would allow null in the schema.
NOT_GIVEN: Final = ""
DECISIONS: Final = {"approve", "reject", "respond"}

# Longer than a good answer takes, shorter than anybody would go on waiting for a bad one.
MODEL_TIMEOUT: Final = timedelta(minutes=2)

Place = Annotated[StrictStr, StringConstraints(pattern=rf"{CHANNEL}|^{DIRECT}$")]
InterruptType = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$")]


def _names_a_provider(model: str) -> str:
    provider, _, rest = model.partition(":")
    if provider == "python" and re.fullmatch(_DOTTED, rest) is None:
        raise ValueError(
            f'"{model}" does not name a function; write python:module:function, '
            "a function that returns a LangChain chat model"
        )
    return model


class InterruptSection(Section):
    """What one type of an agent's own questions is answered with, decision by decision: any JSON values."""

    approve: JsonValue = Field(default=NOT_GIVEN, description="the value that an approval hands the agent")
    reject: JsonValue = Field(
        default=NOT_GIVEN,
        description='the value that a rejection hands the agent, such as {approved: false, reason: "{reason}"}',
    )
    respond: JsonValue = Field(
        default=NOT_GIVEN, description='the value that an answer hands the agent, such as {text: "{response}"}'
    )
    nobody_answered: JsonValue = Field(default=NOT_GIVEN, description="the value that silence hands the agent")

    @model_validator(mode="after")
    def _something_to_decide(self) -> "InterruptSection":
        if not self.model_fields_set & DECISIONS:
            raise ValueError("this needs one of approve, reject and respond, with the value that it hands the agent")
        return self


class AgentSection(Section):
    """One agent: what builds it, and the model it is given."""

    factory: Annotated[StrictStr, StringConstraints(pattern=f"^{_DOTTED}$")] = Field(
        description="module:function, the function that builds the agent, such as workers.agents.oncall:build"
    )
    model: Annotated[StrictStr, StringConstraints(pattern=r"^[^\s:]+:\S+$"), AfterValidator(_names_a_provider)] = Field(
        description="provider:model, such as anthropic:claude-sonnet-5, or python:module:function"
    )
    model_timeout: Duration = Field(
        default=MODEL_TIMEOUT, description="a duration such as 45s or 2m: how long one answer of the model may take"
    )
    channels: Annotated[tuple[Place, ...], AfterValidator(no_duplicates)] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        description='a list of channels, as "#name" in quotes or by id (C… or G…), and direct for direct messages',
    )
    people: Annotated[tuple[Name, ...], AfterValidator(no_duplicates)] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        description="a list of names from the section approvers, such as [oncall]: who may ask it",
    )
    mcp: dict[ServerName, McpSection] = Field(
        default_factory=dict,
        description="a mapping from a server's name to how it is reached, such as "
        "{k8s: {transport: stdio, command: kubectl-mcp}}",
    )
    ungated: StrictBool = Field(
        default=False, description="true or false (does it ask people by itself, without the gate that it is given?)"
    )
    interrupts: dict[InterruptType, InterruptSection] = Field(
        default_factory=dict,
        description="a mapping from the type of what the agent asks by interrupt() to approve, reject or respond",
    )
    nobody_answered: JsonValue = Field(
        default=NOT_GIVEN, description="the value that silence hands what the agent asked by interrupt()"
    )
    input: Annotated[StrictStr, StringConstraints(pattern=f"^{_DOTTED}$")] = Field(
        default="", description="module:function, which makes of (text, message) what the graph is given"
    )
    output: Annotated[StrictStr, StringConstraints(pattern=f"^{_DOTTED}$")] = Field(
        default="", description="module:function, which makes of the graph's state the answer that people read"
    )
