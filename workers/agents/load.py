"""A factory's name -> a compiled agent that carries the gate, or one clear line. Starts nothing."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import structlog
from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from approvals.config.values import AgentConfig
from workers.agents.models import first_line
from workers.agents.named import AgentUnusable, find_function
from workers.agents.reach import Reached, reachable
from workers.agents.speech import check_speech
from workers.checkpoints import KeptSaver
from workers.gate import CountersignGate
from workers.mcp.names import looks_like
from workers.outside import OutsideTool
from workers.thread import Agent
from workers.tool_extras import WrongExtras, extras_of

UNGATED = "Countersign records decisions; what the agent then does is not behind its guard"

log = structlog.get_logger()


def load_agent(config: AgentConfig, model: BaseChatModel, gate: CountersignGate, saver: KeptSaver) -> Agent:
    """One agent, checked to carry the gate wherever it calls tools, and no second one."""
    where, graph = where_of(config), built(config, model, gate, saver)
    check_gate(where, graph, config)
    check_speech(where, graph.channels, config)
    # LangGraph clones the saver when it compiles; the clone is on the same kept connection.
    if not isinstance(graph.checkpointer, KeptSaver) or graph.checkpointer.kept is not saver.kept:
        raise AgentUnusable(f"{where} does not use the checkpointer it was given. Pass checkpointer=checkpointer on.")
    return graph


def where_of(config: AgentConfig) -> str:
    """The key and the factory, for a complaint."""
    return f"agents.{config.name}.factory: {config.factory}"


def built(config: AgentConfig, model: BaseChatModel, gate: CountersignGate, saver: BaseCheckpointSaver[Any]) -> Agent:
    """What the factory returns, as long as it is a graph."""
    where = where_of(config)
    factory = find_function(where, config.factory)
    check_signature(where, factory)
    try:
        graph = factory(model=model, middleware=[gate], checkpointer=saver)
    except Exception as error:
        raise AgentUnusable(f"{where} raised {first_line(error)}.") from error
    if not isinstance(graph, CompiledStateGraph):
        raise AgentUnusable(
            f"{where} returned {type(graph).__name__}, not a compiled graph. Return what create_agent returns."
        )
    return graph


def check_signature(where: str, factory: Callable[..., Any]) -> None:
    """It takes what it will be given."""
    try:
        signature(factory).bind(model=None, middleware=None, checkpointer=None)
    except TypeError as error:
        raise AgentUnusable(
            f"{where} cannot be called as it is ({error}). Give it the signature build(*, model, middleware, "
            "checkpointer)."
        ) from error
    except ValueError:
        # Python knows no signature of it; calling it will tell.
        return


def check_gate(where: str, graph: Agent, config: AgentConfig) -> None:
    """Every tool call that can be reached passes the gate, and nothing asks beside it; or the configuration says that
    the agent asks by itself, and nothing of it passes the gate."""
    found = reachable(graph)
    gated = [one for one in found if one.gated]
    if config.ungated:
        if gated:
            raise AgentUnusable(f"{where} returned a graph with the gate; remove agents.{config.name}.ungated.")
        log.warning("agent.ungated", agent=config.name, means=f"for agent {config.name}, {UNGATED}")
        return
    for one in found:
        check_names(where, one, config)
    if not gated:
        raise AgentUnusable(
            f"{where} returned a graph without the gate, so nothing in it would be countersigned. "
            f"Pass middleware=[*middleware, ...] on to create_agent; or, if the graph calls interrupt() itself, say "
            f"agents.{config.name}.ungated: true, and {UNGATED}."
        )
    for one in found:
        check_extras(where, one)
        if one.own:
            raise AgentUnusable(
                f"{where} brings a {type(one.own[0]).__name__} of its own beside the gate, in {one.way}. Remove it "
                "(for a deep agent: its interrupt_on): the policy in the configuration says what is gated."
            )
        if one.tools and not one.gated:
            raise AgentUnusable(
                f"{where} has tools that nobody would be asked about ({named(one)}), in {one.way}. Give it the gate as "
                "well (middleware is not inherited): for a deep agent in each subagent, and in one of your own that is "
                "named general-purpose."
            )


def check_extras(where: str, one: Reached) -> None:
    """What its tools' authors say beside them means something."""
    for tool in one.tools:
        try:
            extras_of(tool)
        except WrongExtras as error:
            raise AgentUnusable(f"{where} has a wrong tool in {one.way}: {error}.") from error


def check_names(where: str, one: Reached, config: AgentConfig) -> None:
    """No tool of the author's looks like one of an MCP server, whatever that server lists today."""
    for server in config.mcp:
        for tool in one.tools:
            if not isinstance(tool, OutsideTool) and looks_like(server.name, tool.name):
                raise AgentUnusable(
                    f"{where} has a tool {tool.name}, which would be taken for one of agents.{config.name}.mcp."
                    f"{server.name}, in {one.way}. Rename the tool, or the server."
                )


def named(one: Reached) -> str:
    """Some of its tools."""
    names = sorted(tool.name for tool in one.tools)
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
