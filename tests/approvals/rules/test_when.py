"""Conditions: what is none is refused when the file is read; what is one has an answer, or a reason why not."""

import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.condition import Erred
from approvals.rules.when import WhenError, compile_when

ARGS: dict[str, Any] = {
    "environment": "prod",
    "replicas": 3,
    "share": 2.5,
    "force": True,
    "note": None,
    "sql": " \n SELECT * FROM users",
    "hosts": ["web-1", "web-2"],
    "labels": {"app.kubernetes.io/name": "checkout"},
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=10,
)


def answer(when: str, args: object = ARGS) -> bool | Erred:
    return compile_when(when).holds({"args": args, "agent": "oncall", "requester": "U0ANA", "channel": "C1"})


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ('args.environment in ["dev", "staging"]', False),
        ('args.environment in ["prod"]', True),
        ("args.replicas > 2", True),
        ("args.replicas == 3", True),
        ("args.replicas > 2.5", True),
        ("args.share < 3", True),
        ("args.force", True),
        ("args.force == false", False),
        ("args.note == null", True),
        ("has(args.owner)", False),
        ("has(args.replicas) && args.replicas < 2", False),
        ('"owner" in args', False),
        ('args.labels["app.kubernetes.io/name"] == "checkout"', True),
        ("size(args.hosts) == 2", True),
        ('args.hosts.all(host, host.startsWith("web-"))', True),
        ('args.hosts.exists(host, host == "db-1")', False),
        ('args.environment.startsWith("pro")', True),
        ('args.environment.endsWith("d")', True),
        ('args.environment.contains("ro")', True),
        ('args.environment.matches("^p")', True),
        (r'args.sql.matches(r"(?i)^\s*select\b")', True),
        ('args.sql.trim().lowerAscii().startsWith("select")', True),
        ('args.environment.upperAscii() == "PROD"', True),
        ('agent == "oncall" && requester == "U0ANA" && channel == "C1"', True),
        ("type(args.replicas) == int", True),
        # Whatever the first half says, the whole is known.
        ("args.owner == 1 || true || args.force", True),
    ],
)
def test_what_holds(when: str, holds: bool) -> None:
    assert answer(when) is holds


@pytest.mark.parametrize(
    ("when", "reason"),
    [
        ('args.owner == "bo"', 'there is no "owner" in what it looks at'),
        ("args.labels.zone.name == 1", 'there is no "zone" in what it looks at'),
        ('args.hosts[7] == "x"', "it looks beyond the end of a list"),
        ("args.environment > 3", "it compares or combines values of kinds that do not go together"),
        ("args.replicas / 0 == 1", "it divides by zero"),
        ("args.replicas + 9223372036854775807 > 0", "a number in it becomes too large"),
        ("int(args.environment) == 1", "a function in it cannot work with what it was given"),
        ("args.replicas", "its result is a number, not true or false"),
        ("args.environment", "its result is a text, not true or false"),
        ("args.note", "its result is nothing, not true or false"),
    ],
)
def test_what_has_no_answer_says_why_and_no_value(when: str, reason: str) -> None:
    assert answer(when) == Erred(reason)


@pytest.mark.parametrize(
    "value", [10**400, "\ud800", object()], ids=["a large number", "a lone surrogate", "an object"]
)
def test_an_argument_that_is_no_json_is_an_error(value: object) -> None:
    assert answer("args.x == 1", {"x": value}) == Erred("the arguments hold something that a condition cannot look at")


def test_nesting_that_would_end_the_process_is_an_error() -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    assert answer("args.x == 1", {"x": deep}) == Erred("the arguments are nested more than 100 deep")


