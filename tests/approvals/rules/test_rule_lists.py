"""Lists of rules: the first whose `when` holds; and an error in a `when` never lets a call through."""

from datetime import timedelta

import pytest

from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Held, Policy, Selected, ToolRule, look_up, possible_rules, select_rule
from approvals.rules.words import DecisionType, Gate

PROD, STAGING, UNSAID = {"environment": "prod"}, {"environment": "staging"}, dict[str, str]()
IN_STAGING = 'args.environment == "staging"'
IN_PROD = 'args.environment == "prod"'


def a_rule(summary: str, gate: Gate = Gate.ALWAYS) -> Rule:
    return Rule(
        gate=gate,
        decisions=(DecisionType.APPROVE,),
        approvers=(),
        timeout=timedelta(minutes=30),
        summary=summary,
    )


def entry(summary: str, when: str | None = None, gate: Gate = Gate.ALWAYS, pattern: str = "restart") -> ToolRule:
    return ToolRule(pattern=pattern, rule=a_rule(summary, gate), when=when)


def selected(args: dict[str, str], *entries: ToolRule, defaults: Gate = Gate.ALWAYS, tool: str = "restart") -> Selected:
    policy = Policy(defaults=a_rule("defaults", defaults), tools=entries)
    call = Call(tool, args, "oncall", "U0ANA", "C1")
    found = look_up(policy, call)
    assert select_rule(policy, call) == found.rule
    return found


def said(found: Selected) -> tuple[str | None, Gate]:
    return found.rule.summary, found.rule.gate


def test_the_first_rule_whose_when_holds_is_the_one() -> None:
    rules = entry("one", IN_STAGING, Gate.NEVER), entry("two", IN_PROD), entry("three")
    assert said(selected(STAGING, *rules)) == ("one", Gate.NEVER)
    assert said(selected(PROD, *rules)) == ("two", Gate.ALWAYS)
    assert said(selected({"environment": "dev"}, *rules)) == ("three", Gate.ALWAYS)


def test_where_none_holds_the_defaults_apply() -> None:
    assert said(selected(PROD, entry("one", IN_STAGING), defaults=Gate.NEVER)) == ("defaults", Gate.NEVER)


def test_a_list_is_no_fallback_for_a_list_that_beats_it() -> None:
    rules = entry("exact", IN_STAGING), entry("pattern", pattern="re*")
    assert said(selected(PROD, *rules)) == ("defaults", Gate.ALWAYS)
    assert selected(PROD, *rules).beaten == ("re*",)


@pytest.mark.parametrize("gate", [Gate.NEVER, Gate.RECORD])
def test_an_error_in_a_rule_that_lets_through_gates_the_call(gate: Gate) -> None:
    rules = entry("one", IN_STAGING, gate), entry("two", None, Gate.NEVER)
    assert said(selected(UNSAID, *rules)) == ("two", Gate.ALWAYS)
    assert selected(UNSAID, *rules).raised
    assert said(selected(UNSAID, *rules[:1], defaults=Gate.NEVER)) == ("defaults", Gate.ALWAYS)
    assert said(selected(PROD, *rules)) == ("two", Gate.NEVER)


def test_a_rule_that_gates_applies_where_its_when_has_no_answer() -> None:
    rules = entry("one", IN_PROD), entry("two", None, Gate.NEVER)
    assert said(selected(UNSAID, *rules)) == ("one", Gate.ALWAYS)
    assert not selected(UNSAID, *rules).raised


def test_an_error_counts_also_where_a_later_when_holds() -> None:
    rules = entry("one", "args.force", Gate.NEVER), entry("two", IN_STAGING, Gate.NEVER)
    assert said(selected(STAGING, *rules)) == ("two", Gate.ALWAYS)


def test_what_is_after_the_one_that_applies_is_not_looked_at() -> None:
    found = selected(STAGING, entry("one", IN_PROD), entry("two", IN_STAGING), entry("three", "args.force"))
    assert [one.held for one in found.looked] == [Held.DOES_NOT_HOLD, Held.HOLDS, Held.NOT_REACHED]
    assert found.chosen is not None
    assert found.chosen.rule.summary == "two"


def test_a_result_that_is_not_true_or_false_is_an_error() -> None:
    found = selected(PROD, entry("one", "args.environment", Gate.NEVER), defaults=Gate.NEVER)
    assert (said(found), found.looked[0].reason) == (
        ("defaults", Gate.ALWAYS),
        "its result is a text, not true or false",
    )


def test_patterns_have_lists_too() -> None:
    rules = entry("one", IN_STAGING, pattern="re*"), entry("two", pattern="re*"), entry("all", pattern="*")
    assert said(selected(PROD, *rules)) == ("two", Gate.ALWAYS)
    assert selected(PROD, *rules).beaten == ("*",)


@pytest.mark.parametrize(
    ("entries", "possible"),
    [
        ((), ["defaults"]),
        ((entry("one", IN_STAGING), entry("two", IN_PROD)), ["one", "two", "defaults"]),
        ((entry("one", IN_STAGING), entry("rest")), ["one", "rest"]),
        ((entry("any", pattern="re*"), entry("exact", IN_PROD)), ["exact", "defaults"]),
        ((entry("other", pattern="scale"),), ["defaults"]),
    ],
)
def test_which_rules_a_call_of_the_tool_may_fall_under(entries: tuple[ToolRule, ...], possible: list[str]) -> None:
    policy = Policy(defaults=a_rule("defaults"), tools=entries)
    assert [rule.summary for rule in possible_rules(policy, "restart")] == possible
