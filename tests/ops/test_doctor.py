"""`countersign doctor`: what is there, what is missing, and what to do about it."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from approvals.ledger.clock_beat import beat
from approvals.settings import Settings
from ops.doctor.agents import agents
from ops.doctor.down import mcp_servers_down
from ops.doctor.finding import Finding
from ops.doctor.mcp import mcp
from ops.doctor.work import backlog, clock
from tests.ops.conftest import Place, command
from tests.workers.mcp_world import Place as StdioPlace
from tests.workers.mcp_world import runs, until


def settings_for(database_url: str) -> Settings:
    secret = SecretStr(database_url)
    return Settings(database_url=secret, redis_url=SecretStr("redis://127.0.0.1"), slack_bot_token=SecretStr("xoxb-"))


def settings_of(place: Place) -> Settings:
    return settings_for(place.environ["DATABASE_URL"])


def wrong(found: Iterable[Finding]) -> dict[str, str]:
    return {one.id: one.sentence for one in found if not one.well}


def beside(folder: Path, module: str) -> Path:
    """A configuration whose agent is a module that stands beside it and nowhere else."""
    code = (
        "from langchain.agents import create_agent\n"
        "def build(*, model, middleware, checkpointer):\n"
        "    return create_agent(model, tools=[], middleware=middleware, checkpointer=checkpointer)\n"
    )
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    agent = {"factory": f"{module}:build", "model": "python:demo.by_hand:model"}
    config = folder / "two.yml"
    rest = {"approvers": {"leads": {"users": ["U1"]}}, "defaults": {"approvers": ["leads"]}}
    config.write_text(json.dumps({"agents": {"mine": agent}, **rest}), encoding="utf-8")
    return config


# Whoever has an agent and no servers yet is told about the agent: it was exit code 2 and nothing else.
def test_a_variable_that_is_missing_is_a_finding_and_the_rest_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    ended = command({}, "doctor", "--config", str(beside(tmp_path, "stands_beside")))
    assert ended.code == 1
    for line in (
        f"ok  configuration: {tmp_path}/two.yml is fine; agents: mine.",
        "ok  agent-mine: It has no tool, so nothing was tried",
        "!!  database: DATABASE_URL is missing; set it to",
        "!!  redis: REDIS_URL is missing; set it to",
        "!!  slack: SLACK_BOT_TOKEN is missing; set it to",
    ):
        assert line in ended.out, ended.out
    assert "clock" not in ended.out


def test_without_the_option_agents_are_found_where_the_worker_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    beside(tmp_path, "stands_here")
    monkeypatch.chdir(tmp_path)
    ended = command({"COUNTERSIGN_CONFIG": "two.yml"}, "doctor")
    assert "ok  agent-mine: It has no tool, so nothing was tried" in ended.out


def test_what_is_missing_is_found_together(empty_database_url: str) -> None:
    environ = {
        "DATABASE_URL": empty_database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SLACK_BOT_TOKEN": "xoxb-none",
        "SLACK_API_URL": "http://127.0.0.1:1/api/",
        "COUNTERSIGN_CONFIG": "/nowhere/countersign.yml",
    }
    ended = command(environ, "doctor")
    assert ended.code == 1
    for words in (
        "!!  configuration: /nowhere/countersign.yml: there is no such file",
        "run `countersign release` first",
        "REDIS_URL: Redis does not answer",
        "SLACK_API_URL: Slack does not answer",
    ):
        assert words in ended.out, ended.out


def test_a_clock_is_missed_until_it_runs_and_when_it_stops(place: Place) -> None:
    assert "No clock has ever run" in wrong(clock(settings_of(place)))["clock"]
    beat(place.db)
    assert wrong(clock(settings_of(place))) == {}
    with place.db.transaction() as tx:
        tx.execute("UPDATE clock_beats SET beat_at = now() - interval '1 minute'")
    assert "nothing expires" in wrong(clock(settings_of(place)))["clock"]


def test_what_waits_that_should_not_is_counted_with_the_way_on(place: Place) -> None:
    assert wrong(backlog(settings_of(place))) == {}
    with place.db.transaction() as tx:
        tx.execute("INSERT INTO runs (agent, team_id, channel_id, thread_ts, status) VALUES ('a','T','C','1','stuck')")
        tx.execute("INSERT INTO freezes (frozen_by) VALUES ('U1BO')")
    found = wrong(backlog(settings_of(place)))
    assert found["stuck-runs"].startswith("1 runs cannot go on; `countersign runs list`")
    assert "frozen by U1BO" in found["frozen"]


AGENTS = """\
agents:
  good: {factory: "tests.workers.agents:build", model: "python:tests.workers.agents:model"}
  bad: {factory: "tests.workers.saboteurs:impatient", model: "python:tests.workers.agents:model"}
  broken: {factory: "tests.workers.agents:raising", model: "python:tests.workers.agents:model"}
  other: {factory: "tests.workers.agents:raising", model: "python:tests.workers.agents:model", ungated: true}
approvers:
  oncall: {users: [U1BO]}
defaults: {approvers: [oncall]}
tools:
  look: {gate: never}
