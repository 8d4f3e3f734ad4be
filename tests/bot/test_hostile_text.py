"""Whatever a tool, a model or a person writes, nothing in a message of ours acts, and nothing is hidden."""

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals.records import Approval
from approvals.rules.words import Effect, Status
from bot.cards.card import CardMessage, render, render_short
from bot.cards.escape import escape, visible
from bot.cards.says import says
from demo.slack.blocks.validator import check_message
from tests.bot.values import AROUND, BO, OPENED, a_rule, an_approval, approved

HOSTILE = [
    "<!channel>", "<!here>", "<!everyone>", "<!here|innocent>", "<@U1EVIL>", "<@U1EVIL|ana>", "<#C1EVIL|ops>",
    "<!subteam^S1EVIL>", "<!subteam^S1EVIL|@oncall>", "<!date^0^{date}|long ago>", "<https://evil.example|Approve>",
    "<mailto:a@evil.example|mail>", "<javascript:alert(1)|x>", "&lt;!channel&gt;", "&amp;lt;!channel&amp;gt;",
    "&#60;!channel&#62;", "<<!channel>>", "<\u200b!channel>", "\uff1c!channel\uff1e", "<!channel", "!channel>",
    "*approved*", "_approved_", "~rejected~", "`code`", "```\n<!channel>\n```", "> quoted", ":warning: Approved",
    ":white_check_mark:", "• Approve", "[Approve](https://evil.example)", "![x](https://evil.example/x.png)",
    "# heading", "@channel", "@here", "https://evil.example", "\u202eevorppA", "\u2066x\u2069", "\u200f\u200e",
    "pro\u200bd", "prod\u200d", "\ufeffprod", "\u2060prod", "pr\u00adod", "prod\u00a0", "\u3000prod", "\u3164",
    "\u115f\u1160", "\u2800", "\ufe0f\ufe0e", "\U000e0041\U000e0042", "\U000e0100", "\u180e", "\u034f", "\u17b4",
    "a\x00b", "a\x07b", "a\x1b[31mred", "a\rb", "a\x08b", "a\x85b", "line\u2028line", "para\u2029para", "a\nb",
    "a\tb", "\ud800", "\ue000", "\U000f0000", "\uffff", "\u0378", "x" * 20_000, "\n" * 5_000, "<!channel>" * 3_000, "",
    " ", "&" * 400, "𝕏" * 4_000,
]  # fmt: skip
TOKEN = re.compile(r"<[@#!]|<[a-z]+:|<[^<>]*\|")
HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"}


def messages(text: str) -> Iterator[CardMessage]:
    """The text in every place that somebody else's text gets into."""
    args = json.dumps({"service": text, text: text, "nested": {text: [text]}})
    common: dict[str, Any] = {
        "args_json": args,
        "claim": text,
        "tool": text or "t",
        "rule": a_rule(summary="{service}"),
    }
    named = {"agent": text, "decided_by": text, "settled_by": text, "decided_at": OPENED, "reason": text}
    yield from both(an_approval(**common))
    yield from both(approved(Effect.DONE, **common, result=text))
    yield from both(approved(Effect.UNKNOWN, **common))
    for status in (Status.REJECTED, Status.CANCELLED, Status.SUPERSEDED, Status.EXPIRED):
        yield from both(an_approval(status=status, **common, **named))
    yield says("answer", text)
    yield says("notice", text)


def both(approval: Approval) -> list[CardMessage]:
    return [render(approval, AROUND), render_short(approval, AROUND)]


def live_texts(node: Any) -> Iterator[str]:
    """Texts in which Slack looks for tokens."""
    if isinstance(node, dict):
        if node.get("type") in ("mrkdwn", "markdown"):
            yield node["text"]
        yield from live_texts(list(node.values()))
    elif isinstance(node, list | tuple):
        for child in node:
            yield from live_texts(child)


def all_texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from all_texts(list(node.values()))
    elif isinstance(node, list | tuple):
        for child in node:
            yield from all_texts(child)


def without_ours(text: str) -> str:
    """The tokens that we put there ourselves: the approvers, those who asked and decided, and times."""
    return re.sub(rf"<!subteam\^S1ONCALL>|<@U1ANA>|<@{BO}>|<!date\^\d+\^[^|<>]*\|[^<>]* UTC>", "", text)


def element_types(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("type"), str):
            yield node["type"]
        yield from element_types(list(node.values()))
    elif isinstance(node, list | tuple):
        for child in node:
            yield from element_types(child)


def assert_harmless(message: CardMessage) -> None:
    check_message(list(message.blocks))
    for live in [message.text, *live_texts(message.blocks)]:
        assert not TOKEN.search(without_ours(live)), live[:200]
    assert not {"link", "user", "usergroup", "channel", "broadcast", "image", "emoji"} & set(
        element_types(message.blocks)
    )
    for text in [message.text, *all_texts(message.blocks)]:
        assert [c for c in text if unicodedata.category(c) in HIDDEN and c not in "\n\t"] == []


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_hostile_text_neither_acts_nor_hides(text: str) -> None:
    for message in messages(text):
        assert_harmless(message)


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_no_text_at_all_acts_or_hides(text: str) -> None:
    for message in messages(text):
        assert_harmless(message)


@given(st.text(st.characters(), max_size=200))
def test_what_can_be_seen_is_kept(text: str) -> None:
    seen = "".join(c for c in text if c.isascii() and c.isprintable() and c not in "&<> *_~`:")
    assert seen in visible(seen)
    assert escape(seen) == seen


def test_a_call_with_hidden_characters_says_so() -> None:
    shown = str(render(an_approval(args_json='{"service":"check\\u200bout"}'), AROUND).blocks)
    assert "check\\\\u{200B}out" in shown
    assert "invisible or unusual characters" in shown


def test_an_answer_keeps_its_markdown() -> None:
    message = says("answer", "**Done** in `prod`\n- 5/5 ready <!channel> \u26a0\ufe0f a & b")
    assert message.blocks[0]["text"] == "**Done** in `prod`\n- 5/5 ready &lt;!channel&gt; \u26a0 a & b"
    assert "5/5 ready" in message.text
    assert "\u23ce" not in message.text


@pytest.mark.parametrize("link", ["[https://bank.example](https://evil.example)", "![x](https://evil.example)",
                                  "[bank][1]\n\n[1]: https://evil.example"])  # fmt: skip
def test_no_label_of_an_answer_hides_where_it_leads(link: str) -> None:
    said = says("answer", link).blocks[0]["text"]
    assert not re.search(r"\][(\[:]", said)
    assert "https://evil.example" in said
