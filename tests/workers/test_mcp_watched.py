"""What comes over HTTP is watched on its way: its size, its end, and what was turned away at the door."""

import asyncio
from typing import Any

import httpx
import pytest

from workers.mcp.size import MOST_BYTES, TooLarge
from workers.mcp.watched import Door

EVENTS = {"content-type": "text/event-stream"}
JSON = {"content-type": "application/json"}


async def read_all(door: Door, response: httpx.Response) -> int:
    transport = httpx.MockTransport(lambda _: response)
    async with (
        httpx.AsyncClient(transport=transport, event_hooks={"response": [door.watch]}) as client,
        client.stream("POST", "http://h/", json={"id": 7}) as answer,
    ):
        return len(await answer.aread())


def read(response: httpx.Response) -> tuple[int, list[str], set[Any]]:
    """How much was read, how often a connection was given up for it, and which requests were turned away."""
    cuts: list[str] = []
    door = Door(lambda: cuts.append("cut"))
    return asyncio.run(read_all(door, response)), cuts, door.turned_away


def test_only_a_404_that_we_saw_turns_a_request_away() -> None:
    assert read(httpx.Response(404))[2] == {7}
    assert (
        read(httpx.Response(200, headers=JSON, stream=httpx.ByteStream(b'{"id": 7, "error": {"code": 32600}}')))[2]
        == set()
    )


@pytest.mark.parametrize("headers", [EVENTS, JSON])
def test_an_answer_without_an_end_is_given_up(headers: dict[str, str]) -> None:
    with pytest.raises(TooLarge):
        read(httpx.Response(200, headers=headers, stream=httpx.ByteStream(b"z" * (MOST_BYTES + 1))))


def test_events_that_end_before_an_answer_are_noticed_unless_they_are_numbered() -> None:
    assert read(httpx.Response(200, headers=EVENTS, stream=httpx.ByteStream(b"data: 1\n\n")))[1] == ["cut"]
    assert read(httpx.Response(200, headers=EVENTS, stream=httpx.ByteStream(b"id: 1\ndata: 1\n\n")))[1] == []
    assert read(httpx.Response(200, headers=JSON, stream=httpx.ByteStream(b"{}")))[1] == []


def test_what_is_packed_is_not_unpacked() -> None:
    with pytest.raises(RuntimeError, match="packs its answers"):
        read(httpx.Response(200, headers={**JSON, "content-encoding": "gzip"}, stream=httpx.ByteStream(b"")))
