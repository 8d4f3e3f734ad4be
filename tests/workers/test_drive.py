"""Every gated tool on every path, driven through the real graphs: without a run, a database, a provider, an effect."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool

from approvals.config.values import AgentConfig
from approvals.rules.select_rule import Policy, ToolRule
from approvals.rules.words import Gate
from tests.workers import own_ways, saboteurs
from tests.workers.bench import a_policy, a_rule
from tests.workers.test_deep_agents import policy as deep_policy
from tests.workers.written_tools import secretive
from workers.agents import drive as driving
from workers.agents.drive import Driven, drive
from workers.agents.fleet import Fleet
from workers.agents.harmless import SAYS, Harmless
from workers.agents.load import AgentUnusable
from workers.agents.scripted import ASKS, ASKS_LATER, MAY_STREAM, Script, Stage
from workers.time_limit import TooSlow

HERE = "tests.workers."


@pytest.fixture(autouse=True)
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fleet]:
    """Nothing may ever be done to it."""
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    fleet = Fleet(tmp_path / "fleet.jsonl")
    yield fleet
    assert fleet.effects() == []


def driven(factory: str, policy: Policy | None = None, seconds: float = 60) -> Driven:
    return drive(AgentConfig("tester", f"{HERE}{factory}", "python:nowhere:model"), policy or a_policy(), seconds)


def test_an_agent_asks_about_every_call_and_lets_the_free_one_run() -> None:
    found = driven("agents:build")
    assert found == Driven(graphs=1, asked=5, free=1)


def test_a_call_on_record_runs_and_no_row_is_needed() -> None:
    found = driven("agents:build", a_policy(strike=a_rule(Gate.RECORD)))
    assert (found.asked, found.free) == (4, 2)


@pytest.mark.parametrize(("target", "asked"), [("x", 4), ("prod", 5)])
def test_the_policy_is_asked_about_the_very_arguments_that_were_made_up(target: str, asked: int) -> None:
    free = ToolRule(pattern="strike", rule=a_rule(Gate.NEVER), when=f'args.target == "{target}"')
    policy = a_policy()
    found = driven("agents:build", policy.model_copy(update={"tools": (*policy.tools, free)}))
    assert (found.asked, found.unasked) == (asked, [])


def test_subagents_are_driven_by_themselves_and_through_the_task_that_hands_them_work() -> None:
    found = driven("deep:deep", deep_policy())
    assert (found.graphs, found.unasked, found.not_made, found.made_up) == (4, [], [], [])
    # In each of the main agent and two subagents four are gated, in the third one three; those of subagents twice.
    own, inner = 4, 4 + 4 + 5
    assert found.asked == own + 2 * inner


def test_a_gated_task_is_asked_about_in_place_of_what_it_leads_to() -> None:
    found = driven("deep:deep", deep_policy(task=a_rule()))
    assert found.unasked == []


WAYS = {
    "saboteurs:impatient": ["strike in the agent itself"],
    "saboteurs:around_it": [f"{name} in the agent itself" for name in ("strike", "break_down", "refuse", "ask_back")],
    "agents:without_gate": [f"{name} in the agent itself" for name in ("strike", "break_down", "refuse", "ask_back")],
    "deep:subagent_without": [
        f"remove_file in subagent file-manager{way}" for way in (" of tool task", ", through task of the agent itself")
    ],
    "deep:built_in_general_purpose": [
        f"notify_email in subagent general-purpose{way}"
        for way in (" of tool task", ", through task of the agent itself")
    ],
    "own_shapes:inside_a_tool_ungated": ["deploy in an agent of tool delegate"],
}


@pytest.mark.parametrize("factory", WAYS)
def test_a_way_around_the_gate_is_found_and_named(factory: str) -> None:
    found = driven(factory, deep_policy(look=a_rule(Gate.NEVER)))
    assert set(WAYS[factory]) <= set(found.unasked), found


def test_a_model_that_a_subagent_names_itself_is_not_asked() -> None:
    found = driven("saboteurs:with_a_model_of_its_own", deep_policy())
    assert (found.graphs, found.unasked, found.not_made, found.made_up) == (3, [], [], [])


def test_a_fingerprint_is_the_tools_own_code_and_is_not_run() -> None:
    # It would raise: there is no such world.
    assert driven("written_tools:with_fingerprint") == Driven(graphs=1, asked=1)


@pytest.mark.parametrize(("gate", "found"), [(Gate.ALWAYS, Driven(1, asked=1)), (Gate.NEVER, Driven(1, free=1))])
def test_a_tool_that_is_a_class_is_driven_too(gate: Gate, found: Driven) -> None:
    assert driven("saboteurs:with_a_class", a_policy(strike=a_rule(gate))) == found


def test_a_tool_with_ways_of_its_own_does_nothing_and_neither_does_its_function(fleet: Fleet) -> None:
    free = a_rule(Gate.NEVER)
    found = driven("own_ways:build", a_policy(own_invoke=free, own_run=free, strike=free))
    assert (found.graphs, found.free, found.not_made) == (1, 3, [])
    assert fleet.effects() == []
    # And each class is then what it was.
    (tool,) = own_ways.made_of(fleet.act)[:1]
    tool.invoke({})
    assert [one["action"] for one in fleet.effects()] == ["own_invoke", "own_invoke._run"]
    fleet.path.unlink()


def test_what_only_code_knows_is_said_to_be_left_out() -> None:
    found = driven("saboteurs:picky_about_accounts")
    assert found.asked == 5
    assert [one.partition(" (")[0] for one in found.made_up] == ["pay in the agent itself"]


def test_so_is_what_the_gate_cannot_read() -> None:
    (left,) = driven("saboteurs:with_an_old_schema").made_up
    assert "describes its arguments with a pydantic 1 model" in left


def test_an_agent_that_raises_is_told_tool_by_tool() -> None:
    found = driven("saboteurs:raising_in_the_middle")
    assert found.asked == 0
    assert "strike in the agent itself (it raised ConnectionError: no vault)" in found.not_made


@pytest.mark.parametrize("factory", ["agents:raising", "agents:no_graph", "agents:with_own_hitl", "nowhere:build"])
def test_an_agent_that_no_worker_would_load_is_told_in_the_same_words(factory: str) -> None:
    with pytest.raises(AgentUnusable):
        driven(factory)


@pytest.fixture
def put_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After something that hangs, tools and models stay changed as long as the process lives; here it lives on."""
    for owner, names in ((BaseTool, ("run", "arun")), (BaseChatModel, (ASKS, ASKS_LATER, MAY_STREAM))):
        for name in names:
            monkeypatch.setattr(owner, name, getattr(owner, name))
    saboteurs.GO_ON.clear()
    yield
    saboteurs.GO_ON.set()


