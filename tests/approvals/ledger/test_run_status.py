"""How a run stands: tries, giving up, and who may say so."""

import pytest

from approvals.ledger.posts import lease_posts
from approvals.ledger.run_status import TRIES, note_failure, note_stuck, set_status
from approvals.ledger.tenure import FenceRaised, raise_fence
from approvals.records import Run, RunId
from approvals.rules.transitions import CLEARED, STARTED
from approvals.rules.words import Effect, RunStatus, Status
from tests.approvals.ledger.world import World


def seconds_until_retry(world: World, run: Run) -> float:
    (row,) = world.sql("SELECT extract(epoch FROM retry_at - now())::float AS s FROM runs WHERE id = %s", run.id)
    return float(row["s"])


def test_a_run_that_failed_is_tried_again_each_time_later(world: World) -> None:
    run = world.run()
    pauses = []
    for tries in range(1, TRIES):
        assert note_failure(world.db, run, "the agent raised ValueError.") is RunStatus.QUEUED
        assert world.run_now(run).failures == tries
        pauses.append(seconds_until_retry(world, run))
    assert 0 < pauses[0] <= 2 < pauses[1] <= 4


def test_after_three_tries_it_has_failed_and_says_so_in_its_thread_once(world: World) -> None:
    run = world.run()
    statuses = [note_failure(world.db, run, "the agent raised ValueError.") for _ in range(TRIES)]
    assert statuses == [RunStatus.QUEUED, RunStatus.QUEUED, RunStatus.FAILED]
    assert world.run_now(run).reason == "the agent raised ValueError."
    (post,) = lease_posts(world.db, run.id)
    assert (post.kind, post.text) == (
        "notice",
        "I had to stop: the agent raised ValueError. Write here what to do instead.",
    )


def test_each_failure_is_on_the_audit(world: World) -> None:
    run = world.run()
    for _ in range(TRIES):
        note_failure(world.db, run, "the agent raised ValueError.")
    rows = world.sql("SELECT action FROM audit_log WHERE run_id = %s ORDER BY id", run.id)
    assert [row["action"] for row in rows] == ["message", "run_faltered", "run_faltered", "run_failed"]


@pytest.mark.parametrize("status", [RunStatus.WAITING, RunStatus.DONE])
def test_a_run_that_comes_to_rest_has_no_failures_behind_it(world: World, status: RunStatus) -> None:
    run = world.run()
    note_failure(world.db, run, "the agent raised ValueError.")
    set_status(world.db, run, status)
    now = world.run_now(run)
    assert (now.status, now.reason, now.failures) == (status, None, 0)


def test_running_again_forgives_no_failure(world: World) -> None:
    run = world.run()
    note_failure(world.db, run, "the agent raised ValueError.")
    set_status(world.db, run, RunStatus.RUNNING)
    assert world.run_now(run).failures == 1


def test_a_stuck_run_says_why_and_closes_what_is_open(world: World) -> None:
    run = world.run()
    waiting, cleared = world.approval(run=run), world.approval(CLEARED, run=run)
    started = world.approval(STARTED, run=run)
    closed = note_stuck(world.db, run, "there is no agent named oncall.")
    assert {a.id for a in closed} == {waiting.id, cleared.id}
    assert {world.now(a).status for a in (waiting, cleared)} == {Status.CANCELLED}
    assert world.now(started).effect is Effect.STARTED
    assert world.run_now(run).status is RunStatus.STUCK
    assert [post.text for post in lease_posts(world.db, run.id)] == [
        "This run cannot go on: there is no agent named oncall."
    ]


def test_a_worker_that_lost_the_run_says_nothing_about_it(world: World) -> None:
    run = world.run()
    after = world.next_tenure(run.id)
    with pytest.raises(FenceRaised):
        set_status(world.db, run, RunStatus.DONE)
    for note in (note_failure, note_stuck):
        with pytest.raises(FenceRaised):
            note(world.db, run, "too late")
    assert world.run_now(run) == after


def test_a_fence_rises_by_one_each_tenure(world: World) -> None:
    run = world.run()
    assert [world.next_tenure(run.id).fence for _ in range(3)] == [run.fence + 1, run.fence + 2, run.fence + 3]


def test_a_run_that_is_not_there_has_no_tenure(world: World) -> None:
    assert raise_fence(world.db, RunId("00000000-0000-0000-0000-000000000000")) is None
