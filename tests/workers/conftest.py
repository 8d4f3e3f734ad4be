"""The bench: one database and one file of effects per test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from approvals.ledger.database import Database
from tests.workers.bench import Bench
from tests.workers.mcp_world import Place
from workers.agents.fleet import Fleet


@pytest.fixture
def bench(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    with Database(database_url, max_size=8) as db:
        bench = Bench(db, Fleet(tmp_path / "fleet.jsonl"))
        yield bench
        for kept in bench.kept:
            kept.drop()


@pytest.fixture(params=["stdio", "streamable_http"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An MCP server that is there, over each of the transports."""
    place = Place(tmp_path / "k8s", over_http=request.param == "streamable_http")
    place.start()
    yield place
    place.stop()


@pytest.fixture
def stdio(tmp_path: Path) -> Place:
    """An MCP server that the worker starts."""
    return Place(tmp_path / "k8s")
