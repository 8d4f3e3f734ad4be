"""What the policy hides is nowhere in what is left."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.redact import HIDDEN, hide, hide_text, secrets_in

KEYS = st.sampled_from(["token", "service", "auth"])
ARGS = st.dictionaries(
    KEYS,
    st.recursive(
        st.none() | st.integers() | st.text("abcxyz", max_size=9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=8,
    ),
)


def test_a_text_becomes_its_length_and_the_others_stay() -> None:
    args = {"token": "hunter22", "service": "checkout"}
    assert hide(args, ("token",)) == {"token": "hidden, 8 characters", "service": "checkout"}


def test_keys_are_found_at_any_depth() -> None:
    args = {"jobs": [{"auth": {"token": "abc", "user": "bo"}}, {"token": ""}]}
    assert hide(args, ("token",)) == {
        "jobs": [{"auth": {"token": "hidden, 3 characters", "user": "bo"}}, {"token": "hidden, 0 characters"}]
    }


@pytest.mark.parametrize(("value", "length"), [(1234, 4), (None, 4), ({"a": ["ä", 1]}, 13), ([], 2), (True, 4)])
def test_what_is_no_text_is_as_long_as_its_json(value: object, length: int) -> None:
    assert hide({"token": value}, ("token",)) == {"token": f"hidden, {length} characters"}


def test_nothing_is_hidden_that_is_not_named() -> None:
    args: dict[str, Any] = {"Token": "x", "service": "token", "list": ["token", {"tokens": 1}]}
    assert hide(args, ("token",)) == args
    assert secrets_in(args, ("token",)) == frozenset()


@given(ARGS)
def test_hiding_changes_no_argument_it_was_given(args: dict[str, Any]) -> None:
    before = json.dumps(args)
    hide(args, ("token", "auth"))
    assert json.dumps(args) == before


def test_secrets_are_the_hidden_texts_of_at_least_four_characters() -> None:
    args = {"auth": {"user": "bo", "keys": ["k-1234", 77777, {"more": "deep"}]}, "service": "checkout", "token": "abc"}
    assert secrets_in(args, ("auth", "token")) == {"k-1234", "deep"}


def test_blanks_are_no_secret() -> None:
    assert secrets_in({"token": " " * 9}, ("token",)) == frozenset()
    assert hide_text("a    b", ["    "]) == "a    b"


def test_the_longest_secret_goes_first() -> None:
    assert hide_text("key=abcd-efgh abcd", {"abcd", "abcd-efgh"}) == "key=[hidden] [hidden]"


def test_a_secret_is_found_as_json_spells_it_and_without_its_last_new_line() -> None:
    secret = 'p"ss\\wörd\n'
    for text in (secret, json.dumps({"k": secret}), json.dumps({"k": secret}, ensure_ascii=False), secret.strip()):
        assert "wörd" not in hide_text(text, [secret])
        assert "w\\u00f6rd" not in hide_text(text, [secret])


def test_a_secret_is_text_and_never_a_pattern() -> None:
    assert hide_text("a.*b abbb (", ["a.*b", "(((("]) == "[hidden] abbb ("


@given(st.text("ab[hiden] "), st.sets(st.text("abhiden", min_size=4), max_size=4))
def test_no_secret_is_left_in_the_text(text: str, secrets: set[str]) -> None:
    left = hide_text(text, secrets).replace("[hidden]", "\0")
    assert not any(secret in left for secret in secrets)


@pytest.mark.parametrize("secret", ['it\'s a "secret" one', "a\\b\nsecret", "it's sécret"])
@pytest.mark.parametrize("written", [repr, ascii, json.dumps, lambda text: json.dumps(repr(text)), lambda t: repr([t])])
def test_a_secret_is_hidden_as_python_and_json_write_it(secret: str, written: Callable[[str], str]) -> None:
    said = hide_text(f"bad {written(secret)}!", {secret})
    assert HIDDEN in said
    assert "cret" not in said
