"""The walk as a person enjoys reading it. Prints; checks nothing."""

import re
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

CARD_WIDTH = 78
# Slack's own mark for bold, as the cards use it.
BOLD = re.compile(r"\*([A-Z][\w ]*)\*")
COLOURS = {"ana": "cyan", "bo": "green", "cy": "yellow", "countersign": "magenta"}


class Transcript:
    """Who said and saw what, in order."""

    def __init__(self, console: Console, names: dict[str, str]) -> None:
        self._console = console
        self._names = names

    def chapter(self, text: str) -> None:
        """A new part of the walk."""
        self._console.print()
        self._console.rule(f"[bold]{escape(text)}", align="left")

    def tells(self, text: str) -> None:
        """The narrator."""
        self._console.print(f"[dim]{escape(text)}")

    def says(self, who: str, text: str) -> None:
        """Somebody writes in Slack."""
        colour = COLOURS.get(who, "white")
        self._console.print(f"[bold {colour}]{escape(who)}[/] {escape(self.readable(text))}")

    def rings(self, who: str, text: str) -> None:
        """A phone shows its lock-screen line."""
        self._console.print(f"[dim]({escape(who)}'s phone)[/] {escape(self.readable(text))[:150]}")

    def card(self, blocks: list[dict[str, Any]]) -> None:
        """One card, as Slack shows it."""
        text = "\n".join(line for block in blocks for line in self.lines(block))
        self._console.print(Panel(text, width=CARD_WIDTH, padding=(0, 1)))

    def step(self, text: str) -> None:
        """Something came out right."""
        self._console.print(f"[green]ok[/] {escape(text)}")

    def lines(self, block: dict[str, Any]) -> list[str]:
        """The lines of one block, as rich markup."""
        match block["type"]:
            case "header":
                return [f"[bold]{escape(block['text']['text'])}[/]"]
            case "section":
                return BOLD.sub(r"[bold]\1[/]", escape(self.readable(block["text"]["text"]))).splitlines()
            case "context":
                texts = (self.readable(str(element.get("text", ""))) for element in block["elements"])
                return [f"[dim]{escape(' - '.join(texts))}[/]"]
            case "markdown":
                return escape(self.readable(block["text"])).splitlines()
            case "rich_text":
                return [f"  [bold]{escape(line)}[/]" for line in rich_text(block).splitlines()]
            case "actions":
                labels = [e["text"]["text"] for e in block["elements"] if e["type"] == "button"]
                return ["", "  ".join(f"[reverse] {escape(label)} [/]" for label in labels)]
            case _:
                return []

    def readable(self, text: str) -> str:
        """Slack's own tokens as a person reads them: names for ids, times as they stand."""
        for token, name in self._names.items():
            text = text.replace(token, name)
        return without_dates(text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def rich_text(block: dict[str, Any]) -> str:
    """The text of a rich_text block, each of its parts on lines of its own."""
    parts = [element.get("elements", []) for element in block["elements"]]
    return "\n".join("".join(str(piece.get("text", "")) for piece in part) for part in parts)


def without_dates(text: str) -> str:
    """`<!date^…|fallback>` as its fallback; no reader's zone is known here."""
    while (start := text.find("<!date^")) >= 0 and (end := text.find(">", start)) >= 0:
        text = text[:start] + text[start:end].rpartition("|")[2] + text[end + 1 :]
    return text
