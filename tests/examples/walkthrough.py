"""A page of examples/ as a walk: what it has one type, write and press, and what it says is seen then."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.examples.visitor import Visitor, plain, until

DEMO = "countersign demo "
ASKS = re.compile(r"^> @Countersign (?P<words>.+)$")
PRESSES = re.compile(r"\b(?P<who>Ana|Bo|Cy)\b presses \*\*(?P<button>[^*]+)\*\*")


@dataclass(frozen=True, slots=True)
class Ask:
    words: str


@dataclass(frozen=True, slots=True)
class Press:
    who: str
    button: str


@dataclass(frozen=True, slots=True)
class See:
    """Lines that somebody reads in the newest thread."""

    lines: tuple[str, ...]


Step = Ask | Press | See


def demo_arguments(page: Path) -> list[str]:
    """What the page has one type after `countersign demo`."""
    typed = [line for kind, block in blocks(page) if kind == "sh" for line in block]
    [command] = [line for line in typed if line.startswith(DEMO)]
    return shlex.split(command.removeprefix(DEMO), comments=True)


def steps(page: Path) -> Iterator[Step]:
    """In the page's order."""
    inside: list[str] | None = None
    for line in page.read_text(encoding="utf-8").splitlines():
        if inside is not None and line == "```":
            yield See(tuple(filter(None, inside)))
            inside = None
        elif inside is not None:
            inside.append(line)
        elif line == "```text":
            inside = []
        elif asks := ASKS.match(line):
            yield Ask(asks["words"])
        else:
            yield from (Press(found["who"].lower(), found["button"]) for found in PRESSES.finditer(line))


def play(page: Path, visitor: Visitor) -> list[Step]:
    """Ana asks and everybody reads along; what was played."""
    root, played = "", list(steps(page))
    for step in played:
        match step:
            case Ask(words):
                bot = visitor.bot("ana")
                root = visitor.say("ana", f"<@{bot}> {words}")
            case Press(who, button):
                visitor.press(who, root, button)
            case See(lines):
                for line in lines:
                    see(visitor, root, line)
    return played


def see(visitor: Visitor, root: str, line: str) -> None:
    wanted = plain(line)
    until(lambda: wanted in visitor.read("bo", root) or None, lambda: f"{wanted!r} in {visitor.read('bo', root)!r}")


def blocks(page: Path) -> Iterator[tuple[str, list[str]]]:
    """The kind and the lines of each fenced block."""
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        yield found[1], found[2].splitlines()
