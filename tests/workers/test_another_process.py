"""A run that pauses in one process and is decided and resumed in others, which import everything anew."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from approvals.records import RunId
from approvals.rules.words import RunStatus, Say, Status
from tests.workers.bench import Bench

ROOT = Path(__file__).parents[2]
STRIKE: list[Any] = ["strike", {"target": "a"}]
WRITE: list[Any] = ["write_file", {"path": "a", "content": "b"}]
REMOVE: list[Any] = ["remove_file", {"path": "a"}]
HANDED: list[Any] = ["task", {"description": json.dumps([[REMOVE]]), "subagent_type": "file-manager"}]
# With what is asked at each pause; the last of it is what happens.
CASES: dict[str, tuple[str, list[Any], dict[str, Any], list[list[str]]]] = {
    "behind the gate": ("tests.workers.agents:build", [STRIKE], {}, [["strike"]]),
    "batched": ("tests.workers.own_shapes:batched", [WRITE, WRITE], {"ungated": True}, [["write_file"] * 2]),
    "a deep agent's subagent": ("tests.workers.deep:deep", [HANDED], {}, [["task"], ["remove_file"]]),
}


@pytest.mark.parametrize("case", CASES)
def test_a_paused_run_is_taken_up_by_another_process(bench: Bench, case: str) -> None:
    factory, calls, config, pauses = CASES[case]
    run_id = bench.ask(calls)
    for asked in pauses:
        advance_elsewhere(bench, factory, run_id, config)
        # It came to its pause in a process that is gone, and nothing happened there.
        assert (bench.run(run_id).status, bench.effects()) == (RunStatus.WAITING, [])
        waiting = [a for a in bench.approvals(run_id) if a.status is Status.PENDING]
        assert [a.tool for a in waiting] == asked
        for approval in waiting:
            bench.decide(approval, Say.APPROVE)
    advance_elsewhere(bench, factory, run_id, config)
    assert bench.run(run_id).status is RunStatus.DONE
    assert [e["action"] for e in bench.effects()] == pauses[-1]


def advance_elsewhere(bench: Bench, factory: str, run_id: RunId, config: dict[str, Any]) -> None:
    command = [sys.executable, "-m", "tests.workers.elsewhere", factory, run_id, json.dumps(config)]
    environ = {**os.environ, "DATABASE_URL": bench.db.url, "LANGGRAPH_STRICT_MSGPACK": "true"}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr[-3000:]
