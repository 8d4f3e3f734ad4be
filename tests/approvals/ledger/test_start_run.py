"""Somebody speaks to an agent: one run per thread, each message once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from approvals.ledger.deliver import mark_delivered, mark_handed, next_message
from approvals.ledger.find import find_run, list_runs
from approvals.ledger.start_run import NewMessage, OtherAgents, start_run
from approvals.ledger.tenure import FenceRaised
from approvals.rules.words import Door, RunStatus
from tests.approvals.ledger.world import BO, NUMBERS, World, a_message


def test_a_message_begins_a_run_in_its_thread(world: World) -> None:
    message = a_message(next(NUMBERS))
    started = start_run(world.db, "oncall", message)
    run = started.run
    assert started.fresh
    assert (run.agent, run.channel_id, run.thread_ts) == ("oncall", message.channel_id, message.thread_ts)
    assert (run.status, run.fence, run.failures) == (RunStatus.QUEUED, 0, 0)
    assert find_run(world.db, run.id) == run


def test_the_same_mention_twenty_times_at_once_is_one_run_and_one_message(world: World) -> None:
    message, ready = a_message(next(NUMBERS)), Barrier(20)

    def start(_: int) -> tuple[str, bool]:
        ready.wait(10)
        started = start_run(world.db, "oncall", message)
        return started.run.id, started.fresh

    with ThreadPoolExecutor(20) as threads:
        started = list(threads.map(start, range(20)))
    assert len({run_id for run_id, _ in started}) == 1
    assert sum(fresh for _, fresh in started) == 1
    run_id = started[0][0]
    assert len(world.sql("SELECT 1 FROM runs WHERE thread_ts = %s", message.thread_ts)) == 1
    assert len(world.sql("SELECT 1 FROM messages WHERE run_id = %s", run_id)) == 1
    assert len(world.sql("SELECT 1 FROM audit_log WHERE run_id = %s", run_id)) == 1


def test_different_messages_at_once_in_one_thread_are_one_run_with_all_of_them(world: World) -> None:
    thread = next(NUMBERS)
    messages = [a_message(next(NUMBERS), thread=thread) for _ in range(10)]
    with ThreadPoolExecutor(10) as threads:
        started = list(threads.map(lambda message: start_run(world.db, "oncall", message), messages))
    (run_id,) = {s.run.id for s in started}
    assert len(world.sql("SELECT 1 FROM messages WHERE run_id = %s", run_id)) == 10


@pytest.mark.parametrize("status", [RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_message_wakes_a_run_that_had_ended(world: World, status: RunStatus) -> None:
    run = world.run()
    world.sql(
        "UPDATE runs SET status = %s, reason = 'old', failures = 3, retry_at = now() + interval '1 h' WHERE id = %s",
        *(status, run.id),
    )
    started = start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    assert started.run == world.run_now(run)
    assert (started.run.status, started.run.reason, started.run.failures) == (RunStatus.QUEUED, None, 0)
    assert world.sql("SELECT retry_at <= now() AS due FROM runs WHERE id = %s", run.id) == [{"due": True}]


@pytest.mark.parametrize("status", [RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING, RunStatus.STUCK])
def test_a_message_waits_where_a_run_is_busy_waits_or_cannot_go_on(world: World, status: RunStatus) -> None:
    run = world.run()
    world.rest(run, status)
    started = start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    assert (started.fresh, started.run.status) == (True, status)
    assert next_message(world.db, run) is not None


def test_a_repeated_message_wakes_nothing(world: World) -> None:
    message = a_message(next(NUMBERS))
    run = start_run(world.db, "oncall", message).run
    world.rest(run, RunStatus.FAILED)
    assert not start_run(world.db, "oncall", message).fresh
    assert world.run_now(run).status is RunStatus.FAILED


def test_a_thread_belongs_to_its_runs_agent_and_no_other_is_told_anything_there(world: World) -> None:
    run = world.run()
    again = start_run(world.db, "another", a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    assert again == OtherAgents(world.run_now(run))
    assert len(world.sql("SELECT 1 FROM messages WHERE run_id = %s", run.id)) == 1


def test_two_agents_asked_in_one_thread_at_once_make_one_run(world: World) -> None:
    number = next(NUMBERS)
    messages = [a_message(next(NUMBERS), thread=str(number)) for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        done = list(
            threads.map(lambda one: start_run(world.db, *one), zip(("oncall", "another"), messages, strict=True))
        )
    assert sorted(type(one).__name__ for one in done) == ["OtherAgents", "Started"]


def test_the_audit_says_who_asked_through_which_door_and_not_what(world: World) -> None:
    message = a_message(next(NUMBERS), author=BO.user_id, text="drop the swordfish table")
    run = start_run(world.db, "oncall", message, Door.COMMAND_LINE).run
    (row,) = world.sql("SELECT * FROM audit_log WHERE run_id = %s", run.id)
    assert (row["action"], row["actor"], row["door"]) == ("message", BO.user_id, "command line")
    assert "swordfish" not in str(row)


def test_messages_are_given_oldest_first_and_each_until_it_is_delivered(world: World) -> None:
    run = world.next_tenure(world.queued_run().id)
    start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2], text="second"))
    first = next_message(world.db, run)
    assert first is not None
    mark_handed(world.db, run, first)
    assert next_message(world.db, run) == first
    mark_delivered(world.db, run, first)
    second = next_message(world.db, run)
    assert second is not None
    assert (first.text, second.text) == ("restart it", "second")


def test_a_worker_that_lost_the_run_delivers_nothing(world: World) -> None:
    run = world.next_tenure(world.queued_run().id)
    message = next_message(world.db, run)
    assert message is not None
    world.next_tenure(run.id)
    for mark in (mark_handed, mark_delivered):
        with pytest.raises(FenceRaised):
            mark(world.db, run, message)
    assert next_message(world.db, run) == message


def test_the_same_thread_number_in_another_channel_is_another_run(world: World) -> None:
    number = next(NUMBERS)
    here = start_run(world.db, "oncall", NewMessage("T1", "C1", f"{number}.0", f"{number}.0", BO.user_id, "hi"))
    there = start_run(world.db, "oncall", NewMessage("T1", "C2", f"{number}.0", f"{number}.0", BO.user_id, "hi"))
    assert here.run.id != there.run.id


def test_no_run_is_found_under_what_is_no_id(world: World) -> None:
    assert find_run(world.db, "x'; DROP TABLE runs; --") is None


def test_runs_are_listed_as_they_moved(own_world: World) -> None:
    first, second = own_world.run(), own_world.run()
    assert [run.id for run in list_runs(own_world.db)] == [second.id, first.id]
    own_world.next_tenure(first.id)
    assert [run.id for run in list_runs(own_world.db, limit=1)] == [first.id]
