"""Tools of a real MCP server, from a configuration alone: real processes, cards and forms."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.scenarios.hitl.conftest import Plays
from tests.scenarios.hitl.play import Call, Play
from tests.workers.mcp_world import NOTHING, SCALE, Place, runs, until

WEB: Call = ("k8s__scale", {"name": "web", "replicas": 3})
PODS: Call = ("k8s__get_pods", {})


@dataclass(frozen=True)
class Cluster:
    """A deployment whose one agent has nothing but this server's tools."""

    play: Play
    place: Place
    done_before: int = 0

    def did(self) -> list[dict[str, object]]:
        """What the server did since the test began."""
        return self.place.did()[self.done_before :]


@pytest.fixture(scope="module")
def deployed(house: Plays, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    place = Place(tmp_path_factory.mktemp("mcp") / "k8s")
    place.offers(scale=SCALE, get_pods=NOTHING, drain=SCALE)
    server = place.config
    described = {"transport": "stdio", "command": server.command, "args": list(server.args)}  # type: ignore[union-attr]
    config = {
        "agents": {
            "cases": {
                "factory": "workers.agents.plain:build",
                "model": "python:tests.scenarios.hitl.agents:model",
                "mcp": {"k8s": described},
            }
        },
        "approvers": {"oncall": {"usergroup": "oncall-sre"}},
        "defaults": {"approvers": ["oncall"], "decisions": ["approve", "edit", "reject"], "timeout": "30m"},
        "tools": {"k8s.get_*": {"gate": "never"}, "k8s.scale": {"summary": "Scale {name} to {replicas}"}},
    }
    # JSON is YAML.
    return Cluster(house(json.dumps(config)), place)


@pytest.fixture
def cluster(deployed: Cluster) -> Iterator[Cluster]:
    yield Cluster(deployed.play, deployed.place, len(deployed.place.did()))
    deployed.place.tell(on_call=None)


def test_a_call_is_a_card_with_the_policys_name_and_runs_once_after_the_click(cluster: Cluster) -> None:
    talk = cluster.play.ask([WEB])
    (card,) = talk.cards(1)
    assert "Scale web to 3" in card.text()
    assert "k8s.scale" in card.text()
    assert "k8s__scale" not in card.text()
    assert cluster.did() == []
    card.approve()
    assert talk.told() == [["k8s__scale", "success", "k8s did scale"]]
    assert cluster.did() == [{"action": "scale", "name": "web", "replicas": 3}]
    card.until("Done", "k8s did scale")


def test_what_the_policy_lets_through_runs_without_a_card(cluster: Cluster) -> None:
    talk = cluster.play.ask([PODS])
    assert talk.told() == [["k8s__get_pods", "success", "k8s did get_pods"]]
    assert talk.card_messages() == []


def test_a_bad_edit_is_refused_at_its_field_and_a_good_one_runs(cluster: Cluster) -> None:
    talk = cluster.play.ask([WEB])
    (card,) = talk.cards(1)
    form = card.edit()
    view = cluster.play.world.slack.view(cluster.play.world.people.bo)
    assert view is not None
    kinds = {b["label"]["text"]: b["element"]["type"] for b in view["blocks"] if b["type"] == "input"}
    assert kinds == {"name": "plain_text_input", "replicas": "number_input", "mode": "static_select"}
    form.fill(name="Web!")
    assert set(form.refused()) == {"name"}
    form.fill(name="web", replicas="51")
    assert set(form.refused()) == {"replicas"}
    form.fill(replicas="2")
    assert form.refused() == {}
    ((tool, status, words),) = talk.told()
    assert (tool, status) == ("k8s__scale", "success")
    assert words.endswith("k8s did scale")
    assert cluster.did() == [{"action": "scale", "name": "web", "replicas": 2}]


def test_a_tool_that_changed_while_the_card_waited_does_not_run_and_the_card_says_so(cluster: Cluster) -> None:
    talk = cluster.play.ask([("k8s__drain", {"name": "web"})])
    (card,) = talk.cards(1)
    cluster.place.offers(scale=SCALE, get_pods=NOTHING, drain={**SCALE, "required": ["name", "replicas"]})
    card.approve()
    ((_, status, words),) = talk.told()
    assert status == "error"
    assert "the rule or the tool changed" in words
    card.until("Superseded")
    assert cluster.did() == []


def test_a_server_that_dies_in_mid_call_is_asked_about_and_run_again_runs_it_once(cluster: Cluster) -> None:
    talk = cluster.play.ask([WEB])
    (card,) = talk.cards(1)
    cluster.place.tell(on_call="die")
    card.approve()
    card.until("Unknown", "the MCP server k8s did not report what came of it", "It may or may not have happened")
    assert {"It happened", "It did not happen", "Run again"} <= set(card.labels())
    assert len(cluster.did()) == 1
    cluster.place.tell(on_call=None)
    card.press(cluster.play.world.people.bo, "run_again")
    assert talk.told() == [["k8s__scale", "success", "k8s did scale"]]
    assert len(cluster.did()) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a server is told by the end of its input only")
def test_when_the_worker_is_killed_no_server_is_left(cluster: Cluster) -> None:
    cluster.play.ask([PODS]).told()
    pid = cluster.place.pids()[-1]
    # The leash has become the server: its parent is the worker process.
    parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(parent, signal.SIGKILL)
    until(lambda: not runs(pid))
    talk = cluster.play.ask([PODS])
    assert talk.told() == [["k8s__get_pods", "success", "k8s did get_pods"]]
