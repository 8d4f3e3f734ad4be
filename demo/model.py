"""A scripted on-call model for the demo: no key, no network, the same every time. It reads the conversation
it is given, so any process can go on with it."""

import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

SAW = "checkout answers 500 in prod since 02:58 and staging is short of replicas. I would like to do three things."
WANTED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scale", {"environment": "staging", "service": "checkout", "replicas": 5}),
    ("restart_service", {"environment": "prod", "service": "checkout"}),
    ("page_team", {"team": "database", "message": "checkout times out on its upstream since 02:58"}),
)


class ScriptedOnCall(BaseChatModel):
    """Looks at the logs, proposes three calls in one turn, then says what came of each."""

    @property
    def _llm_type(self) -> str:
        return "countersign-scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "ScriptedOnCall":
        """The script needs no descriptions of its tools."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=reply(messages))])


def build() -> ScriptedOnCall:
    """What `model: python:demo.model:build` names."""
    return ScriptedOnCall()


def reply(messages: Sequence[BaseMessage]) -> AIMessage:
    """The next line of the script: it depends only on what was said since the person last spoke. Pure but for
    the ids of calls."""
    turn = since_last_question(messages)
    results = [message for message in turn if isinstance(message, ToolMessage)]
    if not turn:
        return AIMessage("I will look at the logs first.", tool_calls=[call("read_logs", {"service": "checkout"})])
    if len(results) == 1:
        return AIMessage(SAW, tool_calls=[call(name, args) for name, args in WANTED])
    return AIMessage("\n".join(["Here is what came of it:", *(summary(result) for result in results[1:])]))


def since_last_question(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """What followed the person's last message."""
    last = max((i for i, message in enumerate(messages) if isinstance(message, HumanMessage)), default=-1)
    return list(messages[last + 1 :])


def summary(result: ToolMessage) -> str:
    """One line about one call, in the agent's own words."""
    done = "done" if result.status != "error" else "not done"
    return f"- {result.name}: {done}. {result.text}"


def call(name: str, args: dict[str, Any]) -> ToolCall:
    """One tool call with an id of its own."""
    return ToolCall(name=name, args=args, id=f"call_{uuid.uuid4().hex[:12]}", type="tool_call")
