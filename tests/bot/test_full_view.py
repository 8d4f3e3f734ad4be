"""Every argument, whole, in a view that Slack takes; whatever they hold."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals.rules.digest import canonical
from bot.cards.escape import hidden_count
from bot.forms.edit import NotEditable
from bot.forms.full_view import full_view
from demo.slack.blocks.validator import check_view
from tests.bot.edit_forms import KEY, Json

SIZE = 30_000
HUGE = {
    "plain": "x" * SIZE,
    "lines": "\n" * SIZE,
    "short lines": "a\n" * (SIZE // 2),
    "lines and tabs": "a\n\t" * (SIZE // 3),
    "emoji": "🚀" * SIZE,
    "Chinese": "中" * SIZE,
    "Chinese lines": "中\n" * (SIZE // 2),
    "bidirectional": "\u202e" * SIZE,
    "invisible": "\U000e0041" * SIZE,
    "mixed": "a\u200b🚀\U000e0041" * (SIZE // 4),
    "invisible among quotes": '"\U000e0041' * (SIZE // 2),
    "quotes": '"' * SIZE,
    "backslashes": "\\" * SIZE,
    "markup": "<!channel>&amp;" * (SIZE // 15),
    "control": "\x00" * (SIZE // 6),
    "blanks": " " * SIZE,
}


def shown(args: Json, *redact: str, approve: bool = True, warnings: tuple[str, ...] = ()) -> Json:
    view = full_view(KEY, "prod - Restart", canonical(args), redact, approve=approve, warnings=warnings)
    assert not isinstance(view, NotEditable), view.reason
    check_view(view)
    assert len(view["blocks"]) <= 95
    assert all(len(text.encode("utf-16-le")) // 2 <= 2_900 for text in preformatted(view))
    return view


def preformatted(node: Any) -> list[str]:
    if isinstance(node, list):
        return [text for one in node for text in preformatted(one)]
    if not isinstance(node, dict):
        return []
    if node.get("type") == "rich_text_preformatted":
        return [element["text"] for element in node["elements"]]
    return preformatted(list(node.values()))


def read_back(view: Json) -> str:
    """All preformatted text, with what was spelled out put back."""
    whole = "".join(preformatted(view)).replace("⏎\n", "\n").replace("⇥\t", "\t")
    return re.sub(r"\\u\{([0-9A-F ]+)\}", lambda found: "".join(chr(int(one, 16)) for one in found[1].split()), whole)


@pytest.mark.parametrize("content", HUGE)
def test_thirty_thousand_characters_of_anything_fit_whole(content: str) -> None:
    value = HUGE[content]
    view = shown({"value": value})
    assert hidden_count("".join(preformatted(view))) == 0
    back = read_back(view)
    assert value in back or json.dumps(value, ensure_ascii=False) in back


@pytest.mark.parametrize("content", HUGE)
def test_so_do_they_as_a_list_and_as_names(content: str) -> None:
    value = HUGE[content][: SIZE // 6]
    for args in ({"value": [value]}, {value: 1}):
        view = shown(args)
        assert hidden_count("".join(preformatted(view))) == 0


def test_thousands_of_arguments_fit() -> None:
    args = {f"a{number}": number for number in range(2_500)}
    assert len(canonical(args)) > 25_000
    assert "a2499  2499" in "".join(preformatted(shown(args)))


def test_what_cannot_be_shown_whole_is_not_shown_at_all() -> None:
    view = full_view(KEY, "h", canonical({"a": "🚀" * 60_000}), (), approve=True, warnings=())
    assert isinstance(view, NotEditable)
    assert "too long" in view.reason


def test_arguments_that_cannot_be_read_are_said_to_be() -> None:
    for odd in ("", "[1]", "{", "[" * 100_000, '{"a":' + "[" * 400 + "]" * 400 + "}"):
        assert isinstance(full_view(KEY, "h", odd, (), approve=True, warnings=()), NotEditable)


def test_short_arguments_stand_in_a_column_as_on_a_card() -> None:
    view = shown({"environment": "prod", "service": "checkout", "wait": True, "名前": "値"})
    assert preformatted(view) == ["environment  prod\nservice      checkout\nwait         true\n名前           値"]


def test_no_value_and_no_name_can_look_like_another_argument() -> None:
    view = shown({"a": "x\nservice  prod", "b\nservice  prod": "y", "c  d": 1})
    assert preformatted(view) == ["x⏎\nservice  prod", '"b\\nservice  prod"  y\n"c  d"              1']


def test_approve_is_offered_only_where_it_may_be() -> None:
    assert shown({"a": 1})["submit"]["text"] == "Approve"
    assert "submit" not in shown({"a": 1}, approve=False)
    assert shown({"a": 1})["callback_id"] == "approve_whole"
    assert shown({"a": 1})["private_metadata"] == "A-9Q2M7F3K.2.1"
    assert preformatted(shown({})) == ["(no arguments)"]


def test_warnings_stand_above_and_do_nothing() -> None:
    view = shown({"a": 1}, warnings=("Same call was rejected <!channel>",))
    assert view["blocks"][2]["text"]["type"] == "plain_text"
    assert "Same call was rejected" in view["blocks"][2]["text"]["text"]


def test_hidden_values_are_hidden_at_any_depth_and_in_other_values() -> None:
    secret = "s3cr3t-value"
    view = shown({"token": secret, "a": {"token": [secret]}, "url": f"https://x/?t={secret}"}, "token")
    assert secret not in json.dumps(view)
    assert "token  hidden, 12 characters" in "".join(preformatted(view))


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
        st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=3_000), st.integers(), st.none()),
        max_size=30,
    )
)
def test_whatever_they_hold_nothing_is_hidden(args: Json) -> None:
    view = full_view(KEY, "h", canonical(args), (), approve=True, warnings=())
    if isinstance(view, NotEditable):
        assert len(canonical(args)) > SIZE
        return
    check_view(view)
    assert hidden_count("".join(preformatted(view))) == 0


def test_a_value_that_an_edit_replaced_stays_hidden_wherever_it_still_stands() -> None:
    args = '{"hunter2-name":"a","note":"was hunter2-old","token":"new-secret"}'
    view = full_view(KEY, "x", args, ("token",), approve=True, warnings=(), secrets=frozenset({"hunter2-old"}))
    assert "hunter2-old" not in str(view)
    named = full_view(KEY, "x", '{"s3cretname":1,"token":"s3cret"}', ("token",), approve=True, warnings=())
    assert "s3cret" not in str(named).replace("[hidden]name", "")
