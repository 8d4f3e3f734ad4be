"""Marks: metadata that nobody sees, by which a message of ours is found again when Slack's answer to its post
got lost. Values only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import uuid4


class Kind(StrEnum):
    """What is marked, and under which name its id stands in the metadata."""

    CARD = "approval_id"
    POST = "post_id"
    STATUS_LINE = "message_id"
    REPORT = "report_id"
    ASKED = "asked_id"
    DIRECT = "direct_id"


@dataclass(frozen=True, slots=True)
class Mark:
    """Which card, post, status line or report a message is; or that it is one of ours that has no row."""

    kind: Kind
    id: str

    def metadata(self) -> dict[str, Any]:
        """As Slack keeps it."""
        return {"event_type": f"countersign_{self.kind.name.lower()}", "event_payload": {self.kind.value: self.id}}


def no_row(kind: Kind) -> Mark:
    """For what is posted once and never looked for: marked, nothing takes it for a stream that was never stopped."""
    return Mark(kind, str(uuid4()))


@dataclass(frozen=True, slots=True)
class Marked:
    """A message that carries metadata, of whatever app."""

    ts: str
    user_id: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A message of ours that carries none, and its words as Slack repeats them."""

    ts: str
    words: str
