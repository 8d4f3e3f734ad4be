"""Socket Mode: connections that the app opened, and parcels carried over whichever is next."""

import json
import threading
import uuid
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from demo.slack.envelopes import GoodBye, accepts_answer, acknowledged, envelope_of, good_bye, hello
from demo.slack.journal import Way
from demo.slack.parcels import Parcel, Reply
from demo.slack.tickets import use_link
from demo.slack.workspace import Workspace

MOST_CONNECTIONS = 10
PING_SECONDS = 10.0


class Sockets:
    way: Way = "socket"

    def __init__(self, workspace: Workspace, ack_seconds: float) -> None:
        self._workspace, self._ack_seconds = workspace, ack_seconds
        self._open: deque[ServerConnection] = deque()
        self._seats = 0
        self.greeted = 0
        self._unanswered: dict[str, Future[str]] = {}
        self._server: Server | None = None
        self._thread = threading.Thread(target=self._serve, name="slack-sockets")

    def start(self) -> None:
        self._server = serve(
            self._attend,
            "127.0.0.1",
            0,
            process_request=self._admit,
            compression=None,
            ping_interval=PING_SECONDS,
            close_timeout=1,
        )
        port = self._server.socket.getsockname()[1]
        self._workspace.socket_address = f"ws://127.0.0.1:{port}/link/"
        self._thread.start()

    def stop(self) -> None:
        self._workspace.socket_address = None
        if self._server:
            self._server.shutdown()
            self._thread.join()

    def count(self) -> int:
        with self._workspace.changed:
            return len(self._open)

    def carry(self, parcel: Parcel) -> Reply:
        connection, envelope_id, answer = self._next(), str(uuid.uuid4()), Future[str]()
        if connection is None:
            return Reply(None, failure="connection_failed")
        self._unanswered[envelope_id] = answer
        try:
            connection.send(json.dumps(envelope_of(envelope_id, parcel)))
            text = answer.result(self._ack_seconds)
        except ConnectionClosed:
            return Reply(None, failure="connection_failed")
        except TimeoutError:
            return Reply(None, failure="http_timeout")
        finally:
            del self._unanswered[envelope_id]
        # An ack stands for 200: whoever reads the journal need not ask which way it went.
        return Reply(200, text if accepts_answer(parcel) else "")

    def warn(self, reason: GoodBye) -> None:
        """Tell every connection that it will be closed; closing it is another step."""
        for connection in self._connections():
            # One that left meanwhile needs no warning.
            with suppress(ConnectionClosed):
                connection.send(json.dumps(good_bye(reason)))

    def close(self, *, abruptly: bool) -> None:
        """Close every connection, with a closing handshake or by cutting the wire."""
        for connection in self._connections():
            if abruptly:
                connection.close_socket()
            else:
                connection.close()

    def _serve(self) -> None:
        if self._server:
            self._server.serve_forever()

    def _connections(self) -> list[ServerConnection]:
        with self._workspace.changed:
            return list(self._open)

    def _next(self) -> ServerConnection | None:
        """Slack promises no order; taking turns shows soonest what a replica forgot to share."""
        with self._workspace.changed:
            self._open.rotate(-1)
            return self._open[-1] if self._open else None

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        ticket = parse_qs(urlsplit(request.path).query).get("ticket", [""])[0]
        if use_link(self._workspace, ticket):
            return None
        return connection.respond(HTTPStatus.NOT_FOUND, "This link was used, or never given out.\n")

    def _attend(self, connection: ServerConnection) -> None:
        with self._workspace.changed:
            self._seats += 1
            seats = self._seats
        try:
            if seats > MOST_CONNECTIONS:
                connection.send(json.dumps(good_bye("too_many_websockets")))
            else:
                self._listen(connection, seats)
        except ConnectionClosed:
            # The app may leave in any way it likes; its connection is taken off the list below.
            return
        finally:
            with self._workspace.changed:
                self._seats -= 1

    def _listen(self, connection: ServerConnection, seats: int) -> None:
        connection.send(json.dumps(hello(self._workspace.app.id, seats)))
        with self._workspace.changed:
            self._open.append(connection)
            self.greeted += 1
            self._workspace.touch()
        try:
            for frame in connection:
                self._hear(frame)
        finally:
            with self._workspace.changed:
                self._open.remove(connection)
                self._workspace.touch()

    def _hear(self, frame: str | bytes) -> None:
        ack = acknowledged(frame)
        # An ack may come over another connection than the envelope did, come twice, or come too late.
        answer = self._unanswered.get(ack[0]) if ack else None
        if ack and answer and not answer.done():
            answer.set_result(ack[1])
