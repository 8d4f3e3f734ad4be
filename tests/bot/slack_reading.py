"""Our messages as Slack reads them: what in them is more than text, and what in them nobody sees."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

# What our own code puts there: those who are called, asked and decided, and moments.
OURS: Final = re.compile(
    r"<!subteam\^S1ONCALL>|<@U1(?:ANA|BO|CY)>|<!date\^\d+\^[^|<>]*\|[-\d]{10} [:\d]{8} UTC>|^:warning: ", re.MULTILINE
)
OUR_BOLD: Final = re.compile(
    r"\*(?:HIGH RISK\.|Approved|Running|paused|Done|Failed|Unknown|Rejected|Answered|Cancelled|Superseded|Frozen)\*"
)
OUR_CODE: Final = re.compile(r"`countersign approvals (?:show|decide) A-9Q2M7F3K`|(?<=^Calling )`[^`]+`")
ACTIVE: Final = {
    "token": re.compile(r"[<>]"),
    "entity": re.compile(r"&(?!(?:amp|lt|gt);)"),
    "bold": re.compile(r"\*"),
    "strike": re.compile(r"~"),
    "code": re.compile(r"`"),
    "italic": re.compile(r"(?<![^\W_])_[^_\n]+_(?![^\W_])"),
    "emoji": re.compile(r":[\w+'-]+:"),
    "address": re.compile(r"://"),
    "quote": re.compile(r"^&gt;", re.MULTILINE),
}
HIDDEN: Final = {"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"}
BLANKS: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0"
RICH: Final = {"rich_text", "rich_text_section", "rich_text_preformatted", "text"}


def acts(mrkdwn: str) -> list[str]:
    """What in a text that Slack formats is not ours and does something."""
    rest = OUR_CODE.sub(" ", OUR_BOLD.sub(" ", OURS.sub(" ", mrkdwn)))
    return [name for name, pattern in ACTIVE.items() if pattern.search(rest)]


def acts_in_markdown(text: str) -> list[str]:
    """In an answer, formatting is the agent's own; calling people, images and links with labels are not."""
    linked = re.search(r"\]\(|^\W*\[[^\]]*\]:", text, re.MULTILINE)
    return [name for name, found in (("token", re.search(r"[<>]", text)), ("link", linked)) if found]


def faults(node: Any, inside: str = "") -> Iterator[str]:
    """Everything in blocks or in a view that would act or that nobody sees."""
    if isinstance(node, list | tuple):
        for child in node:
            yield from faults(child, inside)
    elif isinstance(node, dict):
        yield from _faults_of(node, inside)
        kind = str(node.get("type", ""))
        for name, child in node.items():
            yield from faults(child, "rich" if kind.startswith("rich_text") else inside if name != "text" else "")
    elif isinstance(node, str):
        yield from (f"hidden {char!r}" for char in unseen(node))


def _faults_of(node: dict[str, Any], inside: str) -> Iterator[str]:
    kind, text = str(node.get("type", "")), node.get("text")
    if kind == "mrkdwn":
        yield from (f"{name} in {text[:200]!r}" for name in acts(text))
    elif kind == "markdown":
        yield from (f"{name} in {text[:200]!r}" for name in acts_in_markdown(text))
    elif kind == "plain_text":
        if re.search(r"&(?!amp;)", text):
            yield f"an entity that Slack decodes in {text[:200]!r}"
        if node.get("emoji", True) and re.search(ACTIVE["emoji"], text):
            yield f"emoji in {text[:200]!r}"
    elif inside == "rich" and kind not in RICH:
        yield f"{kind} in rich text"


def unseen(text: str) -> list[str]:
    """Characters that are drawn as nothing, change the order, or pile up on others."""
    if text.isascii() and text.isprintable():
        return []
    found = [c for c in text if (unicodedata.category(c) in HIDDEN and c not in "\n\t") or c in BLANKS]
    found += [c for c in text if unicodedata.category(c) == "Zs" and c != " "]
    found += [c for c in text if "\ufe00" <= c <= "\ufe0f" or unicodedata.combining(c) == 1]
    piled = re.search(r"[\u0300-\u036f]{4,}|(?:^|\s)[\u0300-\u036f]", text)
    return found + ([piled[0]] if piled else [])


def all_texts(node: Any) -> Iterator[str]:
    """Every text, keys aside."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from all_texts(list(node.values()))
    elif isinstance(node, list | tuple):
        for child in node:
            yield from all_texts(child)
