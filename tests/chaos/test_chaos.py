"""A small storm, on every run of the tests. `python -m tests.chaos` is the large one."""

import logging
from pathlib import Path

import pytest

from tests.chaos.__main__ import run

SECONDS = 30.0
APPROVALS = 60


@pytest.mark.chaos
@pytest.mark.timeout(240)
def test_nothing_is_lost_and_nothing_is_done_twice_while_everything_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEET_FILE", str(tmp_path / "fleet.jsonl"))
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    violations, table = run(tmp_path, APPROVALS, SECONDS, seed=7)
    assert violations == []
    done = dict(zip(*(column.cells for column in table.columns), strict=True))
    assert int(done["calls asked for"]) == APPROVALS
    assert int(done["effects"]) > 0
    assert int(done["Postgres restarts"]) > 0
