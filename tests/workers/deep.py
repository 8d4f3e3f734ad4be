"""Deep agents: with the gate on every path, and with one forgotten."""

import os
from collections.abc import Sequence
from typing import Any

from deepagents import CompiledSubAgent, FilesystemPermission, SubAgent, create_deep_agent
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, tool

from tests.workers.obedient import Obedient
from tests.workers.own_shapes import asking_tools
from workers.agents.fleet import Fleet, fleet_of

SECRETS = [FilesystemPermission(operations=["write"], paths=["/secrets/**"], mode="interrupt")]


def tools(fleet: Fleet) -> list[BaseTool]:
    @tool
    def remove_file(path: str) -> str:
        """Remove a file."""
        fleet.act("remove_file", path=path)
        return f"Removed {path}."

    @tool
    def fetch_file(path: str) -> str:
        """Read a file."""
        fleet.act("fetch_file", path=path)
        return f"All of {path}."

    @tool
    def notify_email(recipient: str, body: str) -> str:
        """Send a mail."""
        fleet.act("notify_email", recipient=recipient, body=body)
        return f"Sent to {recipient}."

    return [remove_file, fetch_file, notify_email]


def general_purpose(middleware: Sequence[Any]) -> SubAgent:
    """The built-in one would be without the gate."""
    return {
        "name": "general-purpose",
        "description": "Anything.",
        "system_prompt": "Do it.",
        "middleware": [*middleware],
    }


def file_manager(middleware: Sequence[Any]) -> SubAgent:
    return {
        "name": "file-manager",
        "description": "Files.",
        "system_prompt": "Manage files.",
        "tools": tools(fleet_of(os.environ)),
        "middleware": [*middleware],
    }


def deployer(middleware: Sequence[Any]) -> CompiledSubAgent:
    """A graph of its own, which asks inside a tool."""
    graph = create_agent(Obedient(), tools=asking_tools(fleet_of(os.environ)), middleware=[*middleware])
    return {"name": "deployer", "description": "Deploys.", "runnable": graph}


def deep(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any, **more: Any) -> Any:
    subagents = [general_purpose(middleware), file_manager(middleware), deployer(middleware)]
    return create_deep_agent(
        model,
        tools=tools(fleet_of(os.environ)),
        **{"middleware": [*middleware], "subagents": subagents, "checkpointer": checkpointer, **more},
    )


def with_permissions(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return deep(model=model, middleware=middleware, checkpointer=checkpointer, permissions=SECRETS)


def own_interrupt_on(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return deep(model=model, middleware=middleware, checkpointer=checkpointer, interrupt_on={"remove_file": True})


def built_in_general_purpose(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return deep(model=model, middleware=middleware, checkpointer=checkpointer, subagents=[file_manager(middleware)])


def subagent_without(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    subagents = [general_purpose(middleware), file_manager([])]
    return deep(model=model, middleware=middleware, checkpointer=checkpointer, subagents=subagents)


def compiled_without(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    subagents = [general_purpose(middleware), deployer([])]
    return deep(model=model, middleware=middleware, checkpointer=checkpointer, subagents=subagents)


def ungated(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """As its author had it: batched, inherited by the subagents."""
    return create_deep_agent(
        model,
        tools=tools(fleet_of(os.environ)),
        interrupt_on={"remove_file": True, "notify_email": {"allowed_decisions": ["approve", "reject"]}},
        checkpointer=checkpointer,
    )
