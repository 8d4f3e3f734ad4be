"""Which agent somebody's words are for: `db-agent: why is it slow?`. Pure; who may ask it is not looked at here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

# A name and a colon, and no address: in `https://...` the colon is part of one.
HEAD: Final = re.compile(r"\s*([^\W_][\w.\- \u00a0]{0,60}?)[ \t\u00a0]*:(?!//)(.*)", re.DOTALL)
# What is written with one slip of the finger is at least so like the name, and hardly longer or shorter.
LIKENESS: Final = 0.8
SLIP: Final = 1
# In shorter words a slip makes another word.
SHORTEST: Final = 5
LETTERS: Final = re.compile(r"[^\w]|_")


@dataclass(frozen=True, slots=True)
class Named:
    """The words behind the name of this agent; empty where it was only called."""

    agent: str
    words: str


@dataclass(frozen=True, slots=True)
class Nameless:
    """No agent was named: all of it are words."""

    words: str


@dataclass(frozen=True, slots=True)
class Misspelt:
    """No agent is called `typed`; one is called `close`, and it looks as if that one was meant."""

    typed: str
    close: str


Addressed = Named | Nameless | Misspelt


def addressed(text: str, names: Sequence[str]) -> Addressed:
    """A name counts at the very beginning, before a colon, in capitals or not; or where nothing else was written."""
    alone = _called(text.strip().rstrip(":").rstrip(), names)
    if alone:
        return Named(alone, "")
    head = HEAD.match(text)
    if head is None:
        return Nameless(text)
    typed, words = head[1].strip(), head[2].strip()
    if name := _called(typed, names):
        return Named(name, words)
    close = _meant(typed, names) if len(names) > 1 else None
    return Misspelt(typed, close) if close else Nameless(text)


def _called(typed: str, names: Sequence[str]) -> str | None:
    return next((name for name in names if name.casefold() == typed.casefold()), None)


def _meant(typed: str, names: Sequence[str]) -> str | None:
    """`db agent`, `db_agent` and `db-agnet` for db-agent; but not `deploy` for deployer, and not `log` for logs."""
    squashed = _letters(typed)
    for name in names:
        letters = _letters(name)
        if squashed and squashed == letters:
            return name
        if len(letters) < SHORTEST or len(squashed) < SHORTEST or abs(len(letters) - len(squashed)) > SLIP:
            continue
        if SequenceMatcher(None, squashed, letters, autojunk=False).ratio() >= LIKENESS:
            return name
    return None


def _letters(text: str) -> str:
    return LETTERS.sub("", text).casefold()
