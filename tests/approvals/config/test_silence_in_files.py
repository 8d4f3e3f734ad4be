"""Reminders, escalations, extensions, pagers and look-ups: what is read, and what is refused, in whose line."""

from datetime import timedelta
from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.config.values import Config, PagerDuty, Webhook
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.select_rule import Call, select_rule
from approvals.rules.words import OnTimeout

MINUTE = timedelta(minutes=1)
LEADS = Approvers(name="leads", users=("U1",))
HEAD = """\
agents: {a: {factory: "m:f", model: "p:m"}}
approvers:
  leads: {users: [U1]}
  second: {lookup: "https://oncall.example.com/2", secret_env: ONCALL_SECRET}
pagers: {ops: {pagerduty_key_env: PD_KEY}, own: {webhook: "https://page.example.com", secret_env: PAGE_SECRET}}
defaults:
  approvers: [leads]
  timeout: 30m
  remind: [20m, 5m]
  escalate: {after: 10m, to: [second], page: ops}
tools:
"""


def loaded(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "countersign.yml"
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def rule_of(tmp_path: Path, rule: str) -> Rule:
    return select_rule(loaded(tmp_path, f"{HEAD}  x: {rule}\n").policy, Call("x", {}, "a", "U1", "C1"))


def test_a_rule_takes_reminders_and_escalations_from_the_defaults(tmp_path: Path) -> None:
    rule = rule_of(tmp_path, "{risk: high}")
    second = Approvers(name="second", lookup="https://oncall.example.com/2", secret_env="ONCALL_SECRET")
    assert rule.remind == (5 * MINUTE, 20 * MINUTE)
    assert rule.escalate == (Escalation(after=10 * MINUTE, to=(second,), page="ops"),)
    assert (rule.on_timeout, rule.extend) == (OnTimeout.REJECT, 0)


def test_what_comes_too_late_for_a_shorter_timeout_is_not_taken_over(tmp_path: Path) -> None:
    rule = rule_of(tmp_path, "{timeout: 10m}")
    assert (rule.remind, rule.escalate) == ((5 * MINUTE,), ())


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        (
            "{timeout: 5m, remind: [5m]}",
            "12: tools.x.remind: a reminder after 5m never comes: the call ex",
        ),
        ("{remind: [30m]}", "12: tools.x.remind: a reminder after 30m never comes"),
        (
            "{timeout: 5m, escalate: {after: 6m, to: [leads]}}",
            "12: tools.x.escalate.after: an escalation after 6m ne",
        ),
        (
            "{escalate: [{after: 6m, to: [lead]}]}",
            '12: tools.x.escalate.to: "lead" is not defined under approvers',
        ),
        ("{escalate: {after: 6m, to: [requester]}}", "12: tools.x.escalate.to: whoever asked knows of it already"),
        ("{escalate: {after: 6m, page: op}}", '12: tools.x.escalate.page: there is no pager "op"; define it under'),
        ("{escalate: {after: 6m}}", "12: tools.x.escalate: this calls nobody; say whom in to, where in channel"),
        (
            "{escalate: {after: 6m, page: ops, direct: true}}",
            "12: tools.x.escalate: direct sends the card to th",
        ),
        (
            "{escalate: {to: [leads]}}",
            "12: tools.x.escalate.after: this is missing; it must be a duration af",
        ),
        ("{escalate: {afer: 6m, to: [leads]}}", '12: tools.x.escalate.afer: unknown key; did you mean "after"?'),
        ("{escalate: never}", '12: tools.x.escalate: "never" is no escalation; write none, a step'),
        ("{remind: [5m, 5m]}", '12: tools.x.remind: "5m" stands here twice; keep one'),
        ("{remind: 5m}", "12: tools.x.remind: this must be a list of durations after opening, at most 10, such as"),
        ("{remind: [5]}", "12: tools.x.remind: the number 5 has no unit; write 5s, 5m or 5h, whichever you mean"),
        ("{extend: 2}", "12: tools.x.extend: the number 2 does not say of what; write max 2x"),
        ("{extend: max 21x}", '12: tools.x.extend: this must be "max 2x" or another number of times'),
        ("{on_timeout: approve}", '12: tools.x.on_timeout: "approve" is not allowed here; this must be reject'),
    ],
)
def test_what_is_wrong_is_told_in_its_line(rule: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        rule_of(tmp_path, rule)
    assert str(caught.value).replace(f"{tmp_path}/countersign.yml:", "").startswith(complaint)


def test_more_time_and_no_escalation(tmp_path: Path) -> None:
    rule = rule_of(tmp_path, "{extend: max 2x, escalate: none, on_timeout: cancel_run}")
    assert (rule.extend, rule.escalate, rule.on_timeout) == (2, (), OnTimeout.CANCEL_RUN)


def test_pagers_and_look_ups_name_the_variables_of_their_secrets(tmp_path: Path) -> None:
    config = loaded(tmp_path, f"{HEAD}  x: {{gate: never}}\n")
    assert dict(config.pagers) == {
        "ops": PagerDuty("ops", "PD_KEY"),
        "own": Webhook("own", "https://page.example.com", "PAGE_SECRET"),
    }
    assert (config.pager_secrets, config.lookup_secrets) == ({"PD_KEY", "PAGE_SECRET"}, {"ONCALL_SECRET"})


def test_everybody_who_may_decide_something_may_freeze_unless_the_file_says_who(tmp_path: Path) -> None:
    config = loaded(tmp_path, f"{HEAD}  x: {{gate: never}}\n")
    assert [one.name for one in config.freezers] == ["leads", "second"]
    assert loaded(tmp_path, f"freeze: [leads]\n{HEAD}  x: {{gate: never}}\n").freezers == (LEADS,)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("freeze: [lead]", 'freeze: "lead" is not defined under approvers'),
        ("freeze: []", "freeze: this is empty; it must be a list of names from the section approvers"),
    ],
)
def test_a_wrong_freeze(line: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"countersign\.yml:1") as caught:
        loaded(tmp_path, f"{line}\n{HEAD}  x: {{gate: never}}\n")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ("approvers: {x: {lookup: 'https://a.example'}}", "lookup and secret_env belong together"),
        ("approvers: {x: {users: [U1], secret_env: A}}", "lookup and secret_env belong together"),
        ("approvers: {x: {lookup: 'https://u:p@a.example', secret_env: A}}", "this must be an address that says who"),
        (
            "approvers: {x: {lookup: 'https://a.example', secret_env: hunter2}}",
            "this must be the name of an envi",
        ),
        ("pagers: {x: {webhook: 'https://a.example'}}", "webhook and secret_env belong together"),
        ("pagers: {x: {pagerduty_key_env: A, webhook: 'https://a.example', secret_env: A}}", "exactly one of the two"),
        ("pagers: {x: {}}", "this needs either pagerduty_key_env or webhook"),
        ("pagers: {x: {pager: y}}", "unknown key; allowed here: pagerduty_key_env, webhook, secret_env"),
    ],
)
def test_a_wrong_pager_or_look_up(section: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, f"{section}\nagents: {{a: {{factory: 'm:f', model: 'p:m'}}}}\ndefaults: {{gate: never}}\n")
    assert complaint in str(caught.value)
