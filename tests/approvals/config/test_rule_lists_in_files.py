"""Lists of rules, conditions and what must fit together across the file: read right, or refused in its line."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import lint_config
from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, select_rule
from approvals.rules.words import DecisionType, Gate, Risk

# Lines 1 to 7; what a test adds begins in line 8.
HEAD = """\
agents:
  a: {factory: "m:f", model: "p:m"}
approvers:
  oncall: {usergroup: oncall-sre}
  leads: {users: [U1, U2]}
defaults: {approvers: [oncall], timeout: 2h, redact: [token]}
tools:
"""

RESTART = """\
  restart:
    - {when: 'args.environment in ["dev", "staging"]', gate: never}
    - {when: "args.environment == 'qa'", gate: record, redact: []}
    - summary: "{environment} - Restart {service}"
      risk: high
      quorum: 2
      route: "#prod-approvals"
      check: "kubectl rollout status {service}"
      consequence: "rollback {service}"
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "countersign.yml"
    file.write_text(text, encoding="utf-8")
    return file


def rule_for(tmp_path: Path, rules: str, tool: str, **args: object) -> Rule:
    config, _ = lint_config(written(tmp_path, HEAD + rules))
    return select_rule(config.policy, Call(tool, args, "a", "U1", "C1"))


def the_line(tmp_path: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        lint_config(written(tmp_path, text))
    return str(caught.value).replace(f"{tmp_path}/", "")


def warned(tmp_path: Path, rules: str) -> list[str]:
    _, warnings = lint_config(written(tmp_path, HEAD + rules))
    return [str(one).replace(f"{tmp_path}/countersign.yml:", "") for one in warnings]


def test_each_rule_of_a_list_takes_from_the_defaults_only(tmp_path: Path) -> None:
    staging = rule_for(tmp_path, RESTART, "restart", environment="staging")
    assert (staging.gate, staging.quorum, staging.summary, staging.redact) == (Gate.NEVER, 1, None, ("token",))
    assert rule_for(tmp_path, RESTART, "restart", environment="qa").gate is Gate.RECORD
    assert rule_for(tmp_path, RESTART, "restart", environment="qa").redact == ()
    prod = rule_for(tmp_path, RESTART, "restart", environment="prod")
    assert (prod.gate, prod.quorum, prod.risk, prod.route) == (Gate.ALWAYS, 2, Risk.HIGH, "#prod-approvals")
    assert (prod.check, prod.consequence) == ("kubectl rollout status {service}", "rollback {service}")
    assert (prod.redact, prod.approvers[0].name) == (("token",), "oncall")


def test_one_rule_may_have_a_when(tmp_path: Path) -> None:
    rules = "  look: {when: \"requester == 'U1'\", gate: never}\n"
    assert rule_for(tmp_path, rules, "look").gate is Gate.NEVER
    assert rule_for(tmp_path, rules.replace("U1", "U2"), "look").gate is Gate.ALWAYS


def test_every_decision_can_be_had(tmp_path: Path) -> None:
    rules = "  ask: {decisions: [respond], approvers: [requester]}\n  x: {decisions: [approve, edit, reject]}\n"
    assert rule_for(tmp_path, rules, "ask").decisions == (DecisionType.RESPOND,)
    assert rule_for(tmp_path, rules, "x").decisions == tuple(DecisionType)[:3]


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("  x: []\n", "8: tools.x: this is empty; it must be a rule, which is a mapping such as {gate: always, "),
        ("  x: [5]\n", "8: tools.x: the number 5 does not fit here; this must be a rule, which is a mapping"),
        ("  x:\n    - risk: high\n    - timeout: 5\n", "10: tools.x.timeout: the number 5 has no unit; "),
        ("  x:\n    - rsk: high\n", '9: tools.x.rsk: unknown key; did you mean "risk"? allowed here: '),
        ("  x:\n    - gate: never\n      remind: 5m\n", "10: tools.x.remind: this must be a list of durations"),
        ("  x:\n    - gate:\n", "9: tools.x.gate: this has no value; "),
        ("  x:\n    - approvers: [lead]\n", '9: tools.x.approvers: "lead" is not defined under approvers; '),
        (
            "  x:\n    - {when: args.a == 1}\n    - gate: never\n    - risk: low\n",
            "10: tools.x: this rule has no when, so that it always applies and the rules after it never do; ",
        ),
        ("  x:\n    when: args.a =\n", "9: tools.x.when: this is not a CEL expression (at character 8: "),
        ("  x:\n    when: env == 1\n", '9: tools.x.when: "env" is not known here; '),
        ("  x:\n    when: true\n", "9: tools.x.when: this must be a condition in quotes, such as "),
        ('  x:\n    when: "true"\n', "9: tools.x.when: this is the same for every call; "),
        ('  x:\n    when: ""\n', "9: tools.x.when: this is not a CEL expression ("),
        ("  x:\n    quorum: 0\n", "9: tools.x.quorum: this must be a whole number, 1 or more: how many people must ap"),
        ("  x:\n    quorum: true\n", "9: tools.x.quorum: this must be a whole number, 1 or more: how many people must"),
        ("  x:\n    quorum: 1.5\n", "9: tools.x.quorum: this must be a whole number, 1 or more: how many people must"),
        ("  x:\n    redact: token\n", "9: tools.x.redact: this must be a list of names of arguments whose values "),
        ("  x:\n    redact: [a, a]\n", '9: tools.x.redact: "a" stands here twice; keep one.'),
        ("  x:\n    route: prod\n", "9: tools.x.route: this must be a channel as #name, in quotes, or by its id (C"),
        ("  x:\n    route: #prod\n", "9: tools.x.route: this has no value; give it one, or remove the line."),
        ('  x:\n    check: "{a.b}"\n', "9: tools.x.check: only the names of the tool's arguments may stand in braces"),
        (
            "  x: {decisions: [respond], quorum: 2}\n",
            "8: tools.x.decisions: an answer is given by one person, and the ",
        ),
        ("  x: {decisions: [edit, reject], quorum: 2}\n", "8: tools.x.decisions: nobody could add a second yes: "),
        (
            "  x: {approvers: [leads], quorum: 3}\n",
            "8: tools.x.quorum: the quorum is 3, and only 2 people are named under approvers; name more people, or",
        ),
        ("  x: {approvers: [requester], quorum: 2}\n", "8: tools.x.quorum: the quorum is 2, and only 1 person is "),
        (
            "  x:\n    - {when: args.a == 1, gate: never}\n    - {gate: record, approvers: []}\n",
            "10: tools.x.approvers: nobody may decide here: where a when before it has no answer the call is gated, ",
        ),
    ],
)
def test_what_is_wrong_in_a_rule_is_told_in_its_line(rules: str, line: str, tmp_path: Path) -> None:
    assert the_line(tmp_path, HEAD + rules).startswith(f"countersign.yml:{line}")


