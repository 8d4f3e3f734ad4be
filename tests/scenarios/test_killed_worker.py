"""kill -9 of a worker inside a gated tool: after the effect, before anybody could report it."""

import os
import signal

import pytest

from approvals.records import Approval, RunId
from approvals.rules.words import Effect, Say
from demo.slack.messages import Message
from tests.scenarios.conftest import Scene


@pytest.fixture
def killed(scene: Scene) -> tuple[Scene, RunId, Approval]:
    """Asked, approved, struck once; and the process that struck is gone. The supervisor has another one up."""
    scene.trap.touch()
    scene.world.house.start_workers(1)
    run_id = scene.ask([["strike", {"target": "prod"}]])
    approval = scene.first_approval(run_id)
    scene.decide(approval, Say.APPROVE)
    scene.until(scene.effects)
    scene.until(lambda: not scene.trap.exists())
    (worker,) = scene.world.house.worker_pids()
    os.kill(worker, signal.SIGKILL)
    scene.until(lambda: scene.world.house.log("workers").count("worker.ready") == 2)
    scene.sweep()
    return scene, run_id, approval


def test_it_is_unknown_for_people_to_see_and_run_again_runs_it_exactly_once(
    killed: tuple[Scene, RunId, Approval],
) -> None:
    scene, run_id, approval = killed
    assert scene.again(approval).effect is Effect.UNKNOWN
    assert scene.effects() == ["prod"]
    # The card is written beside the run, and may come a moment after the row.
    scene.until(lambda: buttons_of_the_card(scene) == ["It happened", "It did not happen", "Run again"])
    scene.decide(approval, Say.RUN_AGAIN)
    scene.until(lambda: scene.status(run_id) == "done")
    assert scene.again(approval).effect is Effect.DONE
    assert scene.again(approval).attempt == 2
    assert scene.effects() == ["prod", "prod"]


def test_it_happened_lets_the_agent_go_on_with_the_note(killed: tuple[Scene, RunId, Approval]) -> None:
    scene, run_id, approval = killed
    scene.decide(approval, Say.IT_HAPPENED, "all pods restarted at 03:14")
    scene.until(lambda: scene.status(run_id) == "done")
    assert scene.effects() == ["prod"]
    # The answer is shown beside the run, and may come a moment after its end.
    scene.until(lambda: any("heard: all pods restarted at 03:14" in m.text for m in messages(scene)))


def buttons_of_the_card(scene: Scene) -> list[str]:
    card = next(m for m in messages(scene) if m.blocks and m.blocks[0]["type"] == "header")
    return [control.label for control in scene.world.slack.controls(card.channel_id, card.ts)]


def messages(scene: Scene) -> list[Message]:
    return scene.world.slack.messages(scene.world.people.ops)


def test_a_dead_worker_is_noticed_without_any_other_worker(scene: Scene) -> None:
    scene.trap.touch()
    scene.world.house.start_workers(1)
    run_id = scene.ask([["strike", {"target": "prod"}]])
    approval = scene.first_approval(run_id)
    scene.decide(approval, Say.APPROVE)
    scene.until(scene.effects)
    scene.world.house.kill("workers")
    scene.until(lambda: scene.sweep()["lose"] or scene.again(approval).effect is Effect.UNKNOWN)
    assert scene.again(approval).effect is Effect.UNKNOWN
    assert scene.effects() == ["prod"]
