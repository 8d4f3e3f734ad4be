"""A scripted on-call model for the demo: no key, no network, the same every time, and it says that it is a
script. It reads the conversation it is given, so any process can go on with it."""

import json
import re
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from demo.requests import EXAMPLES, steps_for

SCRIPT = "I am the demo's script, not a language model, and the fleet is simulated."
# How the agent is told of a call that a person changed; what stands before it is addressed to a model.
INSTEAD = "Executed instead:"
REJECTED = re.compile(r"User rejected the tool call for `[^`]*` with (?:reason: (.*)|id )")
# As fast as models write.
WORD_SECONDS = 0.03
LOOKED = ("read_logs", "list_services", "ask_user")


class ScriptedOnCall(BaseChatModel):
    """Understands a handful of requests, asks for what they need, then says what came of it."""

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

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for piece in pieces(reply(messages)):
            yield ChatGenerationChunk(message=piece)
            if piece.content:
                time.sleep(WORD_SECONDS)


def build() -> ScriptedOnCall:
    """What `model: python:demo.model:build` names."""
    return ScriptedOnCall()


def reply(messages: Sequence[BaseMessage]) -> AIMessage:
    """The next line: it depends only on what was said since the person last spoke. Pure but for ids of calls."""
    last = max((i for i, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    request, turn = messages[last].text if messages else "", messages[last + 1 :]
    results = [message for message in turn if isinstance(message, ToolMessage)]
    answers = [r.text for r in results if r.name == "ask_user" and r.status != "error"]
    steps = steps_for(request, answers)
    taken = sum(isinstance(message, AIMessage) and bool(message.tool_calls) for message in turn)
    if steps is None:
        return AIMessage(not_understood())
    if taken < len(steps):
        step = steps[taken]
        return AIMessage(step.words, tool_calls=[call(name, args) for name, args in step.calls])
    return AIMessage(told(results))


def pieces(whole: AIMessage) -> Iterator[AIMessageChunk]:
    """A message as a provider streams it: word by word, then its calls, then the end."""
    for word in re.findall(r"\s*\S+\s*", whole.text):
        yield AIMessageChunk(content=word)
    for index, one in enumerate(whole.tool_calls):
        chunk = tool_call_chunk(name=one["name"], args=json.dumps(one["args"]), id=one["id"], index=index)
        yield AIMessageChunk(content="", tool_call_chunks=[chunk])
    yield AIMessageChunk(content="", chunk_position="last")


def not_understood() -> str:
    """Honest, and with a way on."""
    listed = "\n".join(f"- {example}" for example in EXAMPLES)
    return f"{SCRIPT} I do not understand that. I do understand, for example:\n{listed}"


def told(results: Sequence[ToolMessage]) -> str:
    """The end of a turn: what came of each call, or what was seen where nothing was to be done."""
    acted = [result for result in results if result.name not in LOOKED]
    if not acted:
        seen = "\n".join(f"    {line}" for result in results for line in result.text.splitlines())
        return f"This is what I see:\n\n{seen}\n\n{SCRIPT}"
    return "\n".join(["Here is what came of it:", *map(summary, acted), "", SCRIPT])


def summary(result: ToolMessage) -> str:
    """One line about one call, in the words that the agent was told; of what ran instead of it, and of a no, only the
    facts: the rest is addressed to a model."""
    done = "done" if result.status != "error" else "not done"
    said = " ".join(result.text.split())
    instead = said.find(INSTEAD)
    return f"- `{result.name}`: {done}. {rejected(said) or said[max(instead, 0) :]}"


def rejected(said: str) -> str | None:
    """A no that LangChain words for a model, as people say it; None for anything else."""
    found = REJECTED.match(said)
    if found is None:
        return None
    return f"It was rejected: {found[1]}" if found[1] else "It was rejected."


def call(name: str, args: dict[str, Any]) -> ToolCall:
    """One tool call with an id of its own."""
    return ToolCall(name=name, args=args, id=f"call_{uuid.uuid4().hex[:12]}", type="tool_call")
