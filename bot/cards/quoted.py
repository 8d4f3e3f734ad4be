"""Somebody's words on a card: in the sentence where they are short, in a block of their own where not. Pure."""

from typing import Final

from approvals.records import Approval
from bot.cards.blocks import Block, preformatted, section
from bot.cards.escape import escape, visible
from bot.cards.hidden import hidden_in
from bot.cards.sizes import cut, size

SHORT: Final = 120
RESULT_ROOM: Final = 1_000
REASON_ROOM: Final = 600
CLAIM_ROOM: Final = 600
WORLD_ROOM: Final = 300


def with_words(
    approval: Approval, line: str, text: str | None, *, room: int = REASON_ROOM, after: str = ""
) -> list[Block]:
    """A line of ours without its full stop, and what somebody said, or what came back; then another line. Words
    stand in the sentence only where they can stand there as they are."""
    words = hidden_in((text or "").strip(), approval)
    below = f"\n{after}" if after else ""
    if not words:
        return [section(f"{line}.{below}")]
    if "\n" not in words and size(words) <= SHORT and escape(words) == words:
        return [section(f'{line}: "{words}"{below}')]
    return [section(f"{line}.{below}"), preformatted(cut(visible(words), room), "In these words:")]


def is_cut(approval: Approval, text: str | None, room: int) -> bool:
    """Whether not all of it can stand on the card."""
    words = hidden_in((text or "").strip(), approval)
    return len(words) > room or size(visible(words)) > room


def all_words_shown(approval: Approval) -> bool:
    """Whether the claim, the fingerprint, the result, the reason and the answer are on the card to their ends."""
    rooms = (
        (approval.claim, CLAIM_ROOM),
        (approval.fingerprint, WORLD_ROOM),
        (approval.result, RESULT_ROOM),
        (approval.reason, REASON_ROOM),
        (approval.response, RESULT_ROOM),
    )
    return not any(is_cut(approval, text, room) for text, room in rooms)
