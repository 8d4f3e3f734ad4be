"""An agent's answer: Slack's markdown stays, and no label of it lies."""

import re

import pytest

from bot.cards.says import says


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
