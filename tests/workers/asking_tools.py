"""Agents whose gated tool asks questions of its own, and is lost where a test's plan says so. What each question was
answered with is written down outside the app."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from tests.workers.agents import made
from workers.agents.fleet import Fleet, fleet_of
from workers.outcomes import OutcomeUnknown

POINTS = ("at its start", "after the first", "after the second")


def lose_if_planned(fleet: Fleet, point: str) -> None:
    """The plan is a list of points; each is used once. With KILLED the process dies there, as at a kill."""
    file = Path(os.environ.get("LOSSES_FILE", os.devnull))
    plan: list[str] = json.loads(file.read_text() or "[]") if file.is_file() else []
    if plan[:1] != [point]:
        return
    file.write_text(json.dumps(plan[1:]))
    fleet.act("lost", at=point)
    if os.environ.get("KILLED"):
        os._exit(9)
    raise OutcomeUnknown("its connection was cut before it reported")


def heard(fleet: Fleet, question: str) -> str:
    answer = str(interrupt({"question": question}))
    fleet.act("heard", question=question, answer=answer)
    return answer


def two_questions(fleet: Fleet) -> list[BaseTool]:
    @tool
    def strike(target: str) -> str:
        """Asks twice, then has its effect."""
        lose_if_planned(fleet, POINTS[0])
        when = heard(fleet, f"When {target}?")
        lose_if_planned(fleet, POINTS[1])
        sure = heard(fleet, f"Really {target}?")
        lose_if_planned(fleet, POINTS[2])
        fleet.act("strike", target=target, when=when, sure=sure)
        return f"struck {target}"

    return [strike]


class Inner(TypedDict):
    target: str
    sure: str


def graph_inside(fleet: Fleet) -> list[BaseTool]:
    def ask(state: Inner) -> dict[str, str]:
        return {"sure": heard(fleet, f"Really {state['target']}?")}

    inner = StateGraph(Inner).add_node("ask", ask).add_edge(START, "ask").compile()

    @tool
    def strike(target: str) -> str:
        """Asks by itself, and then in a graph that it runs."""
        lose_if_planned(fleet, POINTS[0])
        when = heard(fleet, f"When {target}?")
        lose_if_planned(fleet, POINTS[1])
        sure = inner.invoke({"target": target, "sure": ""})["sure"]
        lose_if_planned(fleet, POINTS[2])
        fleet.act("strike", target=target, when=when, sure=sure)
        return f"struck {target}"

    return [strike]


class AsksAfterwards(AgentMiddleware[Any, Any]):
    """An author's middleware behind the gate that asks about the result."""

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        result = handler(request)
        heard(fleet_of(os.environ), "Keep it?")
        return result


asks_twice = made(two_questions)
asks_inside = made(graph_inside)
asked_about_afterwards = made(two_questions, AsksAfterwards())