def test_the_defaults_have_no_when(tmp_path: Path) -> None:
    text = HEAD.replace("defaults: {", "defaults: {when: args.a == 1, ")
    assert the_line(tmp_path, text + "  x: {}\n") == (
        "countersign.yml:6: defaults.when: defaults apply to every call that no rule is for; write when in a rule of "
        "a tool."
    )


def test_defaults_to_which_an_error_leads_need_somebody(tmp_path: Path) -> None:
    text = HEAD.replace("{approvers: [oncall], ", "{gate: never, ")
    rule = "  x: {when: args.a == 1, gate: never}\n"
    assert the_line(tmp_path, text + rule).startswith(
        "countersign.yml:6: defaults.approvers: nobody may decide here: where a when before it has no answer"
    )
    lint_config(written(tmp_path, text + "  x: [{when: args.a == 1, gate: never}, {approvers: [leads]}]\n"))


def test_a_quorum_from_the_defaults_must_fit_the_rules_own_people(tmp_path: Path) -> None:
    text = HEAD.replace("defaults: {", "defaults: {quorum: 3, ")
    assert the_line(tmp_path, text + "  x: {approvers: [leads]}\n").startswith(
        "countersign.yml:8: tools.x.approvers: the quorum is 3, and only 2 people are named under approvers; "
    )
    lint_config(written(tmp_path, text + "  x: {gate: never, approvers: [leads]}\n  y: {approvers: [leads, oncall]}\n"))


@pytest.mark.parametrize(
    ("rules", "warnings"),
    [
        ("  x: {quorum: 2}\n", []),
        (
            "  x:\n    summary: Log in with {token}\n",
            ['9: tools.x.summary: the summary names {token}, which redact hides, so that it will say "hidden"'],
        ),
        (
            "  x:\n    check: look at {a}\n    redact: [a]\n",
            ["9: tools.x.check: the check names {a}, which redact hid"],
        ),
        ("  x:\n    redact: [auth.token]\n", ['9: tools.x.redact: "auth.token" hides only what has exactly this name']),
        ("  x:\n    decisions: [reject]\n", ["9: tools.x.decisions: by these decisions it can never run; "]),
        (
            "  x:\n    approvers: [leads]\n    quorum: 2\n",
            ["10: tools.x.quorum: all 2 people who are named must approve, and whoever asked the agent may not approv"],
        ),
    ],
)
def test_what_is_probably_not_meant_is_a_warning(rules: str, warnings: list[str], tmp_path: Path) -> None:
    found = warned(tmp_path, rules)
    assert len(found) == len(warnings)
    assert all(one.startswith(start) for one, start in zip(found, warnings, strict=True))
