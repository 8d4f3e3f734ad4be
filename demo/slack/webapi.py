"""/api/<method>: decode, authenticate, count, run under the one lock, answer. No method lives here."""

import json
import threading
import time
from dataclasses import dataclass
from urllib.parse import parse_qsl

from demo.slack.faults import Delay, DropAfter, Fault, Faults, RateLimited, Refuse, ServerError
from demo.slack.journal import Call, Journal
from demo.slack.methods import apps, auth, chat, conversations, files, people, streams, views
from demo.slack.methods.call import ApiCall, Method
from demo.slack.rates import Rates, TooMany
from demo.slack.server import Answer, Request
from demo.slack.tokens import Token, authenticate
from demo.slack.wire import Json, SlackError, invalid_arguments
from demo.slack.workspace import Workspace

METHODS: dict[str, Method] = {
    **apps.METHODS,
    **auth.METHODS,
    **chat.METHODS,
    **conversations.METHODS,
    **files.METHODS,
    **people.METHODS,
    **streams.METHODS,
    **views.METHODS,
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    status: int
    body: Json
    headers: dict[str, str]


class WebApi:
    def __init__(
        self,
        workspace: Workspace,
        tokens: dict[str, Token],
        journal: Journal,
        faults: Faults,
        *,
        rates: Rates | None,
        stopping: threading.Event,
    ) -> None:
        self._workspace, self._tokens, self._journal = workspace, tokens, journal
        self._faults, self._rates, self._stopping = faults, rates, stopping

    def answer(self, request: Request) -> Answer:
        name, started = request.path.removeprefix("/api/"), time.monotonic()
        at, fault = self._workspace.now(), self._faults.take(name)
        args = _arguments(request, METHODS.get(name))
        if isinstance(fault, Delay):
            self._stopping.wait(fault.seconds)
        outcome = failed(fault) or self._outcome(name, request, args)
        token = self._tokens.get(_token_value(request, args) or "")
        shown_args = {key: value for key, value in args.items() if key != "token"}
        self._journal.add(
            Call(
                method=name,
                token_kind=token.kind if token else "none",
                args=shown_args,
                status=outcome.status,
                response=outcome.body,
                fault=type(fault).__name__ if fault else None,
                at=at,
                ms=(time.monotonic() - started) * 1000,
            )
        )
        return _sent(outcome, drop=isinstance(fault, DropAfter))

    def _outcome(self, name: str, request: Request, args: Json) -> _Outcome:
        try:
            with self._workspace.changed:
                return self._run(name, request, args)
        except SlackError as refusal:
            return _Outcome(200, refusal.body(), {})
        except TooMany as limit:
            return _limited(limit.retry_after)

    def _run(self, name: str, request: Request, args: Json) -> _Outcome:
        method = METHODS.get(name)
        if method is None:
            raise SlackError("unknown_method", req_method=name)
        token = authenticate(self._workspace, self._tokens, _token_value(request, args))
        if "" in args:
            raise SlackError(args[""])
        if token.kind not in method.token_kinds:
            raise SlackError("not_allowed_token_type")
        if method.scope:
            token.require(method.scope)
        missing = [need for need in method.needs if args.get(need) in (None, "")]
        if missing:
            raise invalid_arguments(*(f"missing required field: {need}" for need in missing))
        if self._rates:
            self._rates.count(name, method.tier, args.get("channel"))
        body = {"ok": True, **method.run(ApiCall(self._workspace, token, args))}
        return _Outcome(200, body, {"X-OAuth-Scopes": token.provided()})


def failed(fault: Fault | None) -> _Outcome | None:
    match fault:
        case RateLimited(retry_after):
            return _limited(retry_after)
        case ServerError(status):
            return _Outcome(status, {"html": "<html><body>Internal Server Error</body></html>"}, {})
        case Refuse(error):
            return _Outcome(200, {"ok": False, "error": error}, {})
    return None


def _limited(retry_after: int) -> _Outcome:
    return _Outcome(429, {"ok": False, "error": "ratelimited"}, {"Retry-After": str(retry_after)})


def _sent(outcome: _Outcome, *, drop: bool) -> Answer:
    if "html" in outcome.body:
        return Answer(outcome.status, outcome.body["html"].encode(), {"Content-Type": "text/html"}, drop)
    headers = {"Content-Type": "application/json; charset=utf-8", **outcome.headers}
    return Answer(outcome.status, json.dumps(outcome.body).encode(), headers, drop)


def _arguments(request: Request, method: Method | None) -> Json:
    """Query and body together. The key "" carries the error of a body that cannot be read."""
    args: Json = dict(parse_qsl(request.query, keep_blank_values=True))
    if not request.headers.get("content-type", "").startswith("application/json"):
        return args | dict(parse_qsl(request.body.decode(), keep_blank_values=True))
    if method and not method.takes_json:
        return args
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:
        return args | {"": "invalid_json"}
    return args | body if isinstance(body, dict) else args | {"": "json_not_object"}


def _token_value(request: Request, args: Json) -> str | None:
    kind, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer if kind == "Bearer" else args.get("token")
