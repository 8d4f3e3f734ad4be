"""A model that is a script and has no mind of its own: it calls what the message says, so that any agent can be tried
without a provider's key. Its last words say what came of each call. `model: python:demo.by_hand:model`.

    restart_service environment=prod service=checkout; read_logs service=checkout

Several calls, with `;` between them, are made at once. A value with blanks stands in quotes; a list or an object is
written as JSON. Anything else is answered with the tools there are.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

from demo.model import call, summary
from demo.requests import asked_again

SCRIPT: Final = "I am a script, not a language model: I call what you write."
# Phones write these.
QUOTES: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


@dataclass(frozen=True, slots=True)
class Known:
    """A tool as a model is told of it: the JSON Schema of each of its arguments."""

    name: str
    arguments: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}=…" for name in self.arguments)])


class ByHand(BaseChatModel):
    """Knows the tools that it was bound to, and no others."""

    known: tuple[Known, ...] = ()

    @property
    def _llm_type(self) -> str:
        return "countersign-by-hand"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "ByHand":
        return ByHand(known=tuple(map(known, tools)))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=reply(messages, self.known))])


def model() -> ByHand:
    """What `model: python:demo.by_hand:model` names."""
    return ByHand()


def known(tool: Any) -> Known:
    """A tool in any form that models are bound to."""
    described = convert_to_openai_tool(tool)["function"]
    return Known(described["name"], described.get("parameters", {}).get("properties", {}))


def reply(messages: Sequence[BaseMessage], tools: Sequence[Known]) -> AIMessage:
    """The calls of the last message of a person; once they have results, what came of them. Pure but for ids."""
    asked = max((i for i, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    results = [message for message in messages[asked:] if isinstance(message, ToolMessage)]
    if results:
        return AIMessage("\n".join(["Here is what came of it:", *map(summary, results), "", SCRIPT]))
    text = messages[asked].text if messages else ""
    if again := asked_again(text):
        return AIMessage(again.words, tool_calls=[call(name, args) for name, args in again.calls])
    try:
        calls = list(read(text, {tool.name: tool for tool in tools}))
    except ValueError:
        calls = []
    return AIMessage("You want this called.", tool_calls=calls) if calls else AIMessage(not_understood(tools))


def read(text: str, tools: Mapping[str, Known]) -> Iterator[ToolCall]:
    """The calls that a text spells out. Raises ValueError where it spells none."""
    for words in parts(text.translate(QUOTES)):
        if words[0] not in tools:
            raise ValueError(f"there is no tool {words[0]}")
        pairs = [word.split("=", 1) for word in words[1:]]
        arguments = tools[words[0]].arguments
        yield call(words[0], {name: value(text, arguments.get(name, {})) for name, text in pairs})


def parts(text: str) -> list[list[str]]:
    """The words of each call."""
    words = shlex.shlex(text, posix=True, punctuation_chars=";")
    words.whitespace_split = True
    words.commenters = ""
    found: list[list[str]] = [[]]
    for word in words:
        if word == ";":
            found.append([])
        else:
            found[-1].append(word)
    return [one for one in found if one]


def value(text: str, schema: Mapping[str, Any]) -> Any:
    """Text where the tool wants text, else what it is as JSON, if it is JSON."""
    if schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def not_understood(tools: Sequence[Known]) -> str:
    listed = "\n".join(f"    {tool}" for tool in tools) or "    (no tools)"
    return f"{SCRIPT} For example one of these, with values in the places of the dots:\n\n{listed}"
