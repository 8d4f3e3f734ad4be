"""What Slack says when it does not do what we ask -> a value: its name, and whether to try again."""

import http
from dataclasses import dataclass
from typing import Any, Final

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.replies import text

PASSING_ERRORS: Final = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "internal_error",
        "fatal_error",
        "service_unavailable",
        "request_timeout",
        "team_added_to_org",
        "accesslimited",
        "org_login_required",
    }
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Refusal:
    """`seconds`: after how long the same call may succeed; None: not until something else changes."""

    error: str
    seconds: float | None = None


def read_refusal(error: SlackApiError, seconds: float) -> Refusal:
    """`seconds`: when to try again where Slack does not say it."""
    answer = error.response
    if not isinstance(answer, SlackResponse):
        # A page of HTML in place of JSON: Slack's servers are in trouble.
        status = answer.get("status") if isinstance(answer, dict) else None
        return Refusal(f"http {status}" if status else "unreadable_answer", seconds)
    name = text(data_of(answer), "error") or f"http {answer.status_code}"
    if answer.status_code == http.HTTPStatus.TOO_MANY_REQUESTS or name in ("ratelimited", "rate_limited"):
        asked = header_of(answer, "retry-after")
        return Refusal(name, float(asked) if asked.isdigit() else seconds)
    if answer.status_code >= http.HTTPStatus.INTERNAL_SERVER_ERROR or name in PASSING_ERRORS:
        return Refusal(name, seconds)
    if where := _pointers(answer):
        log.warning("slack.refused", method=answer.api_url.rsplit("/", 1)[-1], error=name, where=where)
    return Refusal(_with_expiry(name, answer))


def _with_expiry(name: str, answer: SlackResponse) -> str:
    """Slack says that a trigger id is too old in two ways; this makes them one."""
    late = name == "invalid_arguments" and any("trigger_id" in pointer for pointer in _pointers(answer))
    return "expired_trigger_id" if late else name


def _pointers(answer: SlackResponse) -> list[str]:
    """Where in the blocks the fault is: Slack's words, which quote none of ours."""
    details = data_of(answer).get("response_metadata")
    messages = details.get("messages") if isinstance(details, dict) else None
    return [str(message)[:200] for message in messages[:3]] if isinstance(messages, list) else []


def data_of(answer: SlackResponse) -> dict[str, Any]:
    return answer.data if isinstance(answer.data, dict) else {}


def header_of(answer: SlackResponse, name: str) -> str:
    """Header names come in whatever case the server chose."""
    for key, value in answer.headers.items():
        if key.lower() == name:
            return str(value[0] if isinstance(value, list) and value else value)
    return ""
