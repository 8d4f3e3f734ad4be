"""The WSGI application: Slack's door, and three pages for whoever runs this."""

import json
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import structlog
from slack_bolt import App, BoltRequest
from slack_bolt.adapter.wsgi.http_request import WsgiHttpRequest

from bot.metrics import Metrics
from bot.readiness import Readiness

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

EVENTS_PATH: Final = "/slack/events"
# Slack's largest payload, a form with a view of 250 kB in it, is far below this.
MOST_BYTES: Final = 2_000_000
TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")
JSON: Final = ("Content-Type", "application/json")

log = structlog.get_logger()
Reply = tuple[int, list[tuple[str, str]], bytes]


class Web:
    """A WSGI callable."""

    def __init__(self, app: App | None, readiness: Readiness, metrics: Metrics) -> None:
        """`app` is None in Socket Mode: then Slack has no door here."""
        self._app = app
        self._readiness = readiness
        self._metrics = metrics

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        status, headers, body = self._reply(environ)
        phrase = HTTPStatus(status).phrase
        start_response(f"{status} {phrase}", [*headers, ("Content-Length", str(len(body)))])
        return [body]

    def _reply(self, environ: "WSGIEnvironment") -> Reply:
        match environ.get("REQUEST_METHOD"), environ.get("PATH_INFO"):
            case "POST", path if path == EVENTS_PATH and self._app is not None:
                return self._slack(environ, self._app)
            case "GET" | "HEAD", "/healthz":
                return HTTPStatus.OK, [TEXT], b"ok\n"
            case "GET" | "HEAD", "/readyz":
                return self._ready()
            case "GET", "/metrics":
                return HTTPStatus.OK, [("Content-Type", "text/plain; version=0.0.4")], self._metrics.page()
            case _:
                return HTTPStatus.NOT_FOUND, [TEXT], b"not found\n"

    def _ready(self) -> Reply:
        report = self._readiness.report()
        status = HTTPStatus.OK if self._readiness.ready(report) else HTTPStatus.SERVICE_UNAVAILABLE
        return status, [JSON], json.dumps(report).encode()

    def _slack(self, environ: "WSGIEnvironment", app: App) -> Reply:
        began = time.monotonic()
        status, headers, body = self._from_slack(environ, app)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.BAD_REQUEST):
            self._metrics.turned_away.labels(str(int(status))).inc()
            log.warning("request.refused", status=int(status))
        else:
            self._metrics.ack_seconds.observe(time.monotonic() - began)
        return status, headers, body

    def _from_slack(self, environ: "WSGIEnvironment", app: App) -> Reply:
        # Bolt would answer 500 to both: it reads the body, and the time as a number, before the signature.
        if not str(environ.get("HTTP_X_SLACK_REQUEST_TIMESTAMP", "")).isdecimal():
            return HTTPStatus.UNAUTHORIZED, [TEXT], b"no valid timestamp\n"
        if int(environ.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, [TEXT], b"too large\n"
        raw = WsgiHttpRequest(environ)
        try:
            request = BoltRequest(body=raw.get_body(), query=raw.query_string, headers=raw.get_headers())
        except (ValueError, TypeError, AttributeError, KeyError):
            return HTTPStatus.BAD_REQUEST, [TEXT], b"unreadable\n"
        answer = app.dispatch(request)
        headers = [(name, value) for name, values in answer.headers.items() for value in values]
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        return answer.status, kept, answer.body.encode()
