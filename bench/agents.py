"""The agent that is measured: its tool notes the moment of its first line, outside of everything. A person's
message is the number of the call; the model needs no time."""

import os
import time
from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, tool

EFFECTS_FILE = "BENCH_EFFECTS_FILE"


class Instant(BaseChatModel):
    """Calls `act` with the person's words, then says that it is done."""

    @property
    def _llm_type(self) -> str:
        return "bench"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Instant":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        if isinstance(messages[-1], ToolMessage):
            return ChatResult(generations=[ChatGeneration(message=AIMessage("done"))])
        said = next(m for m in reversed(messages) if isinstance(m, HumanMessage))
        calls = [ToolCall(name="act", args={"key": said.text}, id=f"call_{said.text}", type="tool_call")]
        return ChatResult(generations=[ChatGeneration(message=AIMessage("I would like to act.", tool_calls=calls))])


def model() -> Instant:
    return Instant()


def act_tool() -> BaseTool:
    @tool
    def act(key: str) -> str:
        """The effect."""
        now = time.monotonic_ns()
        with open(os.environ[EFFECTS_FILE], "ab", buffering=0) as file:
            file.write(f"{key} {now}\n".encode())
        return "acted"

    return act


def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """The factory that the configuration names."""
    return create_agent(model, tools=[act_tool()], middleware=[*middleware], checkpointer=checkpointer)


def effects() -> dict[str, int]:
    """When each effect began, in nanoseconds of the machine's monotonic clock."""
    try:
        with open(os.environ[EFFECTS_FILE], encoding="utf-8") as file:
            pairs = [line.split() for line in file.read().splitlines()]
    except FileNotFoundError:
        return {}
    return {key: int(at) for key, at in pairs}
