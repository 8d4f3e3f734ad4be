"""What the design's fixed configuration has and this release does not enforce is refused, and by name."""

from pathlib import Path

import pytest

from approvals.config.agent_section import AgentSection
from approvals.config.errors import ConfigError, Problem
from approvals.config.load import load_config
from approvals.config.not_yet import KEYS_AT_THE_TOP, KEYS_OF_AN_AGENT
from approvals.config.sections import FileSections

FULL = """\
agents:
  oncall:
    factory: workers.agents.oncall:build
    model: anthropic:claude-sonnet-5
    mcp: {k8s: {transport: stdio, command: kubectl-mcp, args: []}}
approvers:
  oncall: {usergroup: oncall-sre}
  leads:  {users: [U07LEAD]}
defaults:
  gate: always
  decisions: [approve, edit, reject]
  approvers: [oncall]
  quorum: 1
  self_approval: false
  timeout: 30m
  remind: [5m, 20m]
  escalate: {after: 10m, to: [leads]}
  on_timeout: reject
tools:
  read_logs: {gate: never}
  restart_service:
    - {when: 'args.environment in ["dev", "staging"]', gate: never}
    - summary: "{environment} - Restart {service}"
      risk: high
      quorum: 2
      timeout: 15m
      escalate: {after: 8m, to: [leads]}
      remind: [5m]
      redact: [token]
      route: "#prod-approvals"
      check: "kubectl rollout status {service}"
  ask_user: {decisions: [respond], approvers: [requester], timeout: 8h, remind: [1h], escalate: none}
reports:
  - {name: expiry, channel: "#ops", cron: "0 9 * * 1-5", timezone: Europe/Berlin}
retention: {runs: 30d, audit: 400d}
"""

HEAD = """\
agents:
  a:
    factory: m:f
    model: p:m
approvers: {leads: {users: [U1]}}
defaults: {approvers: [leads]}
"""


def problems(tmp_path: Path, text: str) -> tuple[Problem, ...]:
    file = tmp_path / "countersign.yml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    return caught.value.problems


def test_nothing_of_the_full_configuration_is_left_to_a_later_release(tmp_path: Path) -> None:
    file = tmp_path / "countersign.yml"
    file.write_text(FULL)
    assert list(load_config(file).agents) == ["oncall"]


@pytest.mark.parametrize("key", KEYS_OF_AN_AGENT)
def test_a_later_key_of_an_agent_is_refused(key: str, tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, HEAD.replace("    model", f"    {key}: x\n    model"))
    assert (problem.line, problem.key) == (4, f"agents.a.{key}")


def test_what_is_enforced_is_not_on_the_list_of_what_is_not() -> None:
    assert set(KEYS_AT_THE_TOP).isdisjoint(FileSections.model_fields)
    assert set(KEYS_OF_AN_AGENT).isdisjoint(AgentSection.model_fields)
