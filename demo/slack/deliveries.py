"""Carrying payloads to the app's request URL: signed, with Slack's time limit and, for events, its retries."""

import hashlib
import hmac
import http.client
import json
import threading
import time
from dataclasses import dataclass, replace
from urllib.parse import urlencode, urlsplit

from demo.slack.acks import settle
from demo.slack.journal import Delivery, DeliveryKind, Journal
from demo.slack.wire import Json
from demo.slack.workspace import Workspace

FORM, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int | None
    text: str = ""
    failure: str | None = None
    no_retry: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a delivery is signed: with which secret (None: the app's own), and how long ago."""

    secret: str | None = None
    age_seconds: int = 0


class Courier:
    def __init__(
        self,
        workspace: Workspace,
        journal: Journal,
        *,
        signing_secret: str,
        ack_seconds: float,
        retry_delays: tuple[float, ...],
        stopping: threading.Event,
    ) -> None:
        self.events_url: str | None = None
        self._workspace, self._journal = workspace, journal
        self._secret, self._ack_seconds, self._retry_delays = signing_secret, ack_seconds, retry_delays
        self._stopping = stopping
        self._underway: set[threading.Thread] = set()

    def send(self, kind: DeliveryKind, payload: Json, confirm: Json | None = None) -> Delivery:
        """One delivery, once: interactions and commands are never retried."""
        return self._deliver(kind, payload, _encoded(kind, payload), confirm=confirm)

    def send_event(self, envelope: Json) -> None:
        """In the background, and again if the app does not answer 2xx in time."""
        thread = threading.Thread(target=self._with_retries, args=(envelope,), daemon=True)
        with self._workspace.changed:
            self._underway.add(thread)
        thread.start()

    def resend(self, delivery: Delivery, stamp: Stamp, attempt: int, reason: str | None) -> Delivery:
        return self._deliver(
            delivery.kind, delivery.payload, delivery.body, attempt=attempt, reason=reason, stamp=stamp
        )

    def busy(self) -> bool:
        with self._workspace.changed:
            return bool(self._underway)

    def join(self) -> None:
        with self._workspace.changed:
            threads = list(self._underway)
        for thread in threads:
            thread.join()

    def _with_retries(self, envelope: Json) -> None:
        body, reason = _encoded("event", envelope), None
        try:
            for attempt, delay in enumerate((0.0, *self._retry_delays)):
                if self._stopping.wait(delay):
                    return
                delivery = self._deliver("event", envelope, body, attempt=attempt, reason=reason)
                if delivery.ok or delivery.no_retry:
                    return
                reason = delivery.failure
        finally:
            with self._workspace.changed:
                self._underway.discard(threading.current_thread())
                self._workspace.touch()

    def _deliver(
        self,
        kind: DeliveryKind,
        payload: Json,
        body: bytes,
        *,
        attempt: int = 0,
        reason: str | None = None,
        stamp: Stamp | None = None,
        confirm: Json | None = None,
    ) -> Delivery:
        headers = {"Content-Type": JSON_TYPE if kind == "event" else FORM, "User-Agent": "Slackbot 1.0"}
        headers |= self._signature(body, stamp or Stamp())
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason or "unknown_error"}
        at, started = self._workspace.now(), time.monotonic()
        reply = self._exchange(body, headers)
        delivery = Delivery(
            kind=kind,
            payload=payload,
            body=body,
            attempt=attempt,
            retry_reason=reason if attempt else None,
            status=reply.status,
            response=reply.text,
            failure=reply.failure,
            no_retry=reply.no_retry,
            at=at,
            ms=(time.monotonic() - started) * 1000,
            confirm=confirm,
        )
        settled = settle(self._workspace, delivery)
        self._journal.add(settled)
        return settled

    def _signature(self, body: bytes, stamp: Stamp) -> dict[str, str]:
        # Real time, not the workspace's: the app compares it with its own clock.
        timestamp = str(int(time.time()) - stamp.age_seconds)
        secret = (self._secret if stamp.secret is None else stamp.secret).encode()
        digest = hmac.new(secret, f"v0:{timestamp}:".encode() + body, hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}

    def _exchange(self, body: bytes, headers: dict[str, str]) -> _Reply:
        if self.events_url is None:
            return _Reply(None, failure="connection_failed")
        url = urlsplit(self.events_url)
        connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=self._ack_seconds)
        try:
            connection.request("POST", url.path or "/", body, headers)
            response = connection.getresponse()
            reply = _Reply(response.status, response.read().decode(errors="replace"))
            no_retry = response.headers.get("X-Slack-No-Retry") == "1"
        except TimeoutError:
            return _Reply(None, failure="http_timeout")
        except (OSError, http.client.HTTPException):
            return _Reply(None, failure="connection_failed")
        finally:
            connection.close()
        ok = 200 <= response.status < 300
        return replace(reply, failure=None if ok else "http_error", no_retry=no_retry)


def _encoded(kind: DeliveryKind, payload: Json) -> bytes:
    if kind == "event":
        return json.dumps(payload).encode()
    fields = payload if kind == "command" else {"payload": json.dumps(payload)}
    return urlencode(fields).encode()
