"""What happened between the app and Slack: each Web API call, each delivery. Only ever appended to and read."""

import json
from dataclasses import dataclass
from typing import Literal

from demo.slack.wire import Json
from demo.slack.workspace import Workspace

DeliveryKind = Literal["event", "interaction", "command"]
Way = Literal["http", "socket"]


@dataclass(frozen=True, slots=True)
class Call:
    """The app called Slack. `response_url` posts are calls too, under that name."""

    method: str
    token_kind: str
    args: Json
    status: int
    response: Json
    fault: str | None
    at: float
    ms: float

    @property
    def ok(self) -> bool:
        return self.response.get("ok") is True

    @property
    def error(self) -> str | None:
        return self.response.get("error")


@dataclass(frozen=True, slots=True)
class Delivery:
    """Slack called the app. `shown` is what the person saw go wrong; `confirm` the dialog they agreed to."""

    kind: DeliveryKind
    payload: Json
    body: bytes
    attempt: int
    retry_reason: str | None
    status: int | None
    response: str
    failure: str | None
    no_retry: bool
    at: float
    ms: float
    shown: str | None = None
    confirm: Json | None = None
    way: Way = "http"

    @property
    def ok(self) -> bool:
        return self.failure is None

    @property
    def type(self) -> str:
        """block_actions, view_submission, app_mention, message, /command ..."""
        inner = self.payload.get("event") or self.payload
        return str(inner.get("command") or inner.get("type"))

    def answer(self) -> Json:
        """The JSON the app answered with; empty when it answered none."""
        try:
            answer = json.loads(self.response or "{}")
        except ValueError:
            return {}
        return answer if isinstance(answer, dict) else {}


class Journal:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._calls: list[Call] = []
        self._deliveries: list[Delivery] = []

    def add(self, entry: Call | Delivery) -> None:
        with self._workspace.changed:
            if isinstance(entry, Call):
                self._calls.append(entry)
            else:
                self._deliveries.append(entry)
            self._workspace.touch()

    def calls(self, method: str | None = None) -> list[Call]:
        with self._workspace.changed:
            return [call for call in self._calls if method in (None, call.method)]

    def deliveries(self, kind: DeliveryKind | None = None, type: str | None = None) -> list[Delivery]:
        with self._workspace.changed:
            return [d for d in self._deliveries if kind in (None, d.kind) and type in (None, d.type)]
