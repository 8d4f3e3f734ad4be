"""The bundled on-call agent: an ordinary create_agent agent with tools over the simulated fleet. It knows
nothing of approvals; which of its tools are gated is said in countersign.yml."""

import os
import time
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from pydantic import Field

from workers.agents.fleet import ENVIRONMENTS, SERVICES, Fleet, fleet_of
from workers.thread import Agent

# Of the names in fleet.py: an edit form offers them as choices.
Environment = Literal["staging", "prod"]
Service = Literal["checkout", "payments", "search"]
Replicas = Annotated[int, Field(ge=0, le=50)]
PROMPT = (
    "You help the people on call. You act on a simulated fleet and say so when asked. Some of your tools need a "
    "person's approval: call them when they are needed, and say first, in one or two sentences, what you saw and "
    "why you want it. If a call was rejected or nobody answered, say so; do not repeat it by yourself."
)


def build(*, model: BaseChatModel, middleware: Sequence[AgentMiddleware[Any, Any]], checkpointer: Any) -> Agent:
    """The factory that countersign.yml names."""
    saver: BaseCheckpointSaver[str] = checkpointer
    return create_agent(
        model,
        tools=fleet_tools(fleet_of(os.environ)),
        system_prompt=PROMPT,
        middleware=[*middleware],
        checkpointer=saver,
    )


def fleet_tools(fleet: Fleet) -> list[BaseTool]:
    """The agent's tools over one fleet."""

    @tool
    def list_services() -> str:
        """List the services of the fleet and how many replicas each has."""
        return "\n".join(
            f"{environment} {service} {fleet.version(environment, service)}: "
            f"{fleet.replicas(environment, service)} replicas"
            for environment in ENVIRONMENTS
            for service in SERVICES
        )

    @tool
    def read_logs(service: Service) -> str:
        """Read the last lines of a service's log."""
        return (
            f"10 minutes ago  {service}: upstream timed out (110)\n"
            f"now             {service}: 500 Internal Server Error (12 of 12)"
        )

    @tool
    def scale(environment: Environment, service: Service, replicas: Replicas, wait: bool = True) -> str:
        """Set how many replicas a service has."""
        fleet.act("scale", environment=environment, service=service, replicas=replicas)
        return f"{replicas}/{replicas} ready" if wait else "accepted"

    @tool
    def restart_service(
        environment: Environment, service: Service, mode: Literal["rolling", "recreate"] = "rolling"
    ) -> str:
        """Restart a service."""
        fleet.act("restart_service", environment=environment, service=service, mode=mode)
        time.sleep(float(os.environ.get("FLEET_RESTART_SECONDS", "0")))
        return f"{service} restarted ({mode}) in {environment}"

    @tool
    def deploy(environment: Environment, service: Service, version: str) -> str:
        """Deploy a version of a service, an older one to roll back."""
        fleet.act("deploy", environment=environment, service=service, version=version)
        return f"{service} {version} runs in {environment}"

    @tool
    def page_team(team: str, message: str) -> str:
        """Page another team."""
        fleet.act("page_team", team=team, message=message)
        return f"{team} was paged"

    @tool
    def ask_user(question: str) -> str:
        """Ask the people in the conversation a question, and wait for the answer."""
        # Gated, a person's words take its place; it only runs where the policy says that nobody is asked.
        return "Nobody was asked: the policy does not have this question answered by a person."

    return [list_services, read_logs, scale, restart_service, deploy, page_team, ask_user]
