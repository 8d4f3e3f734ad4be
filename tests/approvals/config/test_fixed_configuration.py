"""The fixed configuration, whole."""

from pathlib import Path

from approvals.config.load import load_config

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


def test_every_key_of_it_is_enforced_by_this_release(tmp_path: Path) -> None:
    file = tmp_path / "countersign.yml"
    file.write_text(FULL)
    assert list(load_config(file).agents) == ["oncall"]
