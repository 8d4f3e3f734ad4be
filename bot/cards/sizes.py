"""How long text may be in Slack, and cutting it so that the reader sees that it was cut. Pure."""

import re
from typing import Final

TEXT_BYTES: Final = 3_800
BLOCK_TEXT: Final = 10_000
HEADER: Final = 150
CONFIRM_TITLE: Final = 100

# The beginning of an entity or of a token whose end was cut off.
HALF: Final = re.compile(r"(?:&[a-z]{0,3}|<[^<>]*)$")


def size(text: str) -> int:
    """In UTF-16 units, the larger of the two ways in which Slack may count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, limit: int) -> str:
    """At most `limit` long; what was cut says so, and how long the whole is."""
    if size(text) <= limit:
        return text
    marker = f"… [cut; {len(text):,} characters in all]"
    return first_of(text, limit - size(marker)) + marker


def cut_line(text: str, limit: int) -> str:
    """For headings and the like: an ellipsis is all that fits."""
    return text if size(text) <= limit else first_of(text, limit - 1) + "…"


def cut_bytes(text: str, limit: int = TEXT_BYTES) -> str:
    """At most `limit` bytes of UTF-8, which is how chat.update counts."""
    raw = text.encode("utf-8", "replace")
    return text if len(raw) <= limit else HALF.sub("", raw[: limit - 3].decode("utf-8", "ignore")) + "…"


def first_of(text: str, units: int) -> str:
    """The beginning of a text, at most `units` long."""
    kept = text[: max(units, 0)]
    while size(kept) > units > 0:
        kept = kept[: len(kept) - (size(kept) - units + 1) // 2]
    return kept
