"""The end of an agent's conversation: its last turn, which of its calls have no answer, its last words. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage


def last_turn(messages: Sequence[BaseMessage]) -> AIMessage | None:
    """The agent's last message, if it is one that calls tools."""
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    return last if last is not None and last.tool_calls else None


def unanswered(messages: Sequence[BaseMessage]) -> list[ToolCall]:
    """The calls of the last turn that have no tool message."""
    turn = last_turn(messages)
    known = {m.tool_call_id for m in messages if isinstance(m, ToolMessage)}
    return [call for call in turn.tool_calls if call["id"] not in known] if turn else []


def answered(messages: Sequence[BaseMessage], told: Callable[[ToolCall], str]) -> list[ToolMessage]:
    """One tool message for every call of the last turn: those that there are, which LangGraph would else forget, and
    new ones for the others."""
    turn, missing = last_turn(messages), [call["id"] for call in unanswered(messages)]
    known = {m.tool_call_id: m for m in messages if isinstance(m, ToolMessage)}
    return [
        ToolMessage(told(call), name=call["name"], tool_call_id=call["id"] or "", status="error")
        if call["id"] in missing
        else known[call["id"] or ""]
        for call in (turn.tool_calls if turn else ())
    ]


def last_answer(messages: list[Any]) -> AIMessage | ToolMessage | None:
    """The end of a turn: the agent's words, or the result of a tool that ends it (`return_direct`)."""
    last = messages[-1] if messages else None
    if isinstance(last, ToolMessage):
        return last
    return last if isinstance(last, AIMessage) and not last.tool_calls else None
