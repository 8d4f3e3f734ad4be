"""A rule for a tool that no agent has is noticed, where its name is near one that there is."""

from types import MappingProxyType

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from structlog.testing import capture_logs

from approvals.config.values import AgentConfig
from approvals.rules.words import Gate
from tests.workers.bench import a_policy, a_rule
from workers.agents.scripted import Scripted
from workers.agents.tool_names import NoSuchTool, not_there, warn_of_names

TOOLS = frozenset({"deploy", "read_logs", "list_services", "k8s.get_pods"})
ALWAYS = a_rule(Gate.ALWAYS)


def found(*patterns: str, agent: AgentConfig | None = None, down: tuple[str, ...] = ()) -> list[NoSuchTool]:
    agents = MappingProxyType({"a": agent or AgentConfig("a", "m:f", "p:m")})
    rules = tuple(a_policy(**{pattern: ALWAYS}).tools[-1] for pattern in patterns)
    return list(not_there(a_policy().model_copy(update={"tools": rules}), agents, TOOLS, down))


@pytest.mark.parametrize(
    ("pattern", "near"),
    [
        ("deplyo", "deploy"),
        ("Deploy", "deploy"),
        ("raed_*", "read_*"),
        ("k8s.get_pod", "k8s.get_pods"),
        ("read_file", ""),
        ("task", ""),
        ("ls", ""),
        ("write_todos", ""),
    ],
)
def test_what_is_near_is_named(pattern: str, near: str) -> None:
    assert found(pattern) == [NoSuchTool(pattern, near)]


def test_what_a_call_or_a_question_can_come_under_is_not_named() -> None:
    agent = AgentConfig("a", "m:f", "p:m", interrupts={"cost_limit": {}})
    assert found("deploy", "read_*", "*", "k8s.*", "interrupt", "cost_limit", agent=agent) == []


def test_nothing_is_said_where_nobody_knows() -> None:
    assert found("k8s.get_pod", down=("k8s",)) == []
    assert found("deplyo", agent=AgentConfig("a", "m:f", "p:m", ungated=True)) == []


def test_a_name_that_has_a_rule_of_its_own_was_not_meant() -> None:
    assert found("deploy", "deploys") == [NoSuchTool("deploys", "")]


def test_a_worker_logs_one_line_for_each_that_is_misspelled() -> None:
    @tool
    def deploy(service: str) -> str:
        """Bring it out."""
        return service

    graphs = {"a": create_agent(Scripted(), tools=[deploy])}
    with capture_logs() as logged:
        warn_of_names(a_policy(deplyo=ALWAYS, ls=ALWAYS), {"a": AgentConfig("a", "m:f", "p:m")}, graphs, None)
    assert [(one["event"], one["rule"], one["did_you_mean"]) for one in logged] == [
        ("policy.no_such_tool", "tools.deplyo", "deploy")
    ]
