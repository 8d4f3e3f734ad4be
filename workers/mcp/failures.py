"""What the end of a connection, or an error that came over it, means for what was being asked. Pure."""

from collections.abc import Iterator
from typing import Final

import httpx
from mcp import McpError
from mcp.types import CONNECTION_CLOSED

from workers.mcp.answers import Answered, NoAnswer, NotSent, Refused
from workers.mcp.size import LONGEST_ERROR, shortened

# On an error that the SDK made of an HTTP status that we have seen; no message can carry this very object.
TURNED_AWAY: Final = object()
# By these a server or a proxy says that it did not let the request in.
NOT_LET_IN: Final = (400, 401, 403, 404, 429)
LONGEST: Final = 200
CLOSED: Final = "the connection was closed"


def said(error: McpError) -> NotSent | NoAnswer | Answered:
    """An error that came over the protocol, or was made up by the SDK."""
    if error.error.code == CONNECTION_CLOSED:
        return NoAnswer(CLOSED)
    if error.error.data is TURNED_AWAY:
        return NotSent("it does not know this session any more")
    return Answered(shortened(error.error.message, LONGEST_ERROR))


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """What is in a group of errors, however deep."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from causes(inner)
    elif error is not None:
        yield error


def meaning_of(error: BaseException | None) -> type[NotSent | NoAnswer]:
    """What the error that ended a connection means for the one request that was being asked."""
    found = list(causes(error))
    if found and all(isinstance(one, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout) for one in found):
        return NotSent
    if found and all(isinstance(one, httpx.HTTPStatusError) and is_refusal(one) for one in found):
        return Refused
    return NoAnswer


def is_refusal(error: httpx.HTTPStatusError) -> bool:
    return error.response.status_code in NOT_LET_IN


def in_words(error: BaseException) -> str:
    """Without addresses and headers, in which secrets could be."""
    if isinstance(error, httpx.HTTPStatusError):
        return f"it answered with HTTP status {error.response.status_code}"
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return "nothing answers at its address"
    if isinstance(error, McpError):
        return "its process ended at once" if error.error.code == CONNECTION_CLOSED else error.error.message[:LONGEST]
    if isinstance(error, NotSent | RuntimeError):
        return str(error)[:LONGEST]
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return type(error).__name__
