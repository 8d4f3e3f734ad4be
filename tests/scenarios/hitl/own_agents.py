"""Agents of other shapes: a deep agent with the gate on every path, and one that asks by itself."""

import os
from collections.abc import Sequence
from typing import Any

from deepagents import FilesystemPermission, create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from tests.scenarios.hitl.agents import TOLD, tools
from tests.workers.deep import tools as file_tools
from workers.agents.fleet import fleet_of

OWN_GATE = "gate:"
OWN_FORM = "form:"
FORM = {
    "type": "object",
    "properties": {"target": {"type": "string"}, "replicas": {"type": "integer"}},
    "required": ["target", "replicas"],
}


@tool
def request_approval(action_description: str) -> str:
    """Ask a person before something is done."""
    request = {"type": "approval_request", "action": action_description, "message": "Please look at this."}
    answer = interrupt(request)
    if answer["approved"]:
        return f"{action_description}: APPROVED"
    return f"{action_description}: REJECTED, {answer['reason']}"


def deep(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """A main agent that may not write everywhere, a subagent with tools of its own, a compiled one that asks inside a
    tool."""
    gate, fleet = [*middleware], fleet_of(os.environ)
    deployer = create_agent(model, tools=[request_approval], middleware=gate)
    return create_deep_agent(
        model,
        tools=file_tools(fleet),
        middleware=gate,
        subagents=[
            {"name": "general-purpose", "description": "Any.", "system_prompt": "Do it.", "middleware": gate},
            {
                "name": "file-manager",
                "description": "Files.",
                "system_prompt": "Manage files.",
                "tools": file_tools(fleet),
                "middleware": gate,
            },
            {"name": "deployer", "description": "Deploys.", "runnable": deployer},
        ],
        permissions=[FilesystemPermission(operations=["write"], paths=["/secrets/**"], mode="interrupt")],
        checkpointer=checkpointer,
    )


def own(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """A graph that asks in a node, or hands the message to an agent whose middleware asks about all calls at once."""
    asks = HumanInTheLoopMiddleware(
        {"write_file": True, "execute_sql": {"allowed_decisions": ["approve", "reject"]}},
    )
    batched = create_agent(model, tools=tools(fleet_of(os.environ)), middleware=[asks])

    def ask(state: MessagesState) -> dict[str, Any]:
        words = state["messages"][-1].text
        schema = FORM if words.startswith(OWN_FORM) else None
        answer = interrupt({"question": words, "args": {"target": "db"}}, response_schema=schema)
        return {"messages": [AIMessage(f"{TOLD}{answer!r}")]}

    def where(state: MessagesState) -> str:
        return "ask" if state["messages"][-1].text.startswith((OWN_GATE, OWN_FORM)) else "batched"

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_node("batched", batched)
    graph.add_conditional_edges(START, where, ["ask", "batched"])
    graph.add_edge("ask", END)
    graph.add_edge("batched", END)
    return graph.compile(checkpointer=checkpointer)
