"""The few Block Kit shapes that cards are made of. Pure; decides no wording.

Untrusted text goes only through `header`, `plain`, `preformatted`, or `escape` first.
"""

from collections.abc import Iterator
from typing import Any, Final

from bot.cards.escape import visible_line
from bot.cards.sizes import HEADER, cut_line, size

Block = dict[str, Any]

ENTITY_ROOM: Final = 4


def plain(text: str, limit: int = 3000) -> Block:
    """A plain_text object: one line, no emoji names, no tokens. Slack decodes entities even here."""
    return {"type": "plain_text", "text": _escaped_to(visible_line(text) or " ", limit), "emoji": False}


def label(text: str) -> Block:
    """Our own words on a button or a field."""
    return {"type": "plain_text", "text": text}


def header(text: str) -> Block:
    return {"type": "header", "text": plain(text, HEADER)}


def section(mrkdwn: str) -> Block:
    """Our own words, with tokens; anything else in it went through `escape`."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": mrkdwn, "verbatim": True}}


def plain_section(text: str, limit: int) -> Block:
    """Words that are not ours, where a sentence stands."""
    return {"type": "section", "text": plain(text, limit)}


def context(*elements: Block) -> Block:
    return {"type": "context", "elements": list(elements)}


def mrkdwn(text: str) -> Block:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def preformatted(text: str, title: str | None = None) -> Block:
    """Text exactly as it is (made visible before), under a title of ours."""
    parts: list[Block] = []
    if title:
        parts.append({"type": "rich_text_section", "elements": [{"type": "text", "text": title}]})
    parts.append({"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text or " "}]})
    return {"type": "rich_text", "elements": parts}


def actions(*elements: Block) -> Block:
    return {"type": "actions", "elements": list(elements)}


def texts(node: Any) -> Iterator[str]:
    """Every text in the blocks, which is what Slack adds up."""
    if isinstance(node, dict):
        own = node.get("text")
        if isinstance(own, str):
            yield own
        node = list(node.values())
    if isinstance(node, list | tuple):
        for child in node:
            yield from texts(child)


def text_size(blocks: Any) -> int:
    """How long all text in the blocks is together."""
    return sum(map(size, texts(blocks)))


def _escaped_to(text: str, limit: int) -> str:
    """Escaped, then short enough: an entity is never cut in two."""
    shown = cut_line(text, limit)
    while size(escaped := shown.replace("&", "&amp;")) > limit:
        shown = cut_line(shown, size(shown) - ENTITY_ROOM)
    return escaped
