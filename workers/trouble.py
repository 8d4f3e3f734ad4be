"""What an agent raised -> a sentence for people, whether trying again makes sense, and when. Pure. No text of an
exception gets out of here (it may quote a key), and no provider's package comes in: their exceptions are told apart by
what they have in common, which is a status code, the headers of a response, and the names of their classes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final

from approvals.ledger.run_status import TRIES

# What a provider cannot do now it can do soon, mostly: 2, 4, 8 and 16 seconds later.
PATIENT: Final = 5
# A provider may ask for hours; then people are told sooner.
LONGEST: Final = timedelta(minutes=10)
# A note on an exception that came out of a chat model, and not out of a tool.
FROM_MODEL: Final = "raised by the chat model"


@dataclass(frozen=True, slots=True)
class Trouble:
    """`reason` is one sentence or two, the first of which fits a status line; it is tried `tries` times in all, and not
    again before `not_before` from now."""

    reason: str
    tries: int = TRIES
    not_before: timedelta = timedelta()


LIMITED: Final = Trouble("the model's provider limits how often it may be asked.", PATIENT)
BUSY: Final = Trouble("the model's provider is busy.", PATIENT)
ITS_OWN: Final = Trouble("the model's provider has trouble of its own.", PATIENT)
UNREACHED: Final = Trouble("the model's provider could not be reached.", PATIENT)
SILENT: Final = Trouble("the model's provider did not answer in time.")
KEY: Final = Trouble(
    "the model's provider refused the key. Whoever runs Countersign must set a good one and restart the workers.", 1
)
UNPAID: Final = Trouble("the model's provider wants to be paid first. Whoever runs Countersign must see to that.", 1)
NO_MODEL: Final = Trouble(
    "the model's provider has no such model. Whoever keeps countersign.yml must name another one.", 1
)
TOO_LONG: Final = Trouble("the conversation is too long for the model. A new one, outside this thread, is not.", 1)
NOT_TAKEN: Final = Trouble(
    "the model's provider did not take the conversation. It may be too long; then begin a new one outside this thread. "
    "The worker's log has more.",
    1,
)
DECLINED: Final = Trouble("the model declined to answer.", 1)

BY_STATUS: Final = {
    400: NOT_TAKEN,
    401: KEY,
    402: UNPAID,
    403: KEY,
    404: NO_MODEL,
    408: SILENT,
    413: TOO_LONG,
    422: NOT_TAKEN,
    429: LIMITED,
    503: BUSY,
    504: SILENT,
    529: BUSY,
}
# By the names of classes and their bases: LangChain's own first, then what those of providers and httpx have in common.
# A silence is a broken connection as well, to some.
BY_NAME: Final = (
    ("ModelTimeoutError", SILENT),
    ("APITimeoutError", SILENT),
    ("TimeoutException", SILENT),
    ("TimeoutError", SILENT),
    ("DeadlineExceeded", SILENT),
    ("ModelRateLimitError", LIMITED),
    ("ModelAuthenticationError", KEY),
    ("ModelPermissionDeniedError", KEY),
    ("ModelNotFoundError", NO_MODEL),
    ("ModelInvalidRequestError", NOT_TAKEN),
    ("ModelRefusalError", DECLINED),
    ("ModelConnectionError", UNREACHED),
    ("APIConnectionError", UNREACHED),
    ("TransportError", UNREACHED),
    ("ConnectionError", UNREACHED),
    ("ModelAPIError", ITS_OWN),
)


def mark(error: BaseException) -> None:
    """It came out of a chat model."""
    error.add_note(FROM_MODEL)


def trouble_of(error: BaseException, now: datetime) -> Trouble:
    """What to say and do about it. What no model raised is told by the name of its type only."""
    chain = list(behind(error))
    if any(is_from_model(one) for one in chain):
        for one in chain:
            found = known(one)
            if found is not None:
                pause = min(retry_after(one, now), LONGEST) if found.tries > 1 else timedelta()
                return Trouble(found.reason, found.tries, pause)
    return Trouble(f"the agent raised {type(error).__name__}. The worker's log has more.")


def is_from_model(error: BaseException) -> bool:
    return FROM_MODEL in getattr(error, "__notes__", ()) or "ModelError" in names_of(error)


def behind(error: BaseException) -> Iterator[BaseException]:
    """The exception, what it was raised from, and so on."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def known(error: BaseException) -> Trouble | None:
    """By its status code, else by its name; None where neither says anything."""
    names, status = names_of(error), status_of(error)
    if "ContextOverflowError" in names:
        return TOO_LONG
    if status is not None and status >= 400:
        return BY_STATUS.get(status, ITS_OWN if status >= 500 else NOT_TAKEN)
    return next((trouble for name, trouble in BY_NAME if name in names), None)


def names_of(error: BaseException) -> frozenset[str]:
    return frozenset(kind.__name__ for kind in type(error).__mro__)


def status_of(error: BaseException) -> int | None:
    """`status_code` of Anthropic's, OpenAI's and Ollama's, `code` of Google's, or the response's own."""
    response = getattr(error, "response", None)
    for found in (
        getattr(error, "status_code", None),
        getattr(error, "code", None),
        _attribute(response, "status_code"),
    ):
        if isinstance(found, int) and not isinstance(found, bool) and 100 <= found < 600:
            return found
    return None


def retry_after(error: BaseException, now: datetime) -> timedelta:
    """What the response asked for, in seconds or as a date; zero if nothing that can be read."""
    headers = _attribute(getattr(error, "response", None), "headers")
    written = _header(headers, "retry-after-ms"), _header(headers, "retry-after")
    try:
        if written[0]:
            return _seconds(float(written[0]) / 1000)
        return _seconds(float(written[1])) if written[1] else timedelta()
    except ValueError:
        return _until(written[1], now)


def _until(date: str, now: datetime) -> timedelta:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return timedelta()
    return max(timedelta(), (then if then.tzinfo else then.replace(tzinfo=UTC)) - now)


def _seconds(seconds: float) -> timedelta:
    """What is no number of seconds to wait is none."""
    return timedelta(seconds=min(seconds, LONGEST.total_seconds())) if seconds > 0 else timedelta()


def _header(headers: Any, name: str) -> str:
    try:
        found = headers.get(name) if headers is not None else None
    except (AttributeError, TypeError):
        return ""
    return found if isinstance(found, str) else ""


def _attribute(value: object, name: str) -> Any:
    return getattr(value, name, None)
