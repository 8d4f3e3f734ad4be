"""A graph of one's own, that asks by `interrupt()`, has no messages and needs no model. LangGraph, and nothing else."""

from collections.abc import Sequence
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

# What stands for the status page.
PUBLISHED: list[str] = []


class Announcement(TypedDict, total=False):
    wish: str
    text: str
    outcome: str


def draft(state: Announcement) -> Announcement:
    return {"text": f"Maintenance: {state['wish'].strip().rstrip('.')}."}


def publish(state: Announcement) -> Announcement:
    """Asked first, as LangGraph runs a node from its beginning when the answer comes."""
    answer = interrupt({"type": "publication", "text": state["text"]})
    if not answer["publish"]:
        return {"outcome": f"Not published: {answer['reason'] or 'no reason was given'}"}
    PUBLISHED.append(state["text"])
    return {"outcome": f"Published ({len(PUBLISHED)} so far): {state['text']}"}


def build(*, model: Any, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """The factory that countersign.yml names. It has no tools, so there is nothing for the gate to stand before."""
    graph = StateGraph(Announcement)
    graph.add_node("draft", draft)
    graph.add_node("publish", publish)
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "publish")
    graph.add_edge("publish", END)
    return graph.compile(checkpointer=checkpointer)


def takes(text: str, message: dict[str, str]) -> Announcement:
    """`input`: what the graph is given for a person's message."""
    return {"wish": text}


def says(state: Announcement) -> str:
    """`output`: what people read when it has ended."""
    return state["outcome"]
