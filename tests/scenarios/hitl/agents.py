"""The agent of the cases: a model that calls what the person's message says, turn by turn, and repeats what it was
told; tools whose effects go to a file outside the app."""

import json
import os
import uuid
from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, tool

from workers.agents.fleet import Fleet, fleet_of

TOLD = "I was told: "


class Repeats(BaseChatModel):
    """The message is a JSON list of turns, each `{"says": text, "calls": [[tool, arguments], ...]}`."""

    @property
    def _llm_type(self) -> str:
        return "repeats"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Repeats":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=next_words(messages))])


def next_words(messages: Sequence[BaseMessage]) -> AIMessage:
    """The next turn; after the last one, every tool message as [tool, status, words], as JSON."""
    start = max(i for i, message in enumerate(messages) if isinstance(message, HumanMessage))
    turns = json.loads(messages[start].text)
    past = messages[start + 1 :]
    taken = sum(isinstance(message, AIMessage) for message in past)
    if taken < len(turns):
        calls = [ToolCall(name=name, args=args, id=f"call_{uuid.uuid4().hex}") for name, args in turns[taken]["calls"]]
        return AIMessage(turns[taken]["says"], tool_calls=calls)
    told = [[m.name, m.status, m.text] for m in past if isinstance(m, ToolMessage)]
    return AIMessage(TOLD + json.dumps(told))


def tools(fleet: Fleet) -> list[BaseTool]:
    @tool
    def write_file(path: str, content: str) -> str:
        """Write a file."""
        fleet.act("write_file", path=path, content=content)
        return f"Wrote {path}."

    @tool
    def execute_sql(query: str) -> str:
        """Run a query."""
        fleet.act("execute_sql", query=query)
        return "1 row."

    @tool
    def read_data(table: str) -> str:
        """Read a table."""
        fleet.act("read_data", table=table)
        return f"All of {table}."

    @tool
    def send_email(recipient: str, subject: str, body: str) -> str:
        """Send a mail."""
        fleet.act("send_email", recipient=recipient, subject=subject, body=body)
        return f"Sent to {recipient}."

    @tool
    def ask_user(question: str) -> str:
        """Ask the person. Nothing but their answer can be the result."""
        fleet.act("ask_user", question=question)
        return "Nobody was asked."

    return [write_file, execute_sql, read_data, send_email, ask_user]


def model() -> Repeats:
    return Repeats()


def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=tools(fleet_of(os.environ)), middleware=middleware, checkpointer=checkpointer)
