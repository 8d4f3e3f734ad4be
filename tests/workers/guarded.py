"""An agent that talks, and a guardrail of its own that takes something out of what its model has said."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

PRIVATE = "ana.private@example.com"


class Guardrail(AgentMiddleware):
    def after_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any]:
        last = state["messages"][-1]
        return {"messages": [AIMessage(str(last.text).replace(PRIVATE, "[REDACTED]"), id=last.id)]}


def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=[], middleware=[*middleware, Guardrail()], checkpointer=checkpointer)
