"""A deep agent that hands work to subagents. The gate is given to each of them: middleware is not inherited."""

from collections.abc import Sequence
from typing import Any

from deepagents import SubAgent, create_deep_agent
from langchain_core.tools import tool

# What stands for the cloud.
BUCKETS = ["invoices", "old-logs", "tmp-exports"]


@tool
def list_buckets() -> str:
    """List the storage buckets."""
    return "\n".join(BUCKETS) or "no buckets"


@tool
def delete_bucket(name: str) -> str:
    """Delete a storage bucket and all that is in it."""
    if name not in BUCKETS:
        return f"there is no bucket {name}"
    BUCKETS.remove(name)
    return f"bucket {name} is deleted"


def subagent(name: str, description: str, gate: Sequence[Any]) -> SubAgent:
    return {
        "name": name,
        "description": description,
        "system_prompt": f"{description} Report what you did in one sentence.",
        "tools": [list_buckets, delete_bucket],
        "middleware": [*gate],
    }


def build(*, model: Any, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """The factory that countersign.yml names."""
    subagents = [
        subagent("cleaner", "Finds and deletes what nobody needs.", middleware),
        # Without one of this name deepagents adds its own, which would be without the gate.
        subagent("general-purpose", "Does whatever else there is to do.", middleware),
    ]
    return create_deep_agent(
        model,
        tools=[list_buckets],
        system_prompt="You keep the cloud tidy. Hand the work to your subagents.",
        subagents=subagents,
        middleware=[*middleware],
        checkpointer=checkpointer,
    )
