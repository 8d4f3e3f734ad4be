"""A tool of an MCP server becomes another one while a call of it waits: what was not shown does not run."""

from pathlib import Path

import pytest

from approvals.rules.words import Effect, Say, Status
from tests.workers.bench import Bench
from tests.workers.mcp_worker import worker
from tests.workers.mcp_world import NOTHING, SCALE, WEB, Place
from workers.mcp.tool import CHANGED


@pytest.mark.parametrize("change", ["gone", "renamed", "another schema", "another default"])
def test_a_tool_that_changed_while_the_call_waited_runs_nothing(bench: Bench, place: Place, change: str) -> None:
    stricter = {**SCALE, "required": ["name", "replicas"]}
    default = {**SCALE, "properties": {**SCALE["properties"], "replicas": {"type": "integer", "default": 2}}}
    offers = {
        "gone": {"get_pods": NOTHING},
        "renamed": {"rescale": SCALE},
        "another schema": {"scale": stricter},
        "another default": {"scale": default},
    }
    with worker(bench, place) as ours:
        approval = ours.asked([WEB])
        place.offers(**offers[change])
        bench.decide(approval, Say.APPROVE)
        closed = ours.go_on(approval)
        assert (closed.status, closed.effect) == (Status.SUPERSEDED, Effect.NONE)
        assert "Call it again if it is still needed" in ours.heard(approval.run_id)
        assert place.did() == []


@pytest.mark.parametrize("change", [{}, {"scale": {**SCALE, "required": []}}])
def test_a_call_of_a_tool_that_has_changed_by_now_is_asked_of_nobody(
    bench: Bench, stdio: Place, change: dict[str, dict[str, object]]
) -> None:
    with worker(bench, stdio) as ours:
        stdio.offers(**change)
        run_id = ours.ask([WEB])
        assert bench.approvals(run_id) == []
        assert ("any more" if not change else CHANGED) in ours.heard(run_id)


def test_reworded_descriptions_change_no_call(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio) as ours:
        approval = ours.asked([WEB])
        stdio.tell(tools=[{"name": "scale", "description": "Anew!", "schema": {**SCALE, "description": "Anew!"}}])
        bench.decide(approval, Say.APPROVE)
        assert ours.go_on(approval).effect is Effect.DONE


def test_the_same_server_elsewhere_is_another_one(bench: Bench, tmp_path: Path) -> None:
    staging, prod = Place(tmp_path / "staging"), Place(tmp_path / "prod")
    with worker(bench, staging) as ours:
        approval = ours.asked([WEB])
    bench.decide(approval, Say.APPROVE)
    with worker(bench, prod) as ours:
        assert ours.go_on(approval).status is Status.SUPERSEDED
    assert (staging.did(), prod.did()) == ([], [])
