import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.select_rule import SUMMARY_LIMIT, fill_summary

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_arguments_are_filled_in() -> None:
    args = {"environment": "prod", "service": "checkout", "replicas": 3}
    filled = fill_summary("{environment} - Scale {service} to {replicas}", "scale", args)
    assert filled == "prod - Scale checkout to 3"


def test_an_argument_that_is_not_there_keeps_its_name_in_braces() -> None:
    assert fill_summary("Restart {service}", "restart_service", {}) == "Restart {service}"


@pytest.mark.parametrize("summary", [None, "", "  ", "{blank}"])
def test_without_words_of_its_own_it_is_the_name_of_the_tool(summary: str | None) -> None:
    assert fill_summary(summary, "restart_service", {"blank": " \n "}) == "restart_service"


@pytest.mark.parametrize("value", ["{other}", "{0}", "{a.__class__}", "%s", "{other!r:>99}", "\\1", "\\g<0>"])
def test_a_value_is_text_and_never_a_placeholder(value: str) -> None:
    assert fill_summary("Run {command}", "run", {"command": value, "other": "SECRET"}) == f"Run {value}"


def test_a_value_stays_on_one_line() -> None:
    assert fill_summary("Run {c}", "run", {"c": "a\r\n\tb\u2028c\x0bd"}) == "Run a b c d"


def test_a_long_value_is_cut_at_80_characters() -> None:
    assert fill_summary("{c}", "run", {"c": "x" * 81}) == "x" * 79 + "…"
    assert fill_summary("{c}", "run", {"c": "x" * 80}) == "x" * 80


def test_values_that_are_not_text_are_written_as_json() -> None:
    args = {"flag": True, "nothing": None, "list": ["ä", {"k": 1}]}
    assert fill_summary("{flag} {nothing} {list}", "t", args) == 'true null ["ä", {"k": 1}]'


@given(st.text(), st.dictionaries(st.sampled_from(["a", "b", "service"]), JSON), st.text(min_size=1))
def test_it_is_always_one_line_of_at_most_150_characters(text: str, args: dict[str, object], tool: str) -> None:
    filled = fill_summary(text + "{a}{b}{service}", tool, args)
    assert len(filled) <= SUMMARY_LIMIT
    assert len(filled.splitlines()) <= 1


def test_without_a_summary_it_names_the_tool_and_its_plain_arguments() -> None:
    args = {"environment": "prod", "service": "checkout", "replicas": 5, "wait": True, "note": None, "tags": ["a"]}
    said = "restart_service: environment prod, service checkout, replicas 5, wait true"
    assert fill_summary(None, "restart_service", args) == said


def test_without_a_summary_no_argument_pushes_the_others_off_the_line() -> None:
    args = {"query": "x" * 500, "environment": "prod"}
    assert fill_summary(None, "run", args) == f"run: query {'x' * 39}…, environment prod"


def test_what_is_redacted_is_hidden_and_never_volunteered() -> None:
    args = {"token": "hunter22", "auth": {"token": "hunter22", "user": "bo"}, "service": "checkout"}
    filled = fill_summary("{service} {token} {auth}", "login", args, ("token",))
    assert filled == 'checkout hidden {"token": "hidden", "user": "bo"}'
    assert fill_summary(None, "login", args, ("token",)) == "login: service checkout"


@given(st.text(), st.dictionaries(st.sampled_from(["token", "b"]), st.just("hunter22")))
def test_a_redacted_value_is_in_no_line(text: str, args: dict[str, object]) -> None:
    redact = tuple(args)
    assert "hunter22" not in fill_summary(text.replace("hunter22", "") + "{token}{b}", "tool", args, redact)
    assert "hunter22" not in fill_summary(None, "tool", {"c": [args]}, redact)
