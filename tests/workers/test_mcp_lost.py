"""An MCP server hangs, dies, is not there, or comes back: what came of a call is not guessed; the worker works."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from approvals.records import Approval
from approvals.rules.words import Effect, Gate, RunStatus, Say
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.mcp_worker import Worker, worker
from tests.workers.mcp_world import DID_WEB, NOTHING, SCALE, WEB, Place, runs, until
from workers.mcp import connection

ROOT = Path(__file__).parents[2]


@pytest.fixture
def impatient(place: Place) -> Place:
    """With a limit that a call is to run into."""
    place.timeout = timedelta(seconds=1)
    return place


def approved(bench: Bench, ours: Worker) -> Approval:
    approval = ours.asked([WEB])
    bench.decide(approval, Say.APPROVE)
    return approval


def test_a_call_that_hangs_is_unknown_and_a_person_says_what_came_of_it(bench: Bench, impatient: Place) -> None:
    impatient.tell(on_call="hang")
    with worker(bench, impatient) as ours:
        lost = ours.go_on(approved(bench, ours))
        assert (lost.effect, lost.reason) == (
            Effect.UNKNOWN,
            "the MCP server k8s did not report what came of it (no answer within 1s)",
        )
        assert bench.run(lost.run_id).status is RunStatus.WAITING
        bench.decide(lost, Say.IT_DID_NOT_HAPPEN)
        assert ours.go_on(lost).effect is Effect.FAILED
        assert "It did not happen: a person checked" in ours.heard(lost.run_id)
        until(lambda: impatient.did() == [DID_WEB])


def test_one_that_dies_in_mid_call_leaves_it_unknown_and_run_again_runs_it_once(bench: Bench, place: Place) -> None:
    place.tell(on_call="die")
    with worker(bench, place) as ours:
        lost = ours.go_on(approved(bench, ours))
        assert lost.effect is Effect.UNKNOWN
        assert place.did() == [DID_WEB]
        place.tell(on_call=None)
        place.start()
        bench.decide(lost, Say.RUN_AGAIN)
        again = ours.go_on(lost)
        assert (again.effect, again.attempt) == (Effect.DONE, 2)
        assert place.did() == [DID_WEB, DID_WEB]
        assert place.times_begun() == 2


def test_a_server_that_was_restarted_while_the_call_waited_runs_it_once(bench: Bench, place: Place) -> None:
    with worker(bench, place) as ours:
        approval = approved(bench, ours)
        end(place)
        place.start()
        assert ours.go_on(approval).effect is Effect.DONE
        assert place.did() == [DID_WEB]


def test_a_free_call_after_a_restart_runs_once(bench: Bench, place: Place) -> None:
    with worker(bench, place, policy=a_policy(**{"k8s.*": a_rule(Gate.NEVER)})) as ours:
        ours.ask([WEB])
        end(place)
        place.start()
        ours.ask([WEB])
        assert place.did() == [DID_WEB, DID_WEB]


def test_what_was_approved_and_cannot_be_sent_has_failed_and_did_not_run(bench: Bench, tmp_path: Path) -> None:
    place = Place(tmp_path / "k8s", over_http=True)
    place.start()
    with worker(bench, place) as ours:
        approval = approved(bench, ours)
        end(place)
        failed = ours.go_on(approval)
        assert (failed.effect, failed.result) == (
            Effect.FAILED,
            "Not run: the MCP server k8s cannot be reached (nothing answers at its address).",
        )
        assert ours.heard(approval.run_id) == f"heard: {failed.result}"
        assert place.did() == []


def test_nobody_is_asked_about_a_call_that_could_not_be_sent(bench: Bench, tmp_path: Path) -> None:
    place = Place(tmp_path / "k8s", over_http=True)
    place.start()
    with worker(bench, place) as ours:
        end(place)
        run_id = ours.ask([WEB])
        assert bench.approvals(run_id) == []
        assert ours.heard(run_id).startswith("heard: Not called: the MCP server k8s cannot be reached")


def test_a_server_that_is_down_at_the_start_takes_nothing_down_and_is_found_later(bench: Bench, place: Place) -> None:
    config = place.config
    here = take_away(place)
    with capture_logs() as logs, worker(bench, place) as ours:
        run_id = ours.ask([WEB])
        assert ours.heard(run_id) == "heard: Not called: 'k8s__scale' is not a valid tool of this agent."
        assert bench.approvals(run_id) == []
        (line,) = [one for one in logs if one["event"] == "mcp.server_down"]
        assert (line["server"], line["log_level"]) == ("k8s", "warning")
        assert line["why"]
        bring_back(place, here)
        assert place.config == config
        until(lambda: ours.later() or bench.approvals(ours.ask([WEB])))
        assert [one["tools"] for one in logs if one["event"] == "mcp.server_up"] == [2]


def test_while_it_is_down_nobody_waits_for_it_each_time(bench: Bench, stdio: Place) -> None:
    here = take_away(stdio)
    with worker(bench, stdio) as ours:
        ours.ask([WEB])
        bring_back(stdio, here)
        assert "not a valid tool" in ours.heard(ours.ask([WEB]))
        assert stdio.times_begun() == 0
        until(lambda: ours.later() or bench.approvals(ours.ask([WEB])))
        assert stdio.times_begun() == 1


def test_one_server_down_leaves_the_others_their_tools(bench: Bench, tmp_path: Path) -> None:
    east, west = Place(tmp_path / "east", "east"), Place(tmp_path / "west", "west")
    take_away(east)
    with worker(bench, east, west) as ours:
        assert ours.asked([["west__scale", {"name": "web"}]]).tool == "west.scale"


def test_a_server_that_never_says_what_it_has_is_waited_for_a_while(
    bench: Bench, stdio: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LIST_SECONDS", 0.5)
    stdio.tell(listing="hang")
    with capture_logs() as logs, worker(bench, stdio) as ours:
        assert bench.approvals(ours.ask([WEB])) == []
        assert "no answer within" in next(one["why"] for one in logs if one["event"] == "mcp.server_down")
        until(lambda: not any(map(runs, stdio.pids())))


@pytest.mark.parametrize("told", ["by the server", "after a while"])
def test_a_tool_that_comes_is_there_from_the_next_message_on(bench: Bench, place: Place, told: str) -> None:
    place.offers(announce=NOTHING)
    with worker(bench, place, policy=a_policy(**{"k8s.announce": a_rule(Gate.NEVER)})) as ours:
        place.offers(announce=NOTHING, scale=SCALE)
        first = ours.ask([["k8s__announce", {}]] if told == "by the server" else [["look", {}]], [WEB])
        assert bench.approvals(first) == [], "the graph was changed in the middle of a tenure"
        if told == "after a while":
            ours.later()
        assert ours.asked([WEB]).tool == "k8s.scale"


def test_the_processes_of_servers_end_with_the_worker(bench: Bench, stdio: Place) -> None:
    with worker(bench, stdio) as ours:
        ours.ask([WEB])
        (pid,) = stdio.pids()
        assert runs(pid)
    assert not runs(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a server is told by the end of its input only")
def test_they_end_also_when_the_worker_is_killed_in_mid_call(stdio: Place) -> None:
    stdio.tell(on_call="hang", deaf=True)
    program = """
