"""The emergency stop, and ending a run."""

import threading

from approvals.ledger.audit import Actor
from approvals.ledger.cancel_run import cancel_run, end_cancelled
from approvals.ledger.claim import AwaitsPerson, Claimed
from approvals.ledger.decide import Decided
from approvals.ledger.freeze import AsItWas, Changed, find_freeze, freeze, unfreeze
from approvals.ledger.hear import hear
from approvals.ledger.start_run import NewMessage
from approvals.ledger.work import has_work, runs_to_wake
from approvals.records import Approval
from approvals.rules.words import Door, Effect, RunStatus, Say, Status
from tests.approvals.ledger.world import ANA, BO, CY, NUMBERS, World

WHO = Actor(ANA.user_id, Door.SLACK_COMMAND)


def approved(world: World) -> Approval:
    decided = world.decide(world.approval(), Say.APPROVE)
    assert isinstance(decided, Decided)
    return decided.approval


def test_while_frozen_nothing_starts_and_afterwards_it_does(world: World) -> None:
    approval = approved(world)
    world.sql("UPDATE runs SET status = 'waiting' WHERE id = %s", approval.run_id)
    try:
        changed = freeze(world.db, BO, "bad deploy", Door.SLACK_COMMAND)
        assert isinstance(changed, Changed)
        assert isinstance(world.try_claim(approval), AwaitsPerson)
        assert not has_work(world.db, approval.run_id)
        assert approval.run_id not in runs_to_wake(world.db)
    finally:
        unfreeze(world.db, CY, Door.SLACK_COMMAND)
    assert approval.run_id in runs_to_wake(world.db)
    assert isinstance(world.try_claim(approval), Claimed)


def test_freezing_twice_keeps_the_first_and_says_who(world: World) -> None:
    try:
        freeze(world.db, BO, "bad deploy", Door.SLACK_COMMAND)
        again = freeze(world.db, CY, None, Door.SLACK_COMMAND)
        assert isinstance(again, AsItWas)
        assert again.now is not None
        assert (again.now.frozen_by, again.now.reason) == (BO.user_id, "bad deploy")
    finally:
        unfreeze(world.db, BO, Door.SLACK_COMMAND)
    assert unfreeze(world.db, BO, Door.SLACK_COMMAND) == AsItWas(None)
    assert find_freeze(world.db) is None


def test_who_froze_and_why_is_on_the_audit(world: World) -> None:
    freeze(world.db, BO, "bad deploy", Door.SLACK_COMMAND)
    unfreeze(world.db, CY, Door.COMMAND_LINE)
    rows = world.sql("SELECT * FROM audit_log WHERE action IN ('freeze', 'unfreeze') ORDER BY id DESC LIMIT 2")
    assert [(r["action"], r["actor"], r["door"]) for r in rows] == [
        ("unfreeze", CY.user_id, "command line"),
        ("freeze", BO.user_id, "slack command"),
    ]
    assert rows[1]["details"]["reason"] == "bad deploy"


def test_when_freeze_has_returned_no_claim_is_still_on_its_way(world: World) -> None:
    """A hundred claims race one freeze: none starts after it."""
    approvals = [approved(world) for _ in range(40)]
    frozen = threading.Event()
    late: list[str] = []

    def claim(approval: Approval) -> None:
        before = frozen.is_set()
        if isinstance(world.try_claim(approval), Claimed) and before:
            late.append(approval.id)

    claims = [threading.Thread(target=claim, args=(approval,)) for approval in approvals]
    try:
        for number, one in enumerate(claims):
            one.start()
            if number == 15:
                freeze(world.db, BO, None, Door.SLACK_COMMAND)
                frozen.set()
        for one in claims:
            one.join()
    finally:
        unfreeze(world.db, BO, Door.SLACK_COMMAND)
    assert late == []


def test_ending_a_run_cancels_what_waits_at_once_and_the_run_at_its_next_step(world: World) -> None:
    approval = world.approval()
    cancelled = cancel_run(world.db, approval.run_id, WHO, "Ana cancelled it.")
    assert [one.id for one in cancelled or []] == [approval.id]
    assert world.now(approval).status is Status.CANCELLED
    assert has_work(world.db, approval.run_id)
    run = world.next_tenure(approval.run_id)
    assert end_cancelled(world.db, run) == []
    assert world.run_now(run).status is RunStatus.CANCELLED
    assert end_cancelled(world.db, run) is None
    assert not has_work(world.db, approval.run_id)


def test_an_effect_that_has_begun_is_left_to_report(world: World) -> None:
    claimed = world.claim(approved(world))
    cancel_run(world.db, claimed.run_id, WHO, "Ana cancelled it.")
    assert world.now(claimed).effect is Effect.STARTED


def test_a_run_is_ended_once(world: World) -> None:
    run = world.run()
    assert cancel_run(world.db, run.id, WHO, "enough") == []
    assert cancel_run(world.db, run.id, WHO, "enough") is None


def test_what_was_said_before_the_end_is_dropped_and_what_comes_after_begins_it_again(world: World) -> None:
    run = world.run()
    hear(world.db, NewMessage("T1", "C1", run.thread_ts, f"{next(NUMBERS)}.1", ANA.user_id, "before"), ANA)
    cancel_run(world.db, run.id, WHO, "enough")
    hear(world.db, NewMessage("T1", "C1", run.thread_ts, f"{next(NUMBERS)}.1", ANA.user_id, "after"), ANA)
    end_cancelled(world.db, world.next_tenure(run.id))
    assert world.run_now(run).status is RunStatus.QUEUED
    waiting = world.sql("SELECT text FROM messages WHERE run_id = %s AND delivered_at IS NULL", run.id)
    assert [row["text"] for row in waiting] == ["after"]
