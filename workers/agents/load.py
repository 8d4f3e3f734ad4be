"""A factory's name -> a compiled agent that carries the gate, or one clear line. Starts nothing."""

import importlib
from collections.abc import Callable, Mapping

from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langgraph.graph.state import CompiledStateGraph

from approvals.config.values import AgentConfig
from workers.agents.models import first_line, load_model
from workers.checkpoints import KeptSaver
from workers.gate import CountersignGate
from workers.thread import Agent


class AgentUnusable(Exception):
    """The configuration names an agent that cannot be run. As text: one line with the way on."""


def load_agents(configs: Mapping[str, AgentConfig], gate: CountersignGate, saver: KeptSaver) -> dict[str, Agent]:
    """Every agent of the configuration. Raises AgentUnusable or ModelUnusable for the first that fails."""
    return {name: load_agent(config, load_model(name, config.model), gate, saver) for name, config in configs.items()}


def load_agent(config: AgentConfig, model: BaseChatModel, gate: CountersignGate, saver: KeptSaver) -> Agent:
    """One agent, checked to carry the gate and no second one."""
    where = f"agents.{config.name}.factory: {config.factory}"
    factory = find_factory(where, config.factory)
    try:
        graph = factory(model=model, middleware=[gate], checkpointer=saver)
    except Exception as error:
        raise AgentUnusable(f"{where} raised {first_line(error)}.") from error
    if not isinstance(graph, CompiledStateGraph):
        raise AgentUnusable(
            f"{where} returned {type(graph).__name__}, not a compiled graph. Return what create_agent returns."
        )
    check_gate(where, graph, gate)
    # LangGraph clones the saver when it compiles; the clone is on the same kept connection.
    if not isinstance(graph.checkpointer, KeptSaver) or graph.checkpointer.kept is not saver.kept:
        raise AgentUnusable(f"{where} does not use the checkpointer it was given. Pass checkpointer=checkpointer on.")
    return graph


def find_factory(where: str, path: str) -> Callable[..., object]:
    """The function that `module:function` names."""
    module_name, _, function = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise AgentUnusable(
            f"{where} cannot be imported ({first_line(error)}). Install it where the worker runs, or correct the name."
        ) from error
    found = getattr(module, function, None)
    if not callable(found):
        raise AgentUnusable(f"{where} does not exist: module {module_name} has no function {function!r}.")
    return found  # type: ignore[no-any-return]  # getattr is untyped; callable() was just asked


def check_gate(where: str, graph: Agent, gate: CountersignGate) -> None:
    """create_agent gives each middleware's `after_model` a node of its own, named after it: so the nodes tell
    which middlewares a graph was built with."""
    if f"{gate.name}.after_model" not in graph.nodes:
        raise AgentUnusable(
            f"{where} returned a graph without the gate, so nothing in it would be countersigned. "
            "Pass middleware=[*middleware, ...] on to create_agent."
        )
    if f"{HumanInTheLoopMiddleware.__name__}.after_model" in graph.nodes:
        raise AgentUnusable(
            f"{where} brings a HumanInTheLoopMiddleware of its own beside the gate. Remove it: "
            "the policy in the configuration says what is gated."
        )
