"""What a run says in its thread: the agent's answer, or a notice of ours. Pure."""

import re
from typing import Final

from bot.cards.card import CardMessage
from bot.cards.escape import escape, visible
from bot.cards.sizes import cut, cut_bytes, first_of

# Slack's limit on all markdown blocks of a message together.
ANSWER_ROOM: Final = 12_000
# `[label](address)` and `[label]: address`. With a blank in it it is no link, and Slack makes one of the bare address:
# a label could name another place than the one it leads to.
LABELLED: Final = re.compile(r"\](?=[(\[:])")
EMPTY: Final = "(The agent ended without a word.)"
# What is longer is cut, and says so in fewer characters than these: that far its beginning is certain.
CERTAIN_ROOM: Final = ANSWER_ROOM - 100


def says(kind: str, text: str) -> CardMessage:
    """`answer`: formatted by Slack as Markdown. `notice`, and anything else: plain."""
    said = text.strip() or EMPTY
    if kind != "answer":
        return CardMessage(cut_bytes(escape(said)), ())
    # On a locked phone there are no lines.
    line = " ".join(said.split())
    return CardMessage(cut_bytes(escape(line)), ({"type": "markdown", "text": defused(said, ANSWER_ROOM)},))


def grows(certain: str) -> CardMessage:
    """An answer of which this much is there, where it is shown by edits."""
    return CardMessage(cut_bytes(escape(" ".join(certain.split()))), ({"type": "markdown", "text": f"{certain} …"},))


def defused(markdown: str, room: int) -> str:
    """Markdown in which `<!channel>` and the like are text, and every address is read before it is pressed. Slack
    reads entities there, but no tokens in them."""
    return cut(_defused(markdown), room)


def certain(beginning: str) -> str:
    """Of an answer of which more will come: as much of what `says` will show as no continuation can change."""
    shown = _defused(beginning.strip())
    # What it stands before decides what comes of it.
    return first_of(shown.removesuffix("]"), CERTAIN_ROOM).rstrip()


def _defused(markdown: str) -> str:
    # Windows line ends, tabs and the mark that only colours an emoji are no reason to spell anything out.
    lines = markdown.replace("\r\n", "\n").replace("\t", "    ").replace("\ufe0f", "").split("\n")
    shown = LABELLED.sub(r"\g<0> ", "\n".join(map(visible, lines)))
    return shown.replace("<", "&lt;").replace(">", "&gt;")
