from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Policy, ToolRule, select_rule
from approvals.rules.words import DecisionType, Gate

LETTERS = st.text("ab_.", max_size=5)
NAMES = LETTERS.filter(bool)
PATTERNS = st.builds(lambda before, after: f"{before}*{after}", LETTERS, LETTERS)


def a_rule(summary: str) -> Rule:
    return Rule(
        gate=Gate.ALWAYS,
        decisions=(DecisionType.APPROVE,),
        approvers=(),
        timeout=timedelta(minutes=30),
        summary=summary,
    )


def a_policy(*patterns: str) -> Policy:
    """Every rule says in its summary which entry it came from."""
    tools = tuple(ToolRule(pattern=pattern, rule=a_rule(pattern)) for pattern in patterns)
    return Policy(defaults=a_rule("defaults"), tools=tools)


def chosen(tool: str, *patterns: str) -> str | None:
    return select_rule(a_policy(*patterns), Call(tool, {}, "oncall", "U1", "C1")).summary


def test_a_tool_that_no_rule_names_gets_the_defaults() -> None:
    assert chosen("drop_table", "read_*", "restart_service") == "defaults"


def test_an_exact_name_beats_a_longer_pattern() -> None:
    assert chosen("read_all", "read_al*l", "read_all", "*") == "read_all"


def test_a_longer_pattern_beats_a_shorter_one() -> None:
    assert chosen("read_logs", "*", "read_*", "r*") == "read_*"


def test_patterns_of_one_length_go_by_name_order() -> None:
    assert chosen("read_logs", "rea*s", "re*gs", "read*") == "re*gs"


@pytest.mark.parametrize(
    ("pattern", "tool", "matches"),
    [
        ("read_*", "read_logs", True),
        ("read_*", "read_", True),
        ("read_*", "Read_logs", False),
        ("read_*", "xread_logs", False),
        ("get_*_logs", "get_pod_logs", True),
        ("get_*_logs", "get_logs", False),
        ("ab*ba", "aba", False),
        ("*_logs", "read_logs", True),
        ("read_*", "k8s.read_pods", False),
        ("*", "k8s.read_pods", False),
        ("*_pods", "k8s.read_pods", False),
        ("k8s.read_*", "k8s.read_pods", True),
        ("k8s.*", "k8s.delete", True),
        ("k8s.read_*", "k8s_read_pods", False),
        ("read_?ogs", "read_logs", False),
        ("read_[l]ogs", "read_logs", False),
    ],
)
def test_what_a_pattern_matches(pattern: str, tool: str, matches: bool) -> None:
    assert chosen(tool, pattern) == (pattern if matches else "defaults")


@given(st.lists(NAMES | PATTERNS, unique=True, max_size=8), NAMES, st.data())
def test_the_order_of_the_file_never_matters(patterns: list[str], tool: str, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(patterns))
    assert chosen(tool, *patterns) == chosen(tool, *shuffled)


@given(st.lists(NAMES | PATTERNS, unique=True, max_size=8), NAMES)
def test_a_tool_named_exactly_always_gets_its_own_rule(patterns: list[str], tool: str) -> None:
    assert chosen(tool, *patterns, *([] if tool in patterns else [tool])) == tool


@given(st.lists(PATTERNS, unique=True, max_size=8), NAMES)
def test_no_matching_pattern_is_longer_than_the_chosen_one(patterns: list[str], tool: str) -> None:
    longest = max((len(pattern) for pattern in patterns if chosen(tool, pattern) == pattern), default=None)
    found = chosen(tool, *patterns)
    assert found == "defaults" if longest is None else len(found or "") == longest


@given(st.lists(PATTERNS.filter(lambda pattern: "." not in pattern), max_size=8), LETTERS, LETTERS)
def test_a_pattern_without_a_dot_never_reaches_another_server(patterns: list[str], before: str, after: str) -> None:
    assert chosen(f"{before}.{after}", *patterns) == "defaults"