import sys
from datetime import timedelta
from approvals.config.values import AgentConfig, StdioServer
from workers.mcp.servers import Servers
config = AgentConfig("a", "", "", mcp=(StdioServer("k8s", sys.executable, tuple(sys.argv[1:])),))
with Servers([config], {}) as servers:
    (listing,) = servers.listings(config)
    tool = next(t for t in servers.tools_of(config, [listing]) if t.name == "k8s__scale")
    tool.invoke({"name": "web"})
"""
    command = [sys.executable, "-c", program, *stdio.config.args]  # type: ignore[union-attr]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environ) as process:
        until(stdio.did)
        (pid,) = stdio.pids()
        process.send_signal(signal.SIGKILL)
    until(lambda: not runs(pid))


def test_calls_at_once_on_a_server_that_dies_run_at_most_once_each(bench: Bench, place: Place) -> None:
    place.tell(on_call="die")
    with worker(bench, place, policy=a_policy(**{"k8s.*": a_rule(Gate.NEVER)})) as ours:
        run_id = ours.ask([["k8s__scale", {"name": name}] for name in ("a", "b", "c")])
        struck = [one["name"] for one in place.did()]
        assert struck
        assert len(struck) == len(set(struck))
        assert ours.heard(run_id).count("may or may not have run") >= len(struck)


def test_the_key_of_a_call_goes_with_it_and_stays_the_same(bench: Bench, stdio: Place) -> None:
    stdio.tell(on_call="die", tell_key=True)
    with worker(bench, stdio, policy=a_policy(**{"k8s.scale": a_rule(idempotent=True)})) as ours:
        approval = ours.go_on(approved(bench, ours))
        assert (approval.effect, approval.attempt) == (Effect.UNKNOWN, 3)
        keys = {one["key"][connection.KEY] for one in stdio.noted() if one["action"] == "key"}
        assert keys == {f"{approval.id}.1"}


def end(place: Place) -> None:
    """The server is killed from outside."""
    if place.over_http:
        place.stop()
        return
    pid = place.pids()[-1]
    os.kill(pid, signal.SIGKILL)
    until(lambda: not runs(pid))


def take_away(place: Place) -> Path:
    """So that it cannot be reached: nothing listens, or what is started ends at once. Returns what is away."""
    if place.over_http:
        place.stop()
        return place.folder
    control = place.folder / "control.json"
    return control.rename(control.with_suffix(".away"))


def bring_back(place: Place, away: Path) -> None:
    if place.over_http:
        place.start()
    else:
        away.rename(away.with_suffix(".json"))
