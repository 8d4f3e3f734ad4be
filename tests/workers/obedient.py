"""A model that does what the person's message says."""

import json
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class Obedient(BaseChatModel):
    """The person's message is a JSON list of turns, each a list of [tool, arguments]; then it says what it heard."""

    @property
    def _llm_type(self) -> str:
        return "obedient"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Obedient":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=obey(messages))])


def obey(messages: Sequence[BaseMessage]) -> AIMessage:
    start = max(i for i, message in enumerate(messages) if isinstance(message, HumanMessage))
    turns = json.loads(messages[start].text)
    said = [message for message in messages[start:] if isinstance(message, AIMessage)]
    if len(said) < len(turns):
        if turns[len(said)] == "raise":
            raise RuntimeError("the provider is down")
        calls = [ToolCall(name=n, args=a, id=f"call_{uuid.uuid4().hex}", type="tool_call") for n, a in turns[len(said)]]
        return AIMessage("I would like to do this.", tool_calls=calls)
    heard = [message.text for message in messages[start:] if isinstance(message, ToolMessage)]
    return AIMessage("heard: " + " | ".join(heard))
