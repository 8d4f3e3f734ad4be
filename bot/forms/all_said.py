"""What was said about a call, to its end, under the call itself: a card has room for the beginnings only. Pure."""

import json
from collections.abc import Iterator
from typing import Final

from approvals.records import Approval
from bot.cards.blocks import Block, preformatted, section
from bot.cards.hidden import hidden_in
from bot.forms.edit import View
from bot.forms.full_view import VIEW_BYTES
from bot.forms.spelled import packed, shown

MOST_BLOCKS: Final = 99
TOO_LONG: Final = "The rest is too long to be shown here."


def with_all_said(view: View, approval: Approval) -> View:
    """The call comes first and is whole; of the words as many as fit, and a line where some do not."""
    whole = view
    for block in _said(approval):
        longer = whole | {"blocks": [*whole["blocks"], block]}
        if len(longer["blocks"]) > MOST_BLOCKS or len(json.dumps(longer)) > VIEW_BYTES:
            return whole | {"blocks": [*whole["blocks"], section(TOO_LONG)]}
        whole = longer
    return whole


def _said(approval: Approval) -> Iterator[Block]:
    for title, words in (
        ("As it was when this was asked:", approval.fingerprint),
        ("The agent says (not checked):", approval.claim),
        ("The reason:", approval.reason),
        ("The answer:", approval.response),
        ("What came of it:", approval.result),
    ):
        for number, text in enumerate(packed(shown(hidden_in((words or "").strip(), approval)))):
            yield preformatted(text, title if number == 0 else "continued:")
