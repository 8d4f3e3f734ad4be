"""Text in pieces that may not be torn apart, and pieces packed into texts that Slack takes. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final

from bot.cards.escape import visible_pieces
from bot.cards.sizes import size

# How long one preformatted element may be.
ROOM: Final = 2_900
# So many characters stand in one pair of braces.
TOGETHER: Final = 100


def shown(text: str) -> Iterator[str]:
    """Character by character as `visible` shows it."""
    return visible_pieces(text)


def dense(text: str) -> Iterator[str]:
    """Everything but plain ASCII spelled out, many characters in one pair of braces, as in \\u{200B 202E A}: all
    of it on one line, and in no more than seven bytes a character."""
    run: list[str] = []
    for char in text:
        if char.isascii() and char.isprintable():
            yield from _braced(run)
            run = []
            yield char
        else:
            run.append(f"{ord(char):X}")
    yield from _braced(run)


def packed(pieces: Iterable[str], room: int = ROOM) -> list[str]:
    """The pieces in order, as few texts as they fit into."""
    texts: list[str] = []
    kept: list[str] = []
    used = 0
    for piece in pieces:
        length = size(piece)
        if kept and used + length > room:
            texts.append("".join(kept))
            kept, used = [], 0
        kept.append(piece)
        used += length
    return [*texts, "".join(kept)] if kept else texts


def _braced(run: list[str]) -> Iterator[str]:
    for start in range(0, len(run), TOGETHER):
        yield f"\\u{{{' '.join(run[start : start + TOGETHER])}}}"
