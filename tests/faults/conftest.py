"""One deployment per test, with nothing running in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.lab import Lab, a_lab


@pytest.fixture
def lab(database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    # Agents of this process read it; the children get it in their own environment.
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    with a_lab(database_url, redis_url, tmp_path) as made:
        yield made
