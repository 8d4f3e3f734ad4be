"""Words and values -> standard output and standard error. Decides nothing.

A reader that has gone (`| head`) ends no command: what was recorded keeps its own exit code.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import StringIO
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from bot.cards.escape import visible, visible_line

# Where nobody reads on a screen, lines stay whole, so that they can be searched.
WIDE: Final = 240


def say(words: str) -> bool:
    """One line, or several, for whoever reads; False if nobody does any more."""
    try:
        print(words, flush=True)
    except BrokenPipeError:
        # Python flushes once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def complain(words: str) -> None:
    """One line on standard error."""
    with suppress(BrokenPipeError):
        print(f"countersign: {words}", file=sys.stderr, flush=True)


def say_json(value: object) -> bool:
    """In ASCII: a character that a terminal would hide or obey stands there as its code."""
    return say(json.dumps(value, indent=2))


def say_line(value: object) -> bool:
    """One JSON line; False if nobody reads any more."""
    return say(json.dumps(value))


def show(*parts: RenderableType) -> None:
    """Tables and texts, as wide as the terminal."""
    page = StringIO()
    on_screen = sys.stdout.isatty()
    console = Console(file=page, force_terminal=on_screen, width=None if on_screen else WIDE, highlight=False)
    console.print(*parts, sep="\n")
    say("\n".join(line.rstrip() for line in page.getvalue().rstrip().splitlines()))


def table(rows: Sequence[Mapping[str, str]], nothing: str) -> RenderableType:
    """A row for each; every text in it is shown as it is and means nothing to the terminal."""
    if not rows:
        return Text(nothing)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in rows[0]:
        grid.add_column(Text(name), no_wrap=name == "id", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(visible_line(value)) for value in row.values()))
    return grid


def facts(pairs: Mapping[str, str]) -> RenderableType:
    """Names and values. A value of several lines stays in its own column and cannot look like another fact."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, value in pairs.items():
        grid.add_row(Text(visible_line(name)), Text(visible(value)))
    return grid
