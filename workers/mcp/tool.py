"""A tool of an MCP server, as LangChain calls it: synchronous, held to its schema by us, and honest about what is not
known. Raises to the guard, or answers the model, and decides nothing else."""

from collections.abc import Callable
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import ToolException

from workers.arguments import IDEMPOTENCY_KEY, BadArguments, with_json_schema
from workers.mcp.answers import Answered, Changed, NoAnswer, NotReached, NotSent
from workers.mcp.listed import Listed
from workers.mcp.server import Server
from workers.outcomes import OutcomeUnknown
from workers.outside import KNOWN_AS, OutsideTool

Parts = list[Any]
Reads = Callable[[Any], tuple[Parts, Any]]

CHANGED = "is not what it was when you were told of it. With the next message here you will know its new form."


class McpTool(OutsideTool):
    """Made with `tool_of`."""

    listed: Listed
    server: Any
    reads: Any
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    # What the server says of its own failure, and what did not run, is an answer that the model can act on.
    handle_tool_error: Any = True

    def identity_now(self) -> str:
        """Asks the server."""
        try:
            return str(self._server.today().identity_of(self.listed.name))
        except NotReached:
            return self.identity

    def not_as_shown(self) -> str | None:
        """Asks the server."""
        try:
            now = self._server.today().identity_of(self.listed.name)
        except NotReached as error:
            return f"Not called: the MCP server {self._server.config.name} cannot be reached ({error})."
        if not now:
            return f"Not called: {self._server.config.name} has no tool {self.listed.name} any more."
        return None if now == self.identity else f"Not called: {self.known_as} {CHANGED}"

    @property
    def _server(self) -> Server:
        found: Server = self.server
        return found

    def _to_args_and_kwargs(self, tool_input: Any, tool_call_id: str | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """All arguments as one: by their own names LangChain would take some for its own (`config`, `runtime`)."""
        return (), {"arguments": dict(tool_input)}

    def _run(self, arguments: dict[str, Any], config: RunnableConfig) -> tuple[Parts, Any]:
        """Content and artifact. Raises ToolException for what failed or did not run, else OutcomeUnknown."""
        bad = with_json_schema(self.listed.schema, arguments)
        if isinstance(bad, BadArguments):
            raise ToolException(bad.message)
        name = self._server.config.name
        try:
            result = self._server.call(self.listed, arguments, config.get("configurable", {}).get(IDEMPOTENCY_KEY))
        except (NotReached, NotSent) as error:
            raise ToolException(f"Not run: the MCP server {name} cannot be reached ({error}).") from error
        except Changed as error:
            raise ToolException(f"Not run: {self.known_as} {CHANGED}") from error
        except NoAnswer as error:
            raise OutcomeUnknown(f"the MCP server {name} did not report what came of it ({error})") from error
        except Answered as error:
            raise ToolException(f"{name} answered with an error: {error}") from error
        reads: Reads = self.reads
        return reads(result)


def tool_of(server: Server, listed: Listed, reads: Reads) -> McpTool:
    """The tool, for an agent. Its description is the server's: text from outside, for the model only."""
    return McpTool(
        name=listed.called,
        description=f"{listed.description}\n\nPeople know this tool as {listed.known_as}.".strip(),
        args_schema=dict(listed.schema),
        metadata={KNOWN_AS: listed.known_as},
        known_as=listed.known_as,
        identity=listed.identity,
        listed=listed,
        server=server,
        reads=reads,
    )
