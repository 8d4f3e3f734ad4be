"""What whoever starts the page decides: who can be played, and what is shown of the world outside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

Tone = Literal["good", "bad", "busy", "plain"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to play; `role` is what they are here, in a few words, such as "on call"."""

    user_id: str
    role: str


class Row(TypedDict):
    """One thing outside and how it is: "checkout", "5 of 5 ready", "4.11", good."""

    name: str
    value: str
    note: NotRequired[str]
    tone: NotRequired[Tone]


class Event(TypedDict):
    """Something that happened, at a moment in seconds since 1970: the page says it in the reader's own zone."""

    at: float
    text: str


class Panel(TypedDict):
    """What is true outside the workspace; `log` is what happened there, oldest first."""

    title: str
    rows: Sequence[Row]
    log: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Page:
    """`panel` is asked again and again while somebody looks: it must be quick."""

    people: Sequence[Person]
    panel: Callable[[], Panel] | None = None
    title: str = "Stand-in workspace"
