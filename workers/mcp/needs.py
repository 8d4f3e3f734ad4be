"""What the configuration's MCP servers need that may not be there. Imports nothing of theirs."""

from importlib.util import find_spec

PACKAGES = ("mcp", "langchain_mcp_adapters")


class McpUnusable(Exception):
    """The configuration names MCP servers that cannot be used here. As text: one line with the way on."""


def require_package() -> None:
    """Raises McpUnusable."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise McpUnusable(
            "agents.NAME.mcp needs a package that is not installed (pip install langchain-mcp-adapters, or "
            f"countersign[mcp]): there is no {missing[0]}."
        )
