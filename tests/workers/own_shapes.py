"""Agents that ask people in ways of their own: LangChain's middleware without our gate, interrupt() in tools and
nodes, one agent inside another one's tool."""

import os
from collections.abc import Sequence
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import BaseTool, tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from pydantic import AfterValidator
from typing_extensions import TypedDict

from tests.workers.agents import made
from tests.workers.obedient import Obedient
from workers.agents.fleet import Fleet, fleet_of


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

    return [write_file, execute_sql, read_data]


def with_own(**settings: Any) -> Any:
    """An agent with LangChain's middleware in the gate's place."""

    def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
        own = HumanInTheLoopMiddleware(**settings)
        return create_agent(model, tools=tools(fleet_of(os.environ)), middleware=[own], checkpointer=checkpointer)

    return build


AS_DOCUMENTED: dict[str, Any] = {"write_file": True, "execute_sql": {"allowed_decisions": ["approve", "reject"]}}
batched = with_own(interrupt_on=AS_DOCUMENTED)
per_call = with_own(interrupt_on=AS_DOCUMENTED, interrupt_mode="per_call")
no_reject = with_own(interrupt_on={"write_file": {"allowed_decisions": ["approve", "respond"]}, "execute_sql": True})
approve_only = with_own(interrupt_on={"write_file": {"allowed_decisions": ["approve"]}, "execute_sql": True})
# The same tools behind our own gate: a deploy that takes it up.
gated = made(tools)


def few(number: int) -> int:
    """What a JSON Schema does not say."""
    if number > 100:
        raise ValueError("too many")
    return number


Few = Annotated[int, AfterValidator(few)]


def asking_tools(fleet: Fleet) -> list[BaseTool]:
    @tool
    def request_approval(action_description: str) -> str:
        """Ask a person before something is done."""
        request = {
            "type": "approval_request",
            "action": action_description,
            "message": f"Approve: {action_description}",
        }
        answer = interrupt(request)
        if answer["approved"]:
            return f"'{action_description}' was APPROVED."
        return f"'{action_description}' was REJECTED. Reason: {answer['reason']}"

    @tool
    def ask_twice(first: str, second: str) -> str:
        """Ask one thing, then another."""
        one = interrupt(first)
        two = interrupt(second)
        return f"{one}, then {two}"

    @tool
    def fill_in(what: str) -> str:
        """Ask for something with several parts."""
        schema = {
            "type": "object",
            "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
            "required": ["city", "people"],
        }
        answer = interrupt({"what": what}, response_schema=schema)
        return f"{answer['people']} people in {answer['city']}"

    @tool
    def how_many(what: str) -> str:
        """Ask for a number."""
        return f"{interrupt(what, response_schema=Few) + 1} is one more"

    return [request_approval, ask_twice, fill_in, how_many, *half_way_tools(fleet)]


def half_way_tools(fleet: Fleet) -> list[BaseTool]:
    @tool
    def deploy(version: str) -> str:
        """Ask once more when it has begun."""
        fleet.act("prepare", version=version)
        if interrupt(f"Really {version}?") != "yes":
            return "stopped half-way"
        fleet.act("deploy", version=version)
        return f"deployed {version}"

    @tool
    def look() -> str:
        """Free of charge."""
        return "looked"

    return [deploy, look]


asking = made(asking_tools)


def asking_ungated(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=asking_tools(fleet_of(os.environ)), checkpointer=checkpointer)


class Answered(TypedDict):
    target: str
    force: bool


def own_gate(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """A graph with a gate of its own, in a node: the value that it is handed decides."""

    def ask(state: MessagesState) -> dict[str, Any]:
        asked = state["messages"][-1].text.strip('["]')
        if asked.startswith("form"):
            answer: Any = interrupt({"question": asked, "args": {"target": "db"}}, response_schema=Answered)
        else:
            answer = interrupt({"question": asked, "args": {"target": "db"}})
        return {"messages": [AIMessage(f"the answer was {answer!r}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=checkpointer)


def adds_up_to_nothing(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """It asks about one call and says of two what is allowed."""

    def ask(state: MessagesState) -> dict[str, Any]:
        review = {"action_name": "x", "allowed_decisions": ["approve"]}
        return interrupt({"action_requests": [{"name": "x", "args": {}}], "review_configs": [review, review]})

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    return graph.compile(checkpointer=checkpointer)


def around_an_agent(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """A graph of one's own with a gated agent in a node."""
    inner = create_agent(model, tools=asking_tools(fleet_of(os.environ)), middleware=[*middleware])
    graph = StateGraph(MessagesState)
    graph.add_node("agent", inner)
    graph.add_edge(START, "agent")
    graph.add_edge("agent", END)
    return graph.compile(checkpointer=checkpointer)


def inside_a_tool(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """A tool that hands work to an agent, which carries the gate as well."""
    helper = create_agent(Obedient(), tools=asking_tools(fleet_of(os.environ)), middleware=[*middleware], name="helper")

    @tool
    def delegate(request: str) -> str:
        """Hand it to the helper."""
        told = helper.invoke({"messages": [HumanMessage(request)]})
        return str(told["messages"][-1].text)

    return create_agent(model, tools=[delegate], middleware=[*middleware], checkpointer=checkpointer)


def inside_a_tool_ungated(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    """The same, and nobody gave the helper the gate."""
    helper = create_agent(Obedient(), tools=asking_tools(fleet_of(os.environ)), name="helper")

    @tool
    def delegate(request: str) -> str:
        """Hand it to the helper."""
        told = helper.invoke({"messages": [HumanMessage(request)]})
        return str(told["messages"][-1].text)

    return create_agent(model, tools=[delegate], middleware=[*middleware], checkpointer=checkpointer)
