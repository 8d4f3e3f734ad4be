"""A pattern of somebody else's is matched in time that grows with the text and not faster."""

import re

import pytest

from approvals.rules.patterns import ArgumentsValidator, is_linear, matches


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^[a-z]+$", "web", True),
        (r"^\d{4}-\d\d$", "2026-08", True),
        ("^(?!x)", "y", True),
        ("^(?!x)", "x", False),
    ],
)
def test_it_is_looked_for_anywhere(pattern: str, text: str, expected: bool) -> None:
    assert matches(pattern, text) is expected


def test_one_that_would_take_python_for_ever_does_not() -> None:
    assert not matches("^(a+)+$", "a" * 50_000 + "!")
    assert not ArgumentsValidator({"pattern": "^(a|a)*$"}).is_valid("a" * 50_000 + "!")


def test_what_the_linear_matcher_cannot_read_is_said() -> None:
    assert is_linear("^(a+)+$")
    assert not is_linear("^(?!x)")
    with pytest.raises(re.error):
        matches("(", "x")
