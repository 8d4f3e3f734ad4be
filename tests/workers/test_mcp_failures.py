"""Whether a request was sent is said only where that is certain."""

import httpx
import pytest
from mcp import McpError
from mcp.types import ErrorData

from workers.mcp.answers import Answered, NoAnswer, NotSent, Refused
from workers.mcp.failures import TURNED_AWAY, in_words, meaning_of, said

REQUEST = httpx.Request("POST", "https://user:secret@mcp.example.com/mcp?token=secret")
CONNECT = httpx.ConnectError("all connection attempts failed", request=REQUEST)
READ = httpx.ReadError("", request=REQUEST)


def status(code: int) -> httpx.HTTPStatusError:
    return httpx.HTTPStatusError(f"{code} for {REQUEST.url}", request=REQUEST, response=httpx.Response(code))


@pytest.mark.parametrize(
    ("error", "means"),
    [
        (CONNECT, NotSent),
        (ExceptionGroup("", [ExceptionGroup("", [CONNECT])]), NotSent),
        (ExceptionGroup("", [CONNECT, READ]), NoAnswer),
        (READ, NoAnswer),
        (BrokenPipeError(), NoAnswer),
        (status(401), Refused),
        (status(404), Refused),
        (status(500), NoAnswer),
        (status(502), NoAnswer),
        (ExceptionGroup("", [status(401), CONNECT]), NoAnswer),
        (None, NoAnswer),
    ],
)
def test_what_ended_a_connection_says_whether_the_request_was_sent(error: BaseException | None, means: type) -> None:
    assert meaning_of(error) is means


@pytest.mark.parametrize(
    ("code", "message", "means"),
    [
        (-32000, "Connection closed", NoAnswer),
        (32600, "Session terminated", Answered),
        (32600, "I did it, and then something broke", Answered),
        (-32602, "Unknown tool: scale", Answered),
        (408, "Timed out", Answered),
    ],
)
def test_what_came_over_the_protocol_is_the_servers_word(code: int, message: str, means: type) -> None:
    assert type(said(McpError(ErrorData(code=code, message=message)))) is means


def test_that_nothing_was_sent_is_said_of_what_was_seen_on_our_side() -> None:
    assert type(said(McpError(ErrorData(code=32600, message="Session terminated", data=TURNED_AWAY)))) is NotSent


@pytest.mark.parametrize(
    "error", [CONNECT, READ, status(503), ValueError("secret"), FileNotFoundError(2, "No such file")]
)
def test_no_secret_is_in_the_words(error: Exception) -> None:
    assert "secret" not in in_words(error)
    assert in_words(error)
