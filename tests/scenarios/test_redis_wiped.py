"""Redis holds wake-ups and nothing else: it may forget them all at any time."""

import redis

from approvals.rules.words import Effect, Say
from tests.scenarios.conftest import Scene

COUNT = 10


def test_ten_decided_approvals_are_applied_once_each_within_two_sweeps(scene: Scene) -> None:
    house = scene.world.house
    house.start_workers(2)
    run_ids = [scene.ask([["strike", {"target": f"t{n}"}]], number=n) for n in range(COUNT)]
    approvals = [scene.first_approval(run_id) for run_id in run_ids]
    scene.until(lambda: all(scene.status(run_id) == "waiting" for run_id in run_ids))
    house.stop("workers")
    for approval in approvals:
        scene.decide(approval, Say.APPROVE)
    redis.Redis.from_url(house.environ["REDIS_URL"]).flushall()
    house.start_workers(2)
    for _ in range(2):
        scene.sweep()
    scene.until(lambda: all(scene.status(run_id) == "done" for run_id in run_ids))
    assert sorted(scene.effects()) == sorted(f"t{n}" for n in range(COUNT))
    assert {scene.again(a).effect for a in approvals} == {Effect.DONE}


def test_a_sweep_wakes_nobody_twice(scene: Scene) -> None:
    run_id = scene.ask([["look", {}]])
    redis.Redis.from_url(scene.world.house.environ["REDIS_URL"]).flushall()
    assert scene.sweep()["wake"] == 1
    assert scene.sweep()["wake"] == 0
    scene.world.house.start_workers(1)
    scene.until(lambda: scene.status(run_id) == "done")


def test_twenty_wakeups_of_one_run_are_one_effect(scene: Scene) -> None:
    scene.world.house.start_workers(2)
    run_id = scene.ask([["strike", {"target": "once"}]])
    approval = scene.first_approval(run_id)
    scene.until(lambda: scene.status(run_id) == "waiting")
    scene.decide(approval, Say.APPROVE)
    scene.wakeups.wake_all([run_id] * 20)
    scene.until(lambda: scene.status(run_id) == "done")
    assert scene.effects() == ["once"]
