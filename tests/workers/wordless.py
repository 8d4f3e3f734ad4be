"""Agents whose graph knows no messages: what they are given and what they say is made by functions of their own."""

import os
from collections.abc import Sequence
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from workers.agents.fleet import fleet_of


class Ticket(TypedDict, total=False):
    asked: str
    by: str
    answer: str | None


def build(*, model: Any, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """Two steps, each of which leaves a line outside; it asks where it is told to."""

    def begin(state: Ticket) -> Ticket:
        fleet_of(os.environ).act("begin", asked=state["asked"], by=state["by"])
        return {"answer": None}

    def end(state: Ticket) -> Ticket:
        if "raise" in state["asked"]:
            raise RuntimeError("no such ticket")
        word = interrupt("Really?") if "ask" in state["asked"] else "nobody"
        fleet_of(os.environ).act("end", asked=state["asked"])
        return {"answer": f"done: {state['asked']}, after {word}"}

    graph = StateGraph(Ticket)
    graph.add_node("begin", begin)
    graph.add_node("end", end)
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "end")
    graph.add_edge("end", END)
    return graph.compile(checkpointer=checkpointer)


def takes(text: str, message: dict[str, str]) -> Ticket:
    return {"asked": text, "by": message["author"]}


def takes_nothing(text: str, message: dict[str, str]) -> None:
    return None


def says(state: dict[str, Any]) -> str | None:
    answer: str | None = state["answer"]
    return answer


def says_nothing(state: dict[str, Any]) -> str | None:
    return None


def says_a_number(state: dict[str, Any]) -> Any:
    return 7


def raises(state: dict[str, Any]) -> str:
    return str(state["no such key"])


async def says_later(state: dict[str, Any]) -> str:
    return "later"


def takes_one(text: str) -> Ticket:
    return {"asked": text}
