from datetime import timedelta
from pathlib import Path

import pytest

from approvals.config.load import load_config
from approvals.config.values import AgentConfig, Config, ReportConfig
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.schedule import Schedule
from approvals.rules.select_rule import Call, select_rule
from approvals.rules.words import DecisionType, Gate, Risk

ROOT = Path(__file__).parents[3]

HEAD = """\
agents:
  a: {factory: "m:f", model: "p:m"}
approvers:
  oncall: {usergroup: oncall-sre}
  leads: {users: [U1, W2]}
"""


def loaded(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "countersign.yml"
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def the_rule(config: Config, tool: str, **args: object) -> Rule:
    return select_rule(config.policy, Call(tool, args, "a", "U1", "C1"))


def rule_for(tmp_path: Path, rules: str, tool: str) -> Rule:
    return the_rule(loaded(tmp_path, HEAD + rules), tool)


def test_the_example_at_the_root_is_read() -> None:
    config = load_config(ROOT / "countersign.yml")
    agent = AgentConfig("oncall", "workers.agents.oncall:build", "anthropic:claude-sonnet-5")
    assert dict(config.agents) == {"oncall": agent}
    assert the_rule(config, "restart_service", environment="staging").gate is Gate.RECORD
    restart = the_rule(config, "restart_service", environment="prod")
    assert restart == Rule(
        gate=Gate.ALWAYS,
        decisions=(DecisionType.APPROVE, DecisionType.EDIT, DecisionType.REJECT),
        approvers=(Approvers(name="oncall", usergroup="oncall-sre"),),
        quorum=2,
        timeout=timedelta(minutes=15),
        remind=(timedelta(minutes=5),),
        escalate=(
            Escalation(after=timedelta(minutes=8), to=(Approvers(name="leads", users=("U07LEAD",)),), direct=True),
        ),
        extend=2,
        summary="{environment} - Restart {service}",
        risk=Risk.HIGH,
        redact=("token", "password"),
        check="kubectl rollout status deployment/{service}",
        consequence="kubectl rollout undo deployment/{service}",
    )
    assert the_rule(config, "restart_service").gate is Gate.ALWAYS
    assert the_rule(config, "read_logs").gate is Gate.NEVER
    assert the_rule(config, "list_services").gate is Gate.NEVER
    assert the_rule(config, "scale").summary == "{environment} - Scale {service} to {replicas}"
    assert the_rule(config, "page_team").approvers[1] == Approvers(name="leads", users=("U07LEAD",))
    assert the_rule(config, "ask_user").decisions == (DecisionType.RESPOND,)
    assert config.reports == (ReportConfig("expiry", "#ops", Schedule("0 9 * * 1-5", "Europe/Berlin")),)
    assert the_rule(config, "nobody_named_this").gate is Gate.ALWAYS


def test_what_the_defaults_do_not_say_is_built_in(tmp_path: Path) -> None:
    assert rule_for(tmp_path, "defaults: {approvers: [leads]}", "any") == Rule(
        gate=Gate.ALWAYS,
        decisions=(DecisionType.APPROVE, DecisionType.REJECT),
        approvers=(Approvers(name="leads", users=("U1", "W2")),),
        self_approval=False,
        timeout=timedelta(minutes=30),
        summary=None,
        risk=None,
    )


def test_a_tool_takes_what_it_does_not_say_from_the_defaults(tmp_path: Path) -> None:
    rules = """\
defaults: {approvers: [leads], timeout: 2h, risk: high, decisions: [reject], self_approval: true, summary: "Do it"}
tools:
  x: {timeout: 1d}
"""
    rule = rule_for(tmp_path, rules, "x")
    assert rule.timeout == timedelta(days=1)
    assert (rule.risk, rule.self_approval, rule.summary) == (Risk.HIGH, True, "Do it")
    assert rule.decisions == (DecisionType.REJECT,)


def test_a_tool_may_say_what_is_built_in_against_the_defaults(tmp_path: Path) -> None:
    rules = "defaults: {approvers: [leads], timeout: 2h, risk: high}\ntools:\n  x: {timeout: 30m, risk: low}\n"
    rule = rule_for(tmp_path, rules, "x")
    assert (rule.timeout, rule.risk) == (timedelta(minutes=30), Risk.LOW)


def test_a_rule_never_inherits_from_another_rule(tmp_path: Path) -> None:
    rules = "defaults: {approvers: [leads]}\ntools:\n  read_*: {timeout: 1h, risk: high}\n  read_logs: {gate: never}\n"
    rule = rule_for(tmp_path, rules, "read_logs")
    assert (rule.gate, rule.timeout, rule.risk) == (Gate.NEVER, timedelta(minutes=30), None)


def test_the_requester_is_an_approver_without_a_definition(tmp_path: Path) -> None:
    rule = rule_for(tmp_path, "defaults: {approvers: [requester, oncall]}", "any")
    assert rule.approvers == (Approvers(name="requester"), Approvers(name="oncall", usergroup="oncall-sre"))


def test_nobody_may_decide_what_needs_no_decision(tmp_path: Path) -> None:
    rules = "defaults: {gate: never}\ntools:\n  x: {approvers: []}\n  y: {gate: always, approvers: [leads]}\n"
    assert rule_for(tmp_path, rules, "x").approvers == ()


def test_a_model_may_be_a_function_of_the_users_own(tmp_path: Path) -> None:
    text = HEAD.replace("p:m", "python:my.models:scripted") + "defaults: {gate: never}"
    assert loaded(tmp_path, text).agents["a"].model == "python:my.models:scripted"


def test_a_model_name_may_hold_colons_and_slashes(tmp_path: Path) -> None:
    text = HEAD.replace("p:m", "ollama:library/llama3:8b") + "defaults: {gate: never}"
    assert loaded(tmp_path, text).agents["a"].model == "ollama:library/llama3:8b"


def test_anchors_and_merges_are_yaml_like_any_other(tmp_path: Path) -> None:
    rules = "defaults: {approvers: [leads]}\ntools:\n  x: &x {timeout: 1h}\n  y:\n    <<: *x\n    risk: high\n"
    rule = rule_for(tmp_path, rules, "y")
    assert (rule.timeout, rule.risk) == (timedelta(hours=1), Risk.HIGH)


def test_the_configuration_cannot_be_changed(tmp_path: Path) -> None:
    config = loaded(tmp_path, HEAD + "defaults: {gate: never}")
    with pytest.raises(TypeError):
        config.agents["b"] = config.agents["a"]  # type: ignore[index]
    with pytest.raises(ValueError, match="frozen"):
        config.policy.defaults = config.policy.defaults
    with pytest.raises(AttributeError):
        config.path = Path("other")  # type: ignore[misc]


def test_a_report_may_be_quiet_and_is_in_utc_unless_it_says_otherwise(tmp_path: Path) -> None:
    text = HEAD + 'defaults: {gate: never}\nreports:\n- {name: a, channel: C0OPS, cron: "0 9 * * *", quiet: true}\n'
    assert loaded(tmp_path, text).reports == (ReportConfig("a", "C0OPS", Schedule("0 9 * * *", "UTC"), quiet=True),)
