"""Who is on call, asked of a service that the policy names. Its answers are kept for seconds; no answer is nobody."""

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

import httpx
import structlog
from pydantic import SecretStr

from approvals.rules.rule import Approvers

# Somebody who pressed a button waits for it.
ANSWER_SECONDS: Final = 2.0
CACHE_SECONDS: Final = 5.0
MOST_BYTES: Final = 64 * 1024
USER_ID: Final = re.compile(r"[UW][A-Z0-9]{1,30}")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nobody is known to be on call."""

    error: str


@dataclass(frozen=True, slots=True)
class _Kept:
    at: float
    answer: frozenset[str] | NoAnswer


def signature(secret: SecretStr, timestamp: int, signed: str) -> dict[str, str]:
    """The headers that prove that it is us who ask or page, and when: docs/configuration.md says how to check them."""
    base = f"v1:{timestamp}:{signed}".encode()
    mac = hmac.new(secret.get_secret_value().encode(), base, hashlib.sha256).hexdigest()
    return {"X-Countersign-Timestamp": str(timestamp), "X-Countersign-Signature": f"v1={mac}"}


class OnCall:
    """Safe to share between threads. `secrets`: by the name of their environment variable."""

    def __init__(self, secrets: Mapping[str, SecretStr] | None = None) -> None:
        self._secrets = secrets or {}
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()
        self._client: httpx.Client | None = None

    def members(self, approvers: Approvers) -> frozenset[str] | NoAnswer:
        """The Slack user ids of those who are on call now. A failure is kept too: it may take two seconds."""
        url = approvers.lookup or ""
        with self._lock:
            kept = self._kept.get(url)
        if kept is not None and time.monotonic() - kept.at < CACHE_SECONDS:
            return kept.answer
        answer = self._ask(url, self._secrets.get(approvers.secret_env or ""))
        if isinstance(answer, NoAnswer):
            log.warning("on_call.no_answer", approvers=approvers.name, error=answer.error, then="it allows nobody")
        with self._lock:
            self._kept[url] = _Kept(time.monotonic(), answer)
        return answer

    def _ask(self, url: str, secret: SecretStr | None) -> frozenset[str] | NoAnswer:
        if secret is None:
            return NoAnswer("its secret is not in this process's environment")
        try:
            with self._http().stream("GET", url, headers=signature(secret, int(time.time()), url)) as reply:
                if reply.status_code != httpx.codes.OK:
                    return NoAnswer(f"http {reply.status_code}")
                return read_users(_body(reply))
        except httpx.HTTPError as error:
            return NoAnswer(type(error).__name__)

    def _http(self) -> httpx.Client:
        """Made when it is needed first: most policies look nobody up."""
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(timeout=ANSWER_SECONDS, follow_redirects=False)
            return self._client


def _body(reply: httpx.Response) -> bytes:
    body = b""
    for piece in reply.iter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            return b""
    return body


def read_users(body: bytes) -> frozenset[str] | NoAnswer:
    """`{"users": ["U07LEAD"]}`. One that is no Slack user id makes all of it unreadable: half a list might be the
    wrong half."""
    try:
        users = json.loads(body)["users"]
    except (ValueError, TypeError, KeyError):
        return NoAnswer("unreadable")
    good = isinstance(users, list) and all(isinstance(one, str) and USER_ID.fullmatch(one) for one in users)
    return frozenset(users) if good else NoAnswer("unreadable")
