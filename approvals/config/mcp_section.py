"""An entry of `agents.NAME.mcp:` in countersign.yml: one MCP server, and how it is reached."""

from datetime import timedelta
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field, StrictStr, StringConstraints

from approvals.config.basics import Section
from approvals.config.people_section import Variable
from approvals.config.times import Duration, no_duplicates
from approvals.rules.durations import EXAMPLES

STDIO: Final = "stdio"
HTTP: Final = "streamable_http"
OF_STDIO: Final = ("command", "args", "env", "cwd")
OF_HTTP: Final = ("url", "headers")

# No dot, which ends it in `server.tool`, and no two underscores, which end it in what the model calls.
ServerName = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$", max_length=32)]
Text = Annotated[StrictStr, StringConstraints(pattern=r"^[^\x00]+$")]
Header = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")]
ServerUrl = Annotated[StrictStr, StringConstraints(pattern=r"^https?://[^\s/?#@]+(?:[/?][^\s#]*)?$")]


class McpSection(Section):
    """One MCP server of an agent: a process that the worker starts, or an address."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {
                    "properties": {"transport": {"const": STDIO}},
                    "required": ["command"],
                    "not": {"anyOf": [{"required": [key]} for key in OF_HTTP]},
                },
                {
                    "properties": {"transport": {"const": HTTP}},
                    "required": ["url"],
                    "not": {"anyOf": [{"required": [key]} for key in OF_STDIO]},
                },
            ]
        }
    )

    transport: Literal["stdio", "streamable_http"] = Field(
        description="stdio (a process that the worker starts) or streamable_http (an address)"
    )
    command: Text = Field(default="", description="the program to start, such as kubectl-mcp")
    args: tuple[Text, ...] = Field(default=(), description="a list of texts, such as [--read-only]")
    env: Annotated[tuple[Variable, ...], AfterValidator(no_duplicates)] = Field(
        default=(), description="a list of names of environment variables that it is given, such as [KUBECONFIG]"
    )
    cwd: Text = Field(default="", description="the path of a folder, such as /srv/mcp")
    url: ServerUrl = Field(
        default="", description="an address such as https://mcp.example.com/mcp, without a user or a password"
    )
    headers: dict[Header, Variable] = Field(
        default_factory=dict,
        description="a mapping from a header to the environment variable with its value, such as "
        "{Authorization: MCP_AUTHORIZATION}",
    )
    timeout: Duration = Field(
        default=timedelta(seconds=60), description=f"a duration such as {EXAMPLES}: how long one call may take"
    )