@pytest.mark.usefixtures("put_back")
def test_an_agent_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "CALL_SECONDS", 0.05)
    found = driven("saboteurs:hanging")
    assert len(found.not_made) == 1
    assert "and what would have come after it (it did not end within 0.05 s)" in found.not_made[0]
    with pytest.raises(TooSlow):
        driven("saboteurs:never_returns", seconds=0.05)


def test_when_the_time_is_over_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 2.0])
    monkeypatch.setattr(driving, "monotonic", lambda: next(times, 1000.0))
    found = driven("agents:build", seconds=60)
    assert (found.asked, found.free) == (1, 1)
    assert found.not_made == ["break_down in the agent itself and what would have come after it (the time was over)"]


def test_tools_do_nothing_in_between_and_are_then_what_they_were(tmp_path: Path) -> None:
    elsewhere = Fleet(tmp_path / "elsewhere.jsonl")
    (login,) = secretive(elsewhere)
    call = {"user": "a", "password": "b"}
    harmless = Harmless()
    harmless.begin()
    assert login.invoke(call) == SAYS
    with harmless.real(login):
        assert login.invoke(call) == "logged in with b"
    assert login.invoke(call) == SAYS
    harmless.end()
    assert harmless.ran == ["login", "login"]
    assert login.invoke(call) == "logged in with b"
    assert len(elsewhere.effects()) == 2


def test_a_model_that_is_asked_by_streaming_says_what_the_script_says() -> None:
    call = ToolCall(name="strike", args={"target": "x"}, id="call_1", type="tool_call")
    stage = Stage()
    stage.begin()
    stage.script = Script((call,))
    (said,) = saboteurs.Provider().stream("Go.")
    stage.end()
    assert [one["name"] for one in getattr(said, "tool_calls", [])] == ["strike"]