"""


def test_each_agent_is_tried_and_what_ran_unasked_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "countersign.yml"
    config.write_text(AGENTS, encoding="utf-8")
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    settings = settings_for("postgresql://127.0.0.1:1/none").model_copy(update={"countersign_config": config})
    found = {one.id: one for one in agents(settings)}
    assert found["agent-good"].well
    assert found["agent-good"].sentence == (
        "5 calls through 1 graph: each was asked about. By the policy 1 call ran unasked."
    )
    assert not found["agent-bad"].well
    assert "Ran although nobody was asked: strike in the agent itself. Give each graph" in found["agent-bad"].sentence
    assert not found["agent-broken"].well
    assert "raised ValueError: no kubeconfig. No worker starts with it." in found["agent-broken"].sentence
    assert found["agent-other"].well
    assert "configured as ungated, and was not tried" in found["agent-other"].sentence
    assert not (tmp_path / "fleet.jsonl").exists()


def with_servers(folder: Path, servers: dict[str, Any], tools: dict[str, Any]) -> Settings:
    agent = {"factory": "workers.agents.plain:build", "model": "a:b", "mcp": servers}
    rest = {"approvers": {"leads": {"users": ["U1"]}}, "defaults": {"approvers": ["leads"]}, "tools": tools}
    config = folder / "countersign.yml"
    # JSON is YAML.
    config.write_text(json.dumps({"agents": {"ops": agent}, **rest}))
    return Settings(countersign_config=config)


def entry(place: StdioPlace) -> dict[str, Any]:
    server: Any = place.config
    return {"transport": "stdio", "command": server.command, "args": list(server.args)}


def test_every_mcp_server_is_reached_or_named_with_the_reason(tmp_path: Path) -> None:
    up = StdioPlace(tmp_path / "up", "up")
    servers = {
        "up": entry(up),
        "down": {"transport": "streamable_http", "url": "http://127.0.0.1:1/mcp"},
        "none": {"transport": "stdio", "command": "no-such-program"},
    }
    found = {one.id: (one.well, one.sentence) for one in mcp(with_servers(tmp_path, servers, {}))}
    assert found["mcp-ops-up"] == (True, "agents.ops.mcp.up: it answers. Its tools: up.scale, up.get_pods.")
    assert not found["mcp-ops-down"][0]
    assert "agents.ops.mcp.down: it cannot be reached (nothing answers at its address)" in found["mcp-ops-down"][1]
    assert "(there is no program no-such-program on the PATH)" in found["mcp-ops-none"][1]
    until(lambda: not any(map(runs, up.pids())))


def test_the_demo_is_told_of_servers_that_are_down_and_of_no_others(tmp_path: Path) -> None:
    servers = {
        "up": entry(StdioPlace(tmp_path / "up", "up")),
        "none": {"transport": "stdio", "command": "no-such-program"},
    }
    (line,) = mcp_servers_down(with_servers(tmp_path, servers, {}).countersign_config)
    assert line.startswith("agents.ops.mcp.none: it cannot be reached")


def test_tools_of_mcp_servers_are_tried_too_and_nothing_is_done(tmp_path: Path) -> None:
    up = StdioPlace(tmp_path / "up", "up")
    (found,) = agents(with_servers(tmp_path, {"up": entry(up)}, {"up.get_pods": {"gate": "never"}}))
    assert (found.well, found.sentence) == (
        True,
        "1 call through 1 graph: each was asked about. By the policy 1 call ran unasked.",
    )
    assert up.did() == []
    until(lambda: not any(map(runs, up.pids())))


def test_an_agent_without_a_tool_is_said_to_be_not_tried(tmp_path: Path) -> None:
    (found,) = agents(with_servers(tmp_path, {}, {}))
    assert found.well
    assert found.sentence.startswith("It has no tool, so nothing was tried")


def test_what_a_server_writes_to_its_standard_error_is_not_among_the_findings(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    up = StdioPlace(tmp_path / "up", "up")
    up.tell(chatter="INFO I am here")
    settings = with_servers(tmp_path, {"up": entry(up)}, {})
    assert [one.well for one in (*mcp(settings), *agents(settings))] == [True, True]
    assert "I am here" not in capfd.readouterr().err


def test_a_rule_that_is_misspelled_is_named_and_one_for_no_tool_at_all_is_only_said(tmp_path: Path) -> None:
    up = StdioPlace(tmp_path / "up", "up")
    free = {"gate": "never"}
    settings = with_servers(tmp_path, {"up": entry(up)}, {"up.get_pod": free, "up.scale": free, "write_todos": free})
    found = {one.id: (one.well, one.sentence) for one in agents(settings)}
    assert found["tool-name-1"] == (
        False,
        "tools.up.get_pod: no agent has such a tool, and its rule applies to nothing; did you mean up.get_pods?",
    )
    assert found["tool-names"] == (True, "No agent has a tool for these rules, so they apply to nothing: write_todos.")


def test_an_agent_whose_calls_are_all_free_is_said_to_ask_nobody(tmp_path: Path) -> None:
    up = StdioPlace(tmp_path / "up", "up")
    (found,) = agents(with_servers(tmp_path, {"up": entry(up)}, {"up.*": {"gate": "never"}}))
    assert found.sentence.startswith("Through 1 graph, nobody was asked about any call: the policy gates none")
    assert found.well
