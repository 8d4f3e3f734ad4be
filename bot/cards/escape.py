"""Untrusted text -> text that Slack shows as it is and acts on in no way. The one place that does this. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from bot.cards.sizes import cut_line, size

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
# No language puts more marks on a letter; a pile of them covers the lines above and below.
MOST_MARKS: Final = 3
# Unicode's class of marks that are drawn through a letter: a text could be struck out with them.
OVERLAY: Final = 1
# Formatting in Slack has no escape, so the character gives way to one that looks like it. The arguments' own
# block shows the very characters.
LOOKS: Final = str.maketrans({"*": "∗", "~": "∼", "`": "ˋ"})
EDGE_UNDERSCORE: Final = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
# At the beginning of a line; escaped it would still quote.
QUOTE: Final = re.compile(r"^>+")
# `:warning:`, also where its second colon would be ours; and `https://`, which Slack makes a link.
EMOJI_COLON: Final = re.compile(r":(?=[^\s:]+:|[^\s:]*[A-Za-z_][^\s:]*$|//)")
ENTITIES: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


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
    return text if text.isascii() and text.isprintable() else "".join(visible_pieces(text))


def visible_pieces(text: str) -> Iterator[str]:
    """The same, character by character: none of the pieces may be torn apart."""
    marks = MOST_MARKS
    for char in text:
        if not is_mark(char):
            # On a blank, or on nothing, a mark would be drawn on what stands before it.
            marks = MOST_MARKS if char.isspace() or is_hidden(char) else 0
            yield _shown(char)
            continue
        marks += 1
        yield char if marks <= MOST_MARKS and not _covers(char) else spelled(char)


def visible_line(text: str) -> str:
    """The same for a place that has one line only."""
    return " ".join(visible(text).split())


def hidden_count(text: str) -> int:
    """How many characters `visible` had to spell out."""
    if text.isascii() and text.isprintable():
        return 0
    return sum(piece != char and char not in "\n\t" for piece, char in zip(visible_pieces(text), text, strict=True))


def escape(text: str) -> str:
    """For mrkdwn and message text: nothing in it is a mention, a channel, a link, a date, an emoji or formatting."""
    return entities(inert(visible_line(text)))


def escape_to(text: str, limit: int) -> str:
    """Escaped, at most `limit` long, and no entity cut in two."""
    most = 4 * limit
    # Of a text far longer than what is kept, the rest need not be looked at.
    shown = cut_line(inert(visible_line(text if len(text) <= most else f"{text[:most]}…")), limit)
    while size(escaped := entities(shown)) > limit:
        shown = cut_line(shown, size(shown) - max(1, (size(escaped) - limit) // 5))
    return escaped


def inert(line: str) -> str:
    """Without anything that Slack's formatting would take for its own."""
    unquoted = QUOTE.sub(lambda marks: "›" * len(marks[0]), line.translate(LOOKS))
    return EMOJI_COLON.sub("∶", EDGE_UNDERSCORE.sub("ˍ", unquoted))


def entities(text: str) -> str:
    """The three characters that Slack gives a meaning to."""
    for char, entity in ENTITIES:
        text = text.replace(char, entity)
    return text


@lru_cache(4096)
def is_mark(char: str) -> bool:
    """Whether it is drawn on the character before it."""
    return unicodedata.category(char) in ("Mn", "Me") and not is_hidden(char)


def spelled(char: str) -> str:
    """By its number."""
    return f"\\u{{{ord(char):04X}}}"


def _covers(char: str) -> bool:
    return unicodedata.category(char) == "Me" or unicodedata.combining(char) == OVERLAY


@lru_cache(4096)
def _shown(char: str) -> str:
    if char == "\n":
        return LINE_END
    if char == "\t":
        return TAB
    return spelled(char) if is_hidden(char) else char
