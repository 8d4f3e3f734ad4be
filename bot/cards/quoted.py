"""Somebody's words on a card: in the sentence where they are short, in a block of their own where not. Pure."""

from typing import Final

from approvals.records import Approval
from bot.cards.blocks import Block, preformatted, section
from bot.cards.escape import escape, visible
from bot.cards.hidden import hidden_in
from bot.cards.sizes import cut, size
from bot.cards.words import stopped

SHORT: Final = 120
LONGER: Final = 300
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


def with_reason(approval: Approval, line: str, reason: str | None, *, after: str = "") -> list[Block]:
    """The same with a reason of Countersign's own: nobody said it, so it stands in no quotes."""
    why = hidden_in((reason or "").strip(), approval)
    below = f"\n{after}" if after else ""
    if not why:
        return [section(f"{line}.{below}")]
    if "\n" not in why and size(why) <= LONGER:
        return [section(f"{line}. {stopped(escape(why[0].upper() + why[1:]))}{below}")]
    return [section(f"{line}.{below}"), preformatted(cut(visible(why), REASON_ROOM), "Why:")]


def became(approval: Approval) -> tuple[str, str] | None:
    """What a superseded call was about when it was asked and when it was to run, where that is why and both can stand
    in a sentence. What was seen is in the reason between words of the ledger's own."""
    before = approval.fingerprint
    begins = f'what this call is about is not as it was shown: it was "{before}" and is "'
    if before is None or not (approval.reason or "").startswith(begins):
        return None
    now = (approval.reason or "").removeprefix(begins).rpartition('" now')[0]
    pair = (hidden_in(before.strip(), approval), hidden_in(now.strip(), approval))
    return pair if all(0 < size(one) <= SHORT and escape(one) == one for one in pair) else None


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
