"""A tool whose code is elsewhere, and may be another one by the time it is called. Knows no protocol."""

from abc import abstractmethod
from typing import Any

from langchain_core.tools import BaseTool


class OutsideTool(BaseTool):
    """Beside what every tool has: the name under which people know it, and what it is, then and now."""

    known_as: str
    identity: str

    @abstractmethod
    def identity_now(self) -> str:
        """The hash of what would run if it were called now; "" if there is nothing any more. The tool's own `identity`
        where nobody can say: then it cannot be called either."""

    @abstractmethod
    def not_as_shown(self) -> str | None:
        """Why a call would not run what this agent was told of it, as a sentence for the model; None if it would."""


def known_as(tool: BaseTool | None, called: str) -> str:
    """The name that policy, cards and records have for a tool which the model calls `called`."""
    return tool.known_as if isinstance(tool, OutsideTool) else called


def watched_as(metadata: Any) -> str | None:
    """The same, for who hears of a tool only what LangChain tells its callbacks."""
    return metadata.get(KNOWN_AS) if isinstance(metadata, dict) else None


KNOWN_AS = "countersign_known_as"
