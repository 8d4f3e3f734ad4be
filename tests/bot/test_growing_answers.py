"""What is shown of an answer whose end is not there yet: nothing that the whole would not show, however it is cut into
pieces."""

from hypothesis import example, given
from hypothesis import strategies as st

from approvals.ledger.database import storable
from approvals.rules.redact import hide_beginning, hide_text
from bot.cards.says import ANSWER_ROOM, certain, says

# What defusing and hiding turn on, so that it is met at the edges of pieces.
TRICKY = st.text(st.sampled_from("ab](:[<!>&\r\n\t \u0301\ufe0f\u202e\x00\x1c_*`"), max_size=30)
PIECES = st.lists(
    st.one_of(TRICKY, st.text(max_size=8), st.sampled_from(["<!channel>", "[a](b)", "hunter", "22", "er22x"]))
)
SECRETS = st.sets(st.sampled_from(["hunter22", "er22xy", "hunter", "aaaa", 'qu"ote', "](b)", "  spaced  "]))


def shown(text: str, secrets: frozenset[str] = frozenset()) -> str:
    return str(says("answer", hide_text(storable(text), secrets)).blocks[0]["text"])


@given(PIECES, SECRETS)
@example(["see [this]", "(https://evil.example)"], set())
@example(["hun", "ter22x", "y"], {"hunter22", "er22xy"})
@example(["a\r", "\nb \ufe0f", "](x"], set())
def test_what_was_appended_is_the_beginning_of_what_the_whole_shows(pieces: list[str], secrets: set[str]) -> None:
    whole, sent = "".join(pieces), ""
    for number in range(len(pieces) + 1):
        words = certain(hide_beginning(storable("".join(pieces[:number])), secrets))
        assert words.startswith(sent)
        sent = words
    if whole.strip():
        assert shown(whole, frozenset(secrets)).startswith(sent)
    else:
        assert sent == ""


@given(st.text(st.sampled_from("a](<\n "), max_size=40).filter(str.strip))
def test_nothing_is_held_back_for_good(text: str) -> None:
    # With an end that leaves nothing open, all but that end has been shown.
    assert certain(f"{text}.") == shown(f"{text}.")


def test_a_long_answer_is_certain_as_far_as_it_is_not_cut() -> None:
    long = "<word> " * 5_000
    for length in (100, 11_000, 12_000, 13_000, 35_000):
        assert shown(long).startswith(certain(long[:length]))
    assert len(certain(long)) > ANSWER_ROOM - 200
