"""A model that says what a script says. While a script is played no other chat model of this process is asked either:
whatever an agent has of its own, no provider is called."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult

# Through these every call of a chat model goes: by invoke, and by stream once that may not stream.
ASKS: Final = "_generate_with_cache"
ASKS_LATER: Final = "_agenerate_with_cache"
MAY_STREAM: Final = "_should_stream"


@dataclass(slots=True)
class Script:
    """`calls` one within the other: the first is the agent's, the last is made by whoever finds the `marker` in what a
    person says to it. Each is made once; then there is nothing more to say. `asked` counts how often a model was."""

    calls: tuple[ToolCall, ...]
    marker: str = ""
    asked: int = field(default=0)

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """What a model says next, in the conversation that it is shown."""
        self.asked += 1
        if not self.calls:
            return AIMessage("No script is played.")
        said = {call["id"] for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}
        if said & {call["id"] for call in self.calls}:
            return AIMessage("That is all.")
        told = any(self.marker and isinstance(m, HumanMessage) and self.marker in m.text for m in messages)
        return AIMessage("This is a rehearsal.", tool_calls=[self.calls[-1 if told else 0]])


class Scripted(BaseChatModel):
    """What a factory is given. What it says is up to the script that is played."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Scripted":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        raise RuntimeError("No script is played.")


class Stage:
    """Where scripts are played. From its beginning to its end every chat model of this process, of whatever class, says
    what the `script` of the moment says. Begun and ended by one thread: what an agent left behind changes nothing."""

    def __init__(self) -> None:
        self.script = Script(())
        self._before: dict[str, Any] = {}

    def begin(self) -> None:
        """From now on no model is asked."""

        def asked(_: BaseChatModel, messages: list[BaseMessage], *__: Any, **___: Any) -> ChatResult:
            return ChatResult(generations=[ChatGeneration(message=self.script.reply(messages))])

        async def asked_later(model: BaseChatModel, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
            return asked(model, messages)

        instead: dict[str, Any] = {ASKS: asked, ASKS_LATER: asked_later, MAY_STREAM: lambda *_, **__: False}
        self._before = {name: getattr(BaseChatModel, name) for name in instead}
        for name, function in instead.items():
            setattr(BaseChatModel, name, function)

    def end(self) -> None:
        """All models are what they were."""
        for name, function in self._before.items():
            setattr(BaseChatModel, name, function)