@pytest.mark.parametrize(
    ("when", "args"),
    [
        ('args.x.matches("^(a|a)*(a+)+b$")', {"x": "a" * 900_000}),
        ("args.x.all(a, a >= 0 && size(args.x) > 1)", {"x": list(range(2_000))}),
        ("args.x.all(a, args.x.all(b, args.x.all(c, a + b + c >= 0)))", {"x": list(range(19_000))}),
        ("args.x.all(a, args.x.all(b, a + b >= 0))", {"x": list(range(160))}),
        (r'args.x.exists(a, a.matches("(?i)\\w{9}z"))', {"x": ["abc"] * 19_000}),
        (r'args.x.exists(a, a.matches("(?i)\\w{9}z"))', {"x": ["abc"] * 80}),
        ('args.x.exists(a, args.y.contains("q"))', {"x": [1] * 2_000, "y": "z" * 900_000}),
        ('args.x == "a"', {"x": "a" * 5_000_000}),
        ('args.x == "a"', {"x": [0] * 3_000_000}),
    ],
)
def test_no_argument_makes_it_slow(when: str, args: dict[str, object]) -> None:
    condition = compile_when(when)
    began = time.process_time()
    condition.holds({"args": args, "agent": "", "requester": "", "channel": ""})
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("when", "most", "reason"),
    [
        # Beside the list there are the mapping that it is in, the four variables and the mapping of these.
        ("size(args.x) > 0", 20_000 - 6, "the arguments are too large"),
        ('args.x.all(a, a.matches("a"))', 100 - 6, "the arguments are too large to look through one by one"),
    ],
)
def test_where_the_limit_is(when: str, most: int, reason: str) -> None:
    assert answer(when, {"x": ["a"] * most}) is True
    assert answer(when, {"x": ["a"] * (most + 1)}) == Erred(reason)


@given(
    VALUES,
    st.sampled_from(['args.x == "a"', "args.x.a.b > 1", "args.x[0]", "args.x.all(y, y > 0)", "size(args.x) > 1"]),
)
def test_whatever_the_arguments_it_answers(value: object, when: str) -> None:
    assert isinstance(answer(when, {"x": value}), bool | Erred)


def test_many_threads_may_ask_one_condition() -> None:
    answers: list[bool | Erred] = []
    threads = [
        threading.Thread(target=lambda: answers.extend(answer("args.replicas == 3") for _ in range(200)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 1_600


def test_a_condition_is_compiled_once() -> None:
    assert compile_when("args.replicas == 77") is compile_when("args.replicas == 77")


@pytest.mark.parametrize(
    "when",
    [
        *(before * 40 + "args.x" + after * 40 for before, after in ("()", "[]", ("{1:", "}"), ("size(", ")"))),
        *(sign * 1_990 + "args.x" for sign in "!-"),
        "args" + ".x" * 200,
        "args.x" + "[0]" * 600,
        "args.x?1:" * 60 + "2",
        "args.x||" * 199 + "true",
    ],
)
def test_the_deepest_condition_does_not_end_the_process(when: str) -> None:
    deep: object = 1
    for _ in range(95):
        deep = [deep]
    answers: list[bool | Erred] = []
    # As small as a thread's stack is anywhere.
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: answers.append(answer(when, {"x": deep})))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("when", "complaint"),
    [
        ("args.x =", "this is not a CEL expression (at character 8: token recognition error at: '='); an example is"),
        ("", "this is not a CEL expression (at character 1: mismatched input '<EOF>'); an example is args.environ"),
        ("environment == 1", '"environment" is not known here; a condition sees args, agent, requester, channel, and'),
        ("args.x.all(y, z == 1)", '"z" is not known here; '),
        ("true", "this is the same for every call; look at one of args, agent, requester, channel, or remove"),
        ('"prod" in ["prod"]', "this is the same for every call; "),
        ('args.x.startWith("a")', 'there is no function "startWith"; did you mean "startsWith"? there are contains, '),
        ("args.x.frobnicate()", 'there is no function "frobnicate"; there are '),
        ("args.x.matches(args.y)", "the pattern of matches must be written out, such as "),
        ('args.x.matches("(")', '"(" is not a regular expression of RE2'),
        ('args.x.matches("(?=a)")', '"(?=a)" is not a regular expression of RE2'),
        ("args.x == 1" + " || args.x == 1" * 200, "a condition may have 2,000 characters; this one has "),
        ("args.x.all(a, args.x.all(b, args.x.all(c, args.x.all(d, true))))", "at most 3 of all, exists, exists_one, "),
        ("(" * 41 + "args.x" + ")" * 41, "the condition is nested too deeply; write it flatter"),
        ("args" + ".x" * 201, "the condition is nested too deeply; write it flatter"),
    ],
)
def test_what_is_no_condition(when: str, complaint: str) -> None:
    with pytest.raises(WhenError) as caught:
        compile_when(when)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)
