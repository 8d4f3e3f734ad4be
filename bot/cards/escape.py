"""Untrusted text -> text that Slack shows as it is and acts on in no way. The one place that does this. Pure."""

import unicodedata
from functools import lru_cache
from typing import Final

LINE_END: Final = "⏎\n"
TAB: Final = "⇥\t"
HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"})
# Drawn as nothing, or as a plain space, though Unicode calls them letters, marks or symbols.
HIDDEN_RANGES: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)


@lru_cache(4096)
def is_hidden(char: str) -> bool:
    """Whether a reader could not see that this character is there, or which one it is."""
    if char in "\n\t ":
        return False
    category = unicodedata.category(char)
    if category in HIDDEN_CATEGORIES or category == "Zs":
        return True
    return any(first <= ord(char) <= last for first, last in HIDDEN_RANGES)


def visible(text: str) -> str:
    """Invisible, bidirectional and control characters as \\u{XXXX}; line ends and tabs are marked."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def visible_line(text: str) -> str:
    """The same for a place that has one line only."""
    return " ".join(visible(text).split())


def hidden_count(text: str) -> int:
    """How many characters `visible` had to spell out."""
    return sum(map(is_hidden, text))


def escape(text: str) -> str:
    """For mrkdwn and message text: nothing in it is a mention, a channel, a link or a date any more."""
    return visible_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@lru_cache(4096)
def _shown(char: str) -> str:
    if char == "\n":
        return LINE_END
    if char == "\t":
        return TAB
    return f"\\u{{{ord(char):04X}}}" if is_hidden(char) else char
