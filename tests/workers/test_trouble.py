"""What providers raise, told apart by what their exceptions have in common; and nothing of their text gets out."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from workers import trouble
from workers.trouble import LONGEST, PATIENT, Trouble, mark, trouble_of

NOW = datetime(2026, 3, 1, 3, 12, tzinfo=UTC)


def raised(name: str, *bases: type[Exception], **attributes: Any) -> Exception:
    """An exception of a class of this name, out of a model, with a secret in its text."""
    error: Exception = type(name, bases or (Exception,), {})("key sk-hunter2 is wrong")
    for key, value in attributes.items():
        setattr(error, key, value)
    mark(error)
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (raised("RateLimitError", status_code=429), trouble.LIMITED),
        (raised("AuthenticationError", status_code=401), trouble.KEY),
        (raised("PermissionDeniedError", status_code=403), trouble.KEY),
        (raised("BadRequestError", status_code=400), trouble.NOT_TAKEN),
        (raised("NotFoundError", status_code=404), trouble.NO_MODEL),
        (raised("OverloadedError", status_code=529), trouble.BUSY),
        (raised("InternalServerError", status_code=500), trouble.ITS_OWN),
        (raised("APITimeoutError", type("APIConnectionError", (Exception,), {})), trouble.SILENT),
        (raised("APIConnectionError"), trouble.UNREACHED),
        (raised("ConnectError", type("TransportError", (Exception,), {})), trouble.UNREACHED),
        (raised("ReadTimeout", type("TimeoutException", (Exception,), {})), trouble.SILENT),
        (raised("ContextOverflowError", status_code=400), trouble.TOO_LONG),
        # Google's have a `code`; Ollama's say -1 where there is no status.
        (raised("ClientError", code=429), trouble.LIMITED),
        (raised("ServerError", code=503), trouble.BUSY),
        (raised("HTTPStatusError", response=SimpleNamespace(status_code=413)), trouble.TOO_LONG),
    ],
)
def test_each_kind_of_trouble_has_its_sentence(error: Exception, expected: Trouble) -> None:
    found = trouble_of(error, NOW)
    assert found == expected
    assert "hunter2" not in found.reason


def test_what_only_a_person_can_mend_is_tried_once() -> None:
    assert {trouble_of(raised("E", status_code=code), NOW).tries for code in (400, 401, 403, 404, 413, 422)} == {1}
    assert trouble_of(raised("E", status_code=529), NOW).tries == PATIENT


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "17"}, timedelta(seconds=17)),
        ({"retry-after": "1.5"}, timedelta(seconds=1.5)),
        ({"retry-after-ms": "2500", "retry-after": "9"}, timedelta(seconds=2.5)),
        ({"retry-after": "Sun, 01 Mar 2026 03:13:00 GMT"}, timedelta(minutes=1)),
        ({"retry-after": "Sun, 01 Mar 2026 03:00:00 GMT"}, timedelta()),
        ({"retry-after": "86400"}, LONGEST),
        ({"retry-after": "1e400"}, LONGEST),
        ({"retry-after": "nan"}, timedelta()),
        ({"retry-after": "-3"}, timedelta()),
        ({"retry-after": "soon"}, timedelta()),
        ({"retry-after": 5}, timedelta()),
        ({}, timedelta()),
        (None, timedelta()),
        (3, timedelta()),
    ],
)
def test_the_provider_says_when_to_come_again_and_is_believed_within_reason(headers: Any, pause: timedelta) -> None:
    error = raised("RateLimitError", status_code=429, response=SimpleNamespace(headers=headers))
    assert trouble_of(error, NOW).not_before == pause


def test_what_is_behind_an_exception_counts_too() -> None:
    inner = raised("ClientError", code=401)
    outer = RuntimeError("Invalid argument provided to Gemini: key sk-hunter2")
    outer.__cause__ = inner
    assert trouble_of(outer, NOW) == trouble.KEY


def test_a_tools_error_is_not_taken_for_the_providers() -> None:
    error = type("HTTPStatusError", (Exception,), {"status_code": 401})("key sk-hunter2")
    assert trouble_of(error, NOW) == Trouble("the agent raised HTTPStatusError. The worker's log has more.")
    assert trouble_of(ValueError("sk-hunter2"), NOW).reason == "the agent raised ValueError. The worker's log has more."


def test_langchains_own_classes_are_known_without_a_mark() -> None:
    error = type("ModelRateLimitError", (type("ModelError", (Exception,), {}),), {})("sk-hunter2")
    assert trouble_of(error, NOW) == trouble.LIMITED


def test_a_circle_of_causes_has_an_end() -> None:
    one, other = ValueError("a"), KeyError("b")
    one.__cause__, other.__cause__ = other, one
    assert "ValueError" in trouble_of(one, NOW).reason
