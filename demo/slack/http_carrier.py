"""Carrying parcels to the app's request URL: signed, with Slack's time limit."""

import hashlib
import hmac
import http.client
import time
from dataclasses import replace
from urllib.parse import urlsplit

from demo.slack.journal import Way
from demo.slack.parcels import Parcel, Reply, Stamp

FORM, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"


class HttpCarrier:
    way: Way = "http"

    def __init__(self, signing_secret: str, ack_seconds: float) -> None:
        self.url: str | None = None
        self._secret, self._ack_seconds = signing_secret, ack_seconds

    def carry(self, parcel: Parcel) -> Reply:
        headers = {"Content-Type": JSON_TYPE if parcel.kind == "event" else FORM, "User-Agent": "Slackbot 1.0"}
        headers |= self._signature(parcel.body, parcel.stamp)
        if parcel.attempt:
            headers["X-Slack-Retry-Num"] = str(parcel.attempt)
            headers["X-Slack-Retry-Reason"] = parcel.reason or "unknown_error"
        return self._exchange(parcel.body, headers)

    def _signature(self, body: bytes, stamp: Stamp) -> dict[str, str]:
        # Real time, not the workspace's: the app compares it with its own clock.
        timestamp = str(int(time.time()) - stamp.age_seconds)
        secret = (self._secret if stamp.secret is None else stamp.secret).encode()
        digest = hmac.new(secret, f"v0:{timestamp}:".encode() + body, hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}

    def _exchange(self, body: bytes, headers: dict[str, str]) -> Reply:
        if self.url is None:
            return Reply(None, failure="connection_failed")
        url = urlsplit(self.url)
        connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=self._ack_seconds)
        try:
            connection.request("POST", url.path or "/", body, headers)
            response = connection.getresponse()
            reply = Reply(response.status, response.read().decode(errors="replace"))
            no_retry = response.headers.get("X-Slack-No-Retry") == "1"
        except TimeoutError:
            return Reply(None, failure="http_timeout")
        except (OSError, http.client.HTTPException):
            return Reply(None, failure="connection_failed")
        finally:
            connection.close()
        ok = 200 <= response.status < 300
        return replace(reply, failure=None if ok else "http_error", no_retry=no_retry)
