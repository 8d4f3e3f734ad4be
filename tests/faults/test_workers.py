"""F12 to F15, F19, F44, F45, M4, M13 to M15: wake-ups that get lost or come twice, and workers that die, freeze
or are told to stop in the middle."""

import os
import signal

import redis

from approvals.records import Approval
from approvals.rules.words import Effect, Say
from approvals.wakeup import QUEUE, Wakeups, connect
from demo.services import RedisServer
from tests.faults import bodies
from tests.faults.lab import Lab
from tests.faults.proxy import Proxy

COUNT = 6


def many_approved(lab: Lab, count: int = COUNT) -> list[Approval]:
    """So many runs, each with one call that people said yes to, and woken."""
    runs = [lab.ask([["strike", {"target": f"t{n}"}]], number=n) for n in range(count)]
    for run_id in runs:
        lab.advance(run_id)
    approvals = [lab.approvals(run_id)[0] for run_id in runs]
    for approval in approvals:
        lab.decide(approval, Say.APPROVE)
    return approvals


def each_once(lab: Lab, count: int = COUNT) -> None:
    lab.check()
    assert sorted(lab.effects()) == sorted(f"t{n}" for n in range(count))


def all_done(lab: Lab, approvals: list[Approval]) -> None:
    lab.until(lambda: all(lab.again(a).applied_at for a in approvals))


def test_f12_m15_redis_is_flushed_and_every_decision_is_carried_out_once(lab: Lab) -> None:
    many_approved(lab)
    redis.Redis.from_url(lab.environ["REDIS_URL"]).flushdb()
    assert lab.sweep()["wake"] == COUNT
    assert lab.sweep()["wake"] == 0
    each_once(lab)


def test_f44_redis_restarts_empty_and_every_decision_is_carried_out_once(lab: Lab, own_redis: RedisServer) -> None:
    lab.more["REDIS_URL"] = own_redis.url
    lab.wakeups = Wakeups(connect(own_redis.url))
    many_approved(lab)
    own_redis.stop()
    assert lab.sweep()["wake"] == 0
    own_redis.start()
    assert lab.sweep()["wake"] == COUNT
    each_once(lab)


def test_f13_m14_a_worker_dies_as_it_takes_a_wakeup_and_the_next_sweep_repeats_it(lab: Lab) -> None:
    approval = lab.approved()
    connection = redis.Redis.from_url(lab.environ["REDIS_URL"])
    connection.flushdb()
    lab.wakeups.wake(approval.run_id)
    process = lab.start(bodies.work, fail="before_raise_fence_commit:kill")
    process.join()
    assert connection.llen(f"rq:queue:{QUEUE}") == 0
    assert lab.sweep()["wake"] == 1
    lab.start(bodies.work)
    all_done(lab, [approval])
    lab.check()
    assert lab.effects() == ["prod"]


def test_f14_m4_m13_twenty_wakeups_of_each_run_on_three_workers_are_one_effect_each(lab: Lab) -> None:
    approvals = many_approved(lab, 3)
    lab.wakeups.wake_all([a.run_id for a in approvals] * 20)
    for _ in range(3):
        lab.start(bodies.work)
    all_done(lab, approvals)
    each_once(lab, 3)


def test_f15_a_worker_that_was_frozen_and_lost_its_run_writes_nothing_late(lab: Lab) -> None:
    approval = lab.approved()
    with Proxy(lab.environ["DATABASE_URL"]) as wire:
        frozen = lab.start(bodies.advance, approval.run_id, fail="after_tool:block", DATABASE_URL=wire.url)
        lab.until(lambda: lab.reached("after_tool"))
        assert frozen.pid
        os.kill(frozen.pid, signal.SIGSTOP)
        wire.cut()
        lab.until(lambda: lab.sweep()["lose"] or lab.again(approval).effect is Effect.UNKNOWN)
        lab.check()
        before = checkpoints(lab)
        lab.let_go("after_tool")
        os.kill(frozen.pid, signal.SIGCONT)
        frozen.join()
    assert lab.again(approval).effect is Effect.UNKNOWN
    assert checkpoints(lab) == before
    assert lab.sql("SELECT action FROM audit_log WHERE action = 'late_outcome'")
    lab.check()
    lab.decide(approval, Say.IT_HAPPENED, "I looked")
    lab.check()
    assert lab.effects() == ["prod"]
    assert lab.status(approval.run_id) == "done"


