"""The model that calls what it is told to: what it reads as calls, and what it says where it reads none."""

from typing import Any

import pytest
from langchain.agents.middleware.human_in_the_loop import RejectDecision, _answer_message
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool, tool

from approvals.ledger.ask_again import ONCE_MORE
from demo.by_hand import SCRIPT, model


@tool
def refund(order: str, amount: float, tags: list[str] | None = None) -> str:
    """Pay money back."""
    return order


# As MCP describes a tool.
JSON_TOOL = StructuredTool.from_function(
    name="files_read",
    description="Reads a file.",
    func=lambda **_: "",
    args_schema={"type": "object", "properties": {"path": {"type": "string"}, "deep": {"type": "boolean"}}},
)


def said(*messages: Any) -> Any:
    return model().bind_tools([refund, JSON_TOOL]).invoke([*messages])


def calls(text: str) -> list[tuple[str, dict[str, Any]]]:
    return [(call["name"], call["args"]) for call in said(HumanMessage(text)).tool_calls]


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("refund order=4711 amount=20.5", {"order": "4711", "amount": 20.5}),
        ('refund order="47 11" amount=1', {"order": "47 11", "amount": 1}),
        ("refund order=“47 11” amount=1", {"order": "47 11", "amount": 1}),
        ("""refund order=a=b amount=1 tags='["x", "y"]'""", {"order": "a=b", "amount": 1, "tags": ["x", "y"]}),
        ("refund order=null amount=much", {"order": "null", "amount": "much"}),
        ("refund", {}),
    ],
)
def test_a_call_is_spelled_by_names_and_values(text: str, args: dict[str, Any]) -> None:
    assert calls(text) == [("refund", args)]


def test_several_calls_are_made_at_once() -> None:
    found = calls("refund order=1 amount=2; files_read path=/etc deep=true")
    assert found == [("refund", {"order": "1", "amount": 2}), ("files_read", {"path": "/etc", "deep": True})]


@pytest.mark.parametrize("text", ["", "it's broken", "refund order", "delete order=1", "refund order=1; and more"])
def test_anything_else_is_answered_with_the_tools_there_are(text: str) -> None:
    answer = said(HumanMessage(text))
    assert answer.tool_calls == []
    assert answer.text.startswith(SCRIPT)
    assert "refund order=… amount=… tags=…" in answer.text
    assert "files_read path=… deep=…" in answer.text


def test_a_call_that_is_asked_again_is_made_again() -> None:
    text = ONCE_MORE.format(tool="refund", args='{"order": "1", "amount": 2}')
    assert calls(text) == [("refund", {"order": "1", "amount": 2})]


def test_the_end_says_what_came_of_each_call() -> None:
    asked = HumanMessage("refund order=1 amount=2; refund order=2 amount=2")
    results = [
        ToolMessage("paid", name="refund", tool_call_id="1"),
        ToolMessage("too much", name="refund", tool_call_id="2", status="error"),
    ]
    answer = said(asked, said(asked), *results)
    assert answer.tool_calls == []
    assert "- `refund`: done. paid\n- `refund`: not done. too much" in answer.text


@pytest.mark.parametrize(
    ("note", "words"),
    [(None, "- `refund`: not done. It was rejected.\n"), ("too much", "not done. It was rejected: too much\n")],
)
def test_a_no_is_told_in_words_for_people(note: str | None, words: str) -> None:
    made = said(HumanMessage("refund order=1 amount=2"))
    no: RejectDecision = {"type": "reject", "message": note} if note else {"type": "reject"}
    # As LangChain words it in the version that is installed.
    told = _answer_message(made.tool_calls[0], no)
    answer = said(HumanMessage("refund order=1 amount=2"), made, told)
    assert words in answer.text
    assert str(made.tool_calls[0]["id"]) not in answer.text
