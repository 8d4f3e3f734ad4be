"""Agents of one's own beside MCP servers: who gets the tools, which names are refused, and what a server is given."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool
from pydantic import SecretStr

from approvals.config.values import AgentConfig, HttpServer, StdioServer
from approvals.rules.words import Effect, Gate, Say
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.mcp_worker import worker
from tests.workers.mcp_world import DID_WEB, WEB, Place
from workers.agents.named import AgentUnusable
from workers.mcp.needs import McpUnusable
from workers.mcp.servers import Servers

HERE = "tests.workers.test_mcp_agents"


@tool("k8s__own")
def own() -> str:
    """Looks like one of the server's."""
    return "own"


@tool("k8s.own")
def dotted() -> str:
    """Looks like one of the server's, in the policy."""
    return "own"


def with_own(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=[own], middleware=[*middleware], checkpointer=checkpointer)


def with_dotted(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=[dotted], middleware=[*middleware], checkpointer=checkpointer)


@pytest.mark.parametrize(("factory", "name"), [("with_own", "k8s__own"), ("with_dotted", "k8s.own")])
def test_a_tool_that_could_be_taken_for_the_servers_is_refused_also_while_it_is_down(
    bench: Bench, tmp_path: Path, factory: str, name: str
) -> None:
    down = StdioServer("k8s", str(tmp_path / "nothing"))
    agent = AgentConfig("tester", "", "", mcp=(down,))
    with Servers([agent], {}) as servers, pytest.raises(AgentUnusable) as refused:
        bench.runner(f"{HERE}:{factory}", servers=servers, mcp=(down,))
    assert f"has a tool {name}, which would be taken for one of agents.tester.mcp.k8s" in str(refused.value)


def test_an_agent_with_tools_of_its_own_has_both(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio, factory="tests.workers.agents:build") as ours:
        run_id = ours.ask([["look", {}], ["strike", {"target": "prod"}], WEB])
        assert sorted(a.tool for a in bench.approvals(run_id)) == ["k8s.scale", "strike"]
        for approval in bench.approvals(run_id):
            bench.decide(approval, Say.APPROVE)
        ours.runner.advance(run_id)
        assert {a.effect for a in bench.approvals(run_id)} == {Effect.DONE}
        assert stdio.did() == [DID_WEB]
        assert [one["action"] for one in bench.effects()] == ["strike"]


def test_a_subagent_that_gets_the_gate_gets_the_tools_behind_the_guard(bench: Bench, stdio: Place) -> None:
    policy = a_policy(task=a_rule(Gate.NEVER))
    with worker(bench, stdio, factory="tests.workers.deep:deep", policy=policy) as ours:
        handed = {"subagent_type": "file-manager", "description": json.dumps([[WEB]])}
        approval = ours.asked([["task", handed]])
        assert (approval.tool, approval.asker) == ("k8s.scale", "file-manager")
        bench.decide(approval, Say.APPROVE)
        assert ours.go_on(approval).effect is Effect.DONE
        assert stdio.did() == [DID_WEB]


def test_a_process_is_given_what_the_configuration_names_and_no_secret_beside(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    place = Place(tmp_path / "k8s")
    place.tell(tell_environment=True)
    given = place.config
    assert isinstance(given, StdioServer)
    given = StdioServer(given.name, given.command, given.args, env=("KUBECONFIG",))
    agent = AgentConfig("tester", "", "", mcp=(given,))
    with Servers([agent], {"KUBECONFIG": SecretStr("${HOME}/it")}) as servers:
        (found,) = servers.listings(agent)
        assert len(found.tools) == 2
    (environment,) = [one["names"] for one in place.noted() if one["action"] == "environment"]
    assert environment["KUBECONFIG"] == "${HOME}/it"
    assert set(environment) <= {"KUBECONFIG", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE", "PWD"}
    assert "DATABASE_URL" in os.environ


@pytest.mark.parametrize(("token", "reached"), [("Bearer right", True), ("Bearer wrong", False)])
def test_a_header_has_the_value_of_its_variable(tmp_path: Path, token: str, reached: bool) -> None:
    place = Place(tmp_path / "k8s", over_http=True)
    place.tell(token="Bearer right")
    place.start()
    config = HttpServer("k8s", f"http://127.0.0.1:{place.port()}/mcp/", (("Authorization", "TOKEN"),))
    agent = AgentConfig("tester", "", "", mcp=(config,))
    try:
        with Servers([agent], {"TOKEN": SecretStr(token)}) as servers:
            (found,) = servers.listings(agent)
            assert len(found.tools) == (2 if reached else 0)
            assert servers.of(config).why_down() == (None if reached else "it answered with HTTP status 401")
    finally:
        place.stop()


def test_without_the_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.mcp.needs.PACKAGES", ("no_such_package",))
    with pytest.raises(McpUnusable, match=r"pip install .*mcp.*no_such_package"):
        Servers([AgentConfig("a", "", "", mcp=(StdioServer("k8s", "x"),))], {})
    Servers([AgentConfig("a", "", "")], {}).close()