def checkpoints(lab: Lab) -> list[dict[str, object]]:
    return lab.sql("SELECT thread_id, checkpoint_id, task_id, idx, blob FROM checkpoint_writes ORDER BY 1, 2, 3, 4")


def test_f15_a_worker_frozen_in_a_transaction_does_not_keep_its_rows(lab: Lab) -> None:
    approval = lab.approved()
    with Proxy(lab.environ["DATABASE_URL"]) as wire:
        frozen = lab.start(bodies.advance, approval.run_id, fail="before_claim_commit:block", DATABASE_URL=wire.url)
        lab.until(lambda: lab.reached("before_claim_commit"))
        (setting,) = lab.sql("SHOW idle_in_transaction_session_timeout")
        assert setting == {"idle_in_transaction_session_timeout": "15s"}
        wire.cut()
        lab.check()
        frozen.kill()
    assert lab.effects() == ["prod"]


def test_f19_a_tool_that_raises_after_its_effect_is_failed_and_not_run_again(lab: Lab) -> None:
    approval = lab.approved([["break_down", {"target": "prod"}]])
    lab.check()
    after = lab.again(approval)
    assert after.effect is Effect.FAILED
    assert "may have had an effect" in (after.result or "")
    assert lab.effects() == ["prod"]


def test_f45_a_worker_that_is_told_to_stop_lets_its_effect_end_and_begins_no_other(lab: Lab) -> None:
    approvals = many_approved(lab, 3)
    worker = lab.start(bodies.work, fail="after_tool:block:once")
    lab.until(lambda: lab.reached("after_tool"))
    worker.terminate()
    lab.let_go("after_tool")
    worker.join()
    assert worker.exitcode == 0
    effects = sorted(lab.again(a).effect for a in approvals)
    assert effects == [Effect.DONE, Effect.NONE, Effect.NONE]
    each_once(lab, 3)


def test_f45_a_worker_that_is_killed_while_it_stops_leaves_its_effect_unknown(lab: Lab) -> None:
    approval = lab.approved()
    worker = lab.start(bodies.work, fail="after_tool:block")
    lab.until(lambda: lab.reached("after_tool"))
    worker.terminate()
    worker.kill()
    worker.join()
    lab.until(lambda: lab.sweep()["lose"] or lab.again(approval).effect is Effect.UNKNOWN)
    lab.check()
    assert lab.effects() == ["prod"]


def test_an_outcome_whose_commit_lost_its_answer_is_stored_once(lab: Lab) -> None:
    """The retry finds its own row, and does not take itself for somebody who came late."""
    approval = lab.approved()
    with Proxy(lab.environ["DATABASE_URL"]) as wire:
        trap = wire.drop_answer_to(b"COMMIT", after=b"effect_ended_at")
        lab.run(bodies.advance, approval.run_id, DATABASE_URL=wire.url)
        assert trap.sprung.is_set()
    assert lab.again(approval).effect is Effect.DONE
    assert not lab.sql("SELECT 1 FROM audit_log WHERE action = 'late_outcome'")
    lab.check()


def test_a_claim_whose_commit_lost_its_answer_never_runs_twice(lab: Lab) -> None:
    approval = lab.approved()
    with Proxy(lab.environ["DATABASE_URL"]) as wire:
        trap = wire.drop_answer_to(b"COMMIT", after=b"effect_started_at")
        lab.run(bodies.advance, approval.run_id, DATABASE_URL=wire.url)
        assert trap.sprung.is_set()
    lab.check()
    assert lab.again(approval).effect is Effect.UNKNOWN
    assert lab.effects() == []


def test_a_worker_whose_postgres_goes_in_the_middle_of_an_effect_stores_what_came_of_it(lab: Lab) -> None:
    approval = lab.approved()
    with Proxy(lab.environ["DATABASE_URL"]) as wire:
        worker = lab.start(bodies.advance, approval.run_id, fail="after_tool:block", DATABASE_URL=wire.url)
        lab.until(lambda: lab.reached("after_tool"))
        wire.cut()
        lab.let_go("after_tool")
        worker.join()
    lab.check()
    assert lab.again(approval).effect in (Effect.DONE, Effect.UNKNOWN)
    assert lab.effects() == ["prod"]
