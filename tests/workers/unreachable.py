"""A chat model of one's own, whose exceptions are those of an HTTP client and say nothing of a model."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class Unreachable(BaseChatModel):
    """Answers once the file is there."""

    @property
    def _llm_type(self) -> str:
        return "unreachable"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Unreachable":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        if not Path(os.environ["REACHABLE_FILE"]).exists():
            raise httpx.ConnectError("http://user:hunter2@models.example.com: no route")
        return ChatResult(generations=[ChatGeneration(message=AIMessage("here I am"))])


def model() -> Unreachable:
    return Unreachable()
