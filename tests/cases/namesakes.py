"""Agents for the cases: a tool of another toolkit under the very same name."""

import os
from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, tool

from workers.agents.fleet import Fleet, fleet_of


def other_toolkit(fleet: Fleet) -> list[BaseTool]:
    @tool
    def strike(target: str, times: int = 1) -> str:
        """An effect."""
        fleet.act("strike of another toolkit", target=target, times=times)
        return f"struck {target} x{times}"

    return [strike]


def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(
        model, tools=other_toolkit(fleet_of(os.environ)), middleware=[*middleware], checkpointer=checkpointer
    )
