"""Tools of a real MCP server, over stdio and over streamable HTTP: gated by name, held to schema, run as shown."""

from datetime import timedelta
from pathlib import Path

import pytest

from approvals.rules.words import Effect, Gate, Say, Status
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.mcp_worker import worker
from tests.workers.mcp_world import DID_WEB, WEB, Place, until


def test_a_call_is_asked_about_by_the_servers_name_and_runs_once_as_shown(bench: Bench, place: Place) -> None:
    with worker(bench, place) as ours:
        approval = ours.asked([WEB])
        assert (approval.tool, approval.status, approval.args_json) == (
            "k8s.scale",
            Status.PENDING,
            '{"name":"web","replicas":3}',
        )
        assert place.did() == []
        bench.decide(approval, Say.APPROVE)
        done = ours.go_on(approval)
        assert (done.effect, done.result) == (Effect.DONE, "k8s did scale")
        assert place.did() == [DID_WEB]
        assert ours.heard(approval.run_id) == "heard: k8s did scale"
        assert place.times_begun() == 1


def test_a_no_runs_nothing(bench: Bench, place: Place) -> None:
    with worker(bench, place) as ours:
        approval = ours.asked([WEB])
        bench.decide(approval, Say.REJECT)
        assert ours.go_on(approval).effect is Effect.NONE
        assert place.did() == []


@pytest.mark.parametrize(
    ("rules", "free"),
    [
        ({}, False),
        ({"*": Gate.NEVER}, False),
        ({"k8s__*": Gate.NEVER}, False),
        ({"get_pods": Gate.NEVER}, False),
        ({"k8s__get_pods": Gate.NEVER}, False),
        ({"k8s.get_pods": Gate.NEVER}, True),
        ({"k8s.*": Gate.NEVER}, True),
        ({"k8s.*": Gate.NEVER, "k8s.get_pods": Gate.ALWAYS}, False),
        ({"k8s.*": Gate.ALWAYS, "k8s.get_pods": Gate.RECORD}, True),
        ({"other.*": Gate.NEVER}, False),
    ],
)
def test_rules_name_it_with_its_server(bench: Bench, stdio: Place, rules: dict[str, Gate], free: bool) -> None:
    policy = a_policy(**{name: a_rule(gate) for name, gate in rules.items()})
    with worker(bench, stdio, policy=policy) as ours:
        run_id = ours.ask([["k8s__get_pods", {}]])
        assert stdio.did() == ([{"action": "get_pods"}] if free else [])
        assert [a.tool for a in bench.approvals(run_id)] == ([] if free else ["k8s.get_pods"])


def test_a_condition_sees_the_defaults_of_the_servers_schema(bench: Bench, stdio: Place) -> None:
    policy = a_policy()
    once = policy.tools[0].model_copy(
        update={"pattern": "k8s.scale", "rule": a_rule(Gate.NEVER), "when": "args.replicas == 1"}
    )
    with worker(bench, stdio, policy=policy.model_copy(update={"tools": (once,)})) as ours:
        assert bench.approvals(ours.ask([["k8s__scale", {"name": "web"}]])) == []
        assert ours.asked([WEB]).status is Status.PENDING


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"name": "web", "replicas": "three"},
        {"name": "web", "replicas": 51},
        {"name": "web", "mode": "all at once"},
        {"name": "WEB"},
        {"name": "web", "force": True},
    ],
)
def test_arguments_that_its_schema_refuses_make_no_card_and_no_call(
    bench: Bench, stdio: Place, args: dict[str, object]
) -> None:
    with worker(bench, stdio) as ours:
        run_id = ours.ask([["k8s__scale", args]])
        assert bench.approvals(run_id) == []
        assert ours.heard(run_id).startswith("heard: Not called: ")
        assert stdio.did() == []


def test_a_free_call_is_held_to_the_schema_too(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio, policy=a_policy(**{"k8s.scale": a_rule(Gate.NEVER)})) as ours:
        run_id = ours.ask([["k8s__scale", {"name": "web", "replicas": 51}]])
        assert "replicas: does not satisfy maximum: 50" in ours.heard(run_id)
        assert stdio.did() == []


def test_an_edit_runs_as_edited_and_the_agent_is_told_by_its_own_name(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio) as ours:
        approval = ours.asked([WEB])
        bench.edit(approval, replicas=2)
        assert ours.go_on(approval).effect is Effect.DONE
        assert stdio.did() == [{**DID_WEB, "replicas": 2}]
        assert "k8s__scale" in ours.heard(approval.run_id)
        assert "k8s.scale" not in ours.heard(approval.run_id)


def test_an_edit_that_the_schema_refuses_runs_nothing(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio) as ours:
        approval = ours.asked([WEB])
        bench.edit(approval, replicas=500)
        assert ours.go_on(approval).status is Status.SUPERSEDED
        assert stdio.did() == []


def test_two_servers_with_the_same_tool_are_two(bench: Bench, tmp_path: Path) -> None:
    east, west = Place(tmp_path / "east", "east"), Place(tmp_path / "west", "west")
    with worker(bench, east, west, policy=a_policy(**{"east.scale": a_rule(Gate.NEVER)})) as ours:
        run_id = ours.ask([["east__scale", {"name": "web"}], ["west__scale", {"name": "web"}]])
        approval = bench.only(run_id)
        assert approval.tool == "west.scale"
        assert (east.did(), west.did()) == ([{"action": "scale", "name": "web"}], [])
        bench.decide(approval, Say.APPROVE)
        ours.go_on(approval)
        assert west.did() == [{"action": "scale", "name": "web", "replicas": 1}]
        assert len(east.did()) == 1


def test_arguments_that_are_called_as_langchain_calls_its_own_arrive(bench: Bench, stdio: Place) -> None:
    names = ("config", "runtime", "run_manager", "state", "tool_call_id", "self", "arguments")
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    stdio.offers(scale=schema)
    args = {name: f"my {name}" for name in names}
    with worker(bench, stdio) as ours:
        approval = ours.asked([["k8s__scale", args]])
        bench.decide(approval, Say.APPROVE)
        assert ours.go_on(approval).effect is Effect.DONE
        assert stdio.did() == [{"action": "scale", **args}]


def test_a_call_may_take_as_long_as_the_configuration_says(bench: Bench, tmp_path: Path) -> None:
    quick = Place(tmp_path / "k8s", timeout=timedelta(seconds=1))
    quick.tell(on_call="hang")
    with worker(bench, quick, policy=a_policy(**{"k8s.*": a_rule(Gate.NEVER)})) as ours:
        run_id = ours.ask([WEB])
        assert "`k8s__scale` may or may not have run: " in ours.heard(run_id)
        assert "(no answer within 1s)" in ours.heard(run_id)
        until(lambda: quick.did() == [DID_WEB])
