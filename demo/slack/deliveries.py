"""Bringing payloads to the app, over HTTP or a socket; events again, by Slack's schedule, until acknowledged."""

import threading
import time
from dataclasses import replace

from demo.slack.acks import settle
from demo.slack.http_carrier import HttpCarrier
from demo.slack.journal import Delivery, DeliveryKind, Journal
from demo.slack.parcels import Carrier, Parcel, Stamp, packed
from demo.slack.sockets import Sockets
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


class Courier:
    """An app is in Socket Mode or has a request URL; where both are set, the socket is used, as Slack does."""

    def __init__(
        self,
        workspace: Workspace,
        journal: Journal,
        *,
        http: HttpCarrier,
        sockets: Sockets,
        retry_delays: tuple[float, ...],
        stopping: threading.Event,
    ) -> None:
        self.http, self.sockets = http, sockets
        self._workspace, self._journal = workspace, journal
        self._retry_delays, self._stopping = retry_delays, stopping
        self._underway: set[threading.Thread] = set()

    def has_app(self) -> bool:
        """Is there anywhere to deliver to? An app in Socket Mode that is not connected still is one."""
        return self._workspace.socket_mode or self.http.url is not None

    def send(self, kind: DeliveryKind, payload: Json, confirm: Json | None = None) -> Delivery:
        """One delivery, once: interactions and commands are never retried."""
        return self._deliver(packed(kind, payload, confirm))

    def send_event(self, envelope: Json) -> None:
        """In the background, and again if the app does not acknowledge in time."""
        thread = threading.Thread(target=self._with_retries, args=(packed("event", envelope),), daemon=True)
        with self._workspace.changed:
            self._underway.add(thread)
        thread.start()

    def resend(self, delivery: Delivery, stamp: Stamp, attempt: int, reason: str | None) -> Delivery:
        return self._deliver(Parcel(delivery.kind, delivery.payload, delivery.body, attempt, reason, stamp))

    def busy(self) -> bool:
        with self._workspace.changed:
            return bool(self._underway)

    def join(self) -> None:
        with self._workspace.changed:
            threads = list(self._underway)
        for thread in threads:
            thread.join()

    def _with_retries(self, parcel: Parcel) -> None:
        reason = None
        try:
            for attempt, delay in enumerate((0.0, *self._retry_delays)):
                if self._stopping.wait(delay):
                    return
                delivery = self._deliver(replace(parcel, attempt=attempt, reason=reason))
                if delivery.ok or delivery.no_retry:
                    return
                reason = delivery.failure
        finally:
            with self._workspace.changed:
                self._underway.discard(threading.current_thread())
                self._workspace.touch()

    def _deliver(self, parcel: Parcel) -> Delivery:
        carrier: Carrier = self.sockets if self._workspace.socket_mode else self.http
        at, started = self._workspace.now(), time.monotonic()
        reply = carrier.carry(parcel)
        delivery = Delivery(
            kind=parcel.kind,
            payload=parcel.payload,
            body=parcel.body,
            attempt=parcel.attempt,
            retry_reason=parcel.reason if parcel.attempt else None,
            status=reply.status,
            response=reply.text,
            failure=reply.failure,
            no_retry=reply.no_retry,
            at=at,
            ms=(time.monotonic() - started) * 1000,
            confirm=parcel.confirm,
            way=carrier.way,
        )
        settled = settle(self._workspace, delivery)
        self._journal.add(settled)
        return settled
