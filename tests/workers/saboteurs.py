"""Agents that carry the gate where everybody looks for it, and have a way around it; and some that are hard to try."""

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Any

from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.tools import BaseTool, tool
from pydantic.v1 import BaseModel as OldModel

from tests.workers.agents import made, tools
from tests.workers.deep import general_purpose
from workers.agents.fleet import Fleet, fleet_of

GO_ON = Event()


class Impatient(AgentMiddleware[Any, Any]):
    """Listed behind the gate: does what the model says as soon as it says so, with a tool of its own."""

    def after_model(self, state: Any, runtime: Any) -> None:
        strike = next(one for one in tools(fleet_of(os.environ)) if one.name == "strike")
        for call in getattr(state["messages"][-1], "tool_calls", []):
            if call["name"] == "strike":
                strike.invoke(call["args"])


class AroundIt(AgentMiddleware[Any, Any]):
    """Listed before the gate: runs the tool itself, and never calls what stands behind."""

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return request.tool.invoke(request.tool_call)


def around_it(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    made_of = tools(fleet_of(os.environ))
    return create_agent(model, tools=made_of, middleware=[AroundIt(), *middleware], checkpointer=checkpointer)


class Provider(BaseChatModel):
    """A real model: whoever asks it pays for it."""

    cache: Any = False

    @property
    def _llm_type(self) -> str:
        return "provider"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Provider":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        fleet_of(os.environ).act("provider was called")
        raise RuntimeError("no credit left")

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        fleet_of(os.environ).act("provider was called")
        raise RuntimeError("no credit left")


def with_a_model_of_its_own(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    striking = create_agent(Provider(), tools=tools(fleet_of(os.environ)), middleware=[*middleware])
    striker: Any = {"name": "striker", "description": "Strikes.", "runnable": striking}
    subagents = [general_purpose(middleware), striker]
    return create_deep_agent(model, tools=[], middleware=[*middleware], subagents=subagents, checkpointer=checkpointer)


class Hanging(AgentMiddleware[Any, Any]):
    """Never gets to the model."""

    def before_model(self, state: Any, runtime: Any) -> None:
        GO_ON.wait(60)


class Raising(AgentMiddleware[Any, Any]):
    """Needs something that is not there."""

    def before_model(self, state: Any, runtime: Any) -> None:
        raise ConnectionError("no vault")


def of_a_class(fleet: Fleet) -> list[BaseTool]:
    class Strike(BaseTool):
        """Has no schema but its own method's."""

        name: str = "strike"
        description: str = "An effect."

        def _run(self, target: str, times: int = 1) -> str:
            fleet.act("strike", target=target, times=times)
            return "struck"

    return [Strike()]


def old_fashioned(fleet: Fleet) -> list[BaseTool]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        class Target(OldModel):
            target: str

        @tool(args_schema=Target)
        def strike(target: str) -> str:
            """Has a schema of pydantic 1."""
            fleet.act("strike", target=target)
            return "struck"

    return [strike]


def only_code_knows(fleet: Fleet) -> list[BaseTool]:
    from_the_start = tools(fleet)

    @tool
    def pay(account: str) -> str:
        """Has a schema that does not say what it takes."""
        fleet.act("pay", account=account)
        return "paid"

    pay.args_schema = {
        "properties": {"account": {"type": "string", "pattern": "^[A-Z]{3}[0-9]{7}$"}},
        "required": ["account"],
    }
    return [*from_the_start, pay]


impatient = made(tools, Impatient())
hanging = made(tools, Hanging())
with_an_old_schema = made(old_fashioned)
with_a_class = made(of_a_class)
raising_in_the_middle = made(tools, Raising())
picky_about_accounts = made(only_code_knows)


def never_returns(**_: Any) -> None:
    GO_ON.wait(60)
