"""What there is to do, from the rows alone; and who holds a run."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from approvals.ledger.apply import mark_applied
from approvals.ledger.start_run import start_run
from approvals.ledger.tenure import held, try_lock
from approvals.ledger.work import has_work, runs_to_wake, runs_with_lost_effects
from approvals.records import Run
from approvals.rules.transitions import CLEARED, DONE, FAILED, STARTED, UNKNOWN, WAITING, State
from approvals.rules.words import RunStatus, Say
from tests.approvals.ledger.world import CLOSED, NUMBERS, World, a_message


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


@pytest.fixture
def worker(world: World) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(world.db.url, autocommit=True, row_factory=dict_row) as connection:
        yield connection


def is_work(world: World, run: Run) -> bool:
    """What the sweep and the worker say; they must agree about a run that nobody holds."""
    work = has_work(world.db, run.id)
    assert (run.id in runs_to_wake(world.db)) == work
    return work


def a_run(world: World, status: RunStatus, state: State | None = None, *, message: bool = False) -> Run:
    run = world.run()
    if state is not None:
        world.approval(state, run=run)
    if message:
        start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    world.rest(run, status)
    return run


@pytest.mark.parametrize("status", [RunStatus.QUEUED, RunStatus.RUNNING])
def test_a_run_that_is_not_at_rest_is_work(world: World, status: RunStatus) -> None:
    assert is_work(world, a_run(world, status))


@pytest.mark.parametrize("status", [RunStatus.WAITING, RunStatus.DONE, RunStatus.FAILED, RunStatus.STUCK])
def test_a_run_at_rest_is_no_work(world: World, status: RunStatus) -> None:
    assert not is_work(world, a_run(world, status))


def test_a_message_that_came_while_a_run_ended_is_work(world: World) -> None:
    assert is_work(world, a_run(world, RunStatus.DONE, message=True))


@pytest.mark.parametrize("status", [RunStatus.WAITING, RunStatus.FAILED, RunStatus.CANCELLED, RunStatus.STUCK])
def test_a_message_to_a_run_that_waits_or_gave_up_is_no_work(world: World, status: RunStatus) -> None:
    assert not is_work(world, a_run(world, status, message=True))


def test_an_approval_that_waits_is_no_work(world: World) -> None:
    assert not is_work(world, a_run(world, RunStatus.WAITING, WAITING))


@pytest.mark.parametrize("state", [CLEARED, DONE, FAILED, *CLOSED], ids=str)
def test_an_approval_that_the_agent_has_not_heard_about_is_work(world: World, state: State) -> None:
    assert is_work(world, a_run(world, RunStatus.WAITING, state))


@pytest.mark.parametrize("state", [CLEARED, DONE, FAILED, *CLOSED], ids=str)
def test_an_approval_that_the_agent_has_heard_about_is_no_work(world: World, state: State) -> None:
    run = world.run()
    mark_applied(world.db, run, world.approval(state, run=run).id)
    world.rest(run, RunStatus.WAITING)
    assert not is_work(world, run)


def test_an_effect_in_doubt_is_no_work_until_a_person_has_spoken(world: World) -> None:
    run = world.run()
    approval = world.approval(UNKNOWN, run=run)
    world.rest(run, RunStatus.WAITING)
    assert not is_work(world, run)
    world.decide(approval, Say.RUN_AGAIN)
    assert is_work(world, run)


def test_a_decision_on_a_run_that_failed_makes_it_work(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    world.rest(run, RunStatus.FAILED)
    assert not is_work(world, run)
    world.decide(approval, Say.APPROVE)
    assert is_work(world, run)


def test_a_run_that_is_to_be_tried_later_is_no_work_before(world: World) -> None:
    run = a_run(world, RunStatus.QUEUED)
    world.sql("UPDATE runs SET retry_at = now() + interval '1 minute' WHERE id = %s", run.id)
    assert not is_work(world, run)


def test_the_sweep_does_not_wake_a_run_that_is_held_but_its_holder_sees_the_work(
    world: World, worker: psycopg.Connection[Any]
) -> None:
    # Several, because a lock's number may be negative, and the server shows it in two halves.
    runs = [a_run(world, RunStatus.QUEUED) for _ in range(12)]
    for run in runs:
        with held(worker, run.id) as ours:
            assert ours
            assert set(runs_to_wake(world.db)) == {r.id for r in runs} - {run.id}
            assert has_work(world.db, run.id)
    assert set(runs_to_wake(world.db)) == {run.id for run in runs}


def test_a_lock_of_the_same_number_in_another_database_hides_nothing(world: World, postgres_url: str) -> None:
    run = a_run(world, RunStatus.QUEUED)
    with psycopg.connect(postgres_url, autocommit=True, row_factory=dict_row) as elsewhere:
        assert try_lock(elsewhere, run.id)
        assert runs_to_wake(world.db) == [run.id]


def test_a_run_is_woken_once_however_much_there_is_to_do(world: World) -> None:
    run = world.run()
    for _ in range(3):
        world.approval(CLEARED, run=run)
    world.rest(run, RunStatus.DONE)
    start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    assert runs_to_wake(world.db) == [run.id]


def test_the_runs_that_moved_longest_ago_are_woken_first(world: World) -> None:
    runs = [a_run(world, RunStatus.QUEUED) for _ in range(3)]
    for hours, run in enumerate(runs, start=1):
        world.sql("UPDATE runs SET updated_at = now() - %s * interval '1 hour' WHERE id = %s", hours, run.id)
    assert runs_to_wake(world.db, limit=2) == [runs[2].id, runs[1].id]


def test_a_run_is_held_by_one_connection_at_a_time(world: World, worker: psycopg.Connection[Any]) -> None:
    run = world.run()
    with psycopg.connect(world.db.url, autocommit=True, row_factory=dict_row) as other:
        with held(worker, run.id) as ours, held(other, run.id) as theirs:
            assert (ours, theirs) == (True, False)
        with held(other, run.id) as theirs:
            assert theirs


def test_a_connection_that_saw_an_error_is_closed_and_its_lock_is_gone(
    world: World, worker: psycopg.Connection[Any]
) -> None:
    run = world.run()
    with pytest.raises(ZeroDivisionError), held(worker, run.id):
        raise ZeroDivisionError
    assert worker.closed
    with psycopg.connect(world.db.url, autocommit=True, row_factory=dict_row) as other:
        assert lock_within_seconds(other, run)


def lock_within_seconds(connection: psycopg.Connection[Any], run: Run) -> bool:
    """The server notices a closed connection a moment later; its own wait is bounded, ours is too."""
    connection.execute("SET lock_timeout = '5s'")
    connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 5396814))", (run.id,))
    return True


def test_effects_whose_worker_is_gone_are_found_and_those_in_progress_are_not(
    world: World, worker: psycopg.Connection[Any]
) -> None:
    gone, busy, done = world.run(), world.run(), world.run()
    for run, state in ((gone, STARTED), (busy, STARTED), (done, DONE)):
        world.approval(state, run=run)
    with held(worker, busy.id):
        assert runs_with_lost_effects(world.db) == [gone.id]
    assert set(runs_with_lost_effects(world.db)) == {gone.id, busy.id}
