"""One argument as it stands, before it is decided how it is asked for."""

from dataclasses import dataclass

from bot.forms.fields import Empty, Outcome, left_empty
from bot.forms.schema import Schema


@dataclass(frozen=True, slots=True)
class Given:
    """One argument as it stands. `schema` is flat and without null; `whole` is as the tool wrote it."""

    root: Schema
    name: str
    block_id: str
    schema: Schema
    whole: Schema
    present: Outcome
    required: bool
    hidden: bool


def left_out(given: Given) -> Outcome:
    """What leaving it out comes to."""
    return left_empty(given.schema, given.present, Empty.LEAVE_OUT)
