"""What is carried to the app and what comes back, whichever way it goes. Carries nothing."""

import json
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlencode

from demo.slack.journal import DeliveryKind, Way
from demo.slack.wire import Json


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a delivery is signed: with which secret (None: the app's own), and how long ago."""

    secret: str | None = None
    age_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Parcel:
    """`body` is what goes over HTTP, so that a retry is the same bytes; `confirm` the dialog agreed to."""

    kind: DeliveryKind
    payload: Json
    body: bytes
    attempt: int = 0
    reason: str | None = None
    stamp: Stamp = field(default_factory=Stamp)
    confirm: Json | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """`failure` is None when the app acknowledged in time."""

    status: int | None
    text: str = ""
    failure: str | None = None
    no_retry: bool = False


class Carrier(Protocol):
    way: Way

    def carry(self, parcel: Parcel) -> Reply: ...


def packed(kind: DeliveryKind, payload: Json, confirm: Json | None = None) -> Parcel:
    """Events are a JSON body, commands a form, interactions JSON inside a form."""
    if kind == "event":
        return Parcel(kind, payload, json.dumps(payload).encode(), confirm=confirm)
    fields = payload if kind == "command" else {"payload": json.dumps(payload)}
    return Parcel(kind, payload, urlencode(fields).encode(), confirm=confirm)
