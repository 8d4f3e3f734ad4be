"""A run that failed is tried again by whoever may end it: once, on the audit, with nothing else changed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from approvals.ledger.audit import Actor
from approvals.ledger.cancel_run import cancel_run
from approvals.ledger.decide import decide
from approvals.ledger.end_run import see_run
from approvals.ledger.run_status import TRIES, note_failure, note_stuck, set_status
from approvals.ledger.start_run import start_run
from approvals.ledger.status_line import lease_status_line, note_doing, status_line_shown
from approvals.ledger.try_again import Left, NotTried, TriedAgain, try_again
from approvals.ledger.work import has_work
from approvals.records import Message, Run
from approvals.rules.may_decide import Person
from approvals.rules.words import Door, RunStatus, Say, Status
from tests.approvals.ledger.world import ANA, BO, GUS, NUMBERS, World, a_message


def failed(world: World, *, tries: int = 1) -> Run:
    """Ana's run, whose turn has a status line that Slack shows."""
    run = world.run()
    (message,) = world.sql("SELECT * FROM messages WHERE run_id = %s", run.id)
    told = Message(str(message["id"]), run.id, message["author_id"], message["text"], None)
    note_doing(world.db, run.id, "thinking", message=told)
    note_failure(world.db, run, "the model's provider is busy.", tries=tries)
    return world.run_now(run)


def press(world: World, run: Run, person: Person = ANA) -> TriedAgain | Left:
    return try_again(world.db, see_run(world.db, run.id), person, Door.CARD)


def shown(world: World, run: Run) -> tuple[str, bool, bool]:
    """What its line says, whether the turn is over, and whether it has the button."""
    world.sql("UPDATE status_lines SET retry_at = now() RETURNING 1")
    line = lease_status_line(world.db, run.id)
    assert line is not None
    status_line_shown(world.db, line, "1.1")
    return line.doing, line.ended_at is not None, line.again


def test_it_goes_on_with_no_failures_behind_it_and_that_is_on_the_audit(world: World) -> None:
    run = failed(world)
    assert shown(world, run) == ("stopped", True, True)
    assert not has_work(world.db, run.id)
    assert press(world, run) == TriedAgain(world.run_now(run))
    now = world.run_now(run)
    assert (now.status, now.reason, now.failures) == (RunStatus.QUEUED, None, 0)
    assert has_work(world.db, run.id)
    assert shown(world, run) == (f"trying again for {ANA.user_id}", False, False)
    (row,) = world.sql("SELECT * FROM audit_log WHERE action = 'try_again' AND run_id = %s", run.id)
    assert (row["actor"], row["door"]) == (ANA.user_id, Door.CARD)


def test_who_may_decide_its_calls_may_press_and_a_stranger_may_not(world: World) -> None:
    run = failed(world)
    approval = world.approval(run=run)
    assert press(world, run, GUS) == Left(NotTried.NOT_ALLOWED)
    (row,) = world.sql("SELECT actor, details FROM audit_log WHERE action = 'refused' AND run_id = %s", run.id)
    assert (row["actor"], row["details"]["say"]) == (GUS.user_id, "try_again")
    assert isinstance(press(world, run, BO), TriedAgain)
    assert world.now(approval).status is Status.PENDING


def test_two_presses_at_once_are_one(world: World) -> None:
    run = failed(world)
    with ThreadPoolExecutor(2) as threads:
        pressed = list(threads.map(lambda _: press(world, run), range(2)))
    assert sorted(type(one).__name__ for one in pressed) == ["Left", "TriedAgain"]
    assert Left(NotTried.GOES_ON) in pressed
    assert len(world.sql("SELECT 1 FROM audit_log WHERE action = 'try_again' AND run_id = %s", run.id)) == 1


@pytest.mark.parametrize(
    ("status", "because"),
    [
        (RunStatus.QUEUED, NotTried.GOES_ON),
        (RunStatus.RUNNING, NotTried.GOES_ON),
        (RunStatus.WAITING, NotTried.GOES_ON),
        (RunStatus.DONE, NotTried.OVER),
        (RunStatus.CANCELLED, NotTried.OVER),
    ],
)
def test_what_did_not_fail_is_left_alone(world: World, status: RunStatus, because: NotTried) -> None:
    run = world.run()
    set_status(world.db, run, status)
    assert press(world, run) == Left(because)
    assert world.run_now(run).status is status


def test_a_stuck_run_stays_stuck_and_an_ended_one_ends(world: World) -> None:
    run = world.run()
    note_stuck(world.db, run, "it is lost.")
    assert press(world, run) == Left(NotTried.STUCK)
    ending = failed(world)
    cancel_run(world.db, ending.id, Actor(BO.user_id, Door.CARD), "enough")
    assert press(world, ending) == Left(NotTried.OVER)
    assert try_again(world.db, None, ANA, Door.CARD) == Left(NotTried.NO_SUCH_RUN)


def test_a_message_wakes_it_as_well_and_the_button_goes(world: World) -> None:
    run = failed(world)
    assert shown(world, run)[2]
    start_run(world.db, run.agent, a_message(next(NUMBERS), thread=run.thread_ts[:-2]))
    assert shown(world, run) == ("stopped", True, False)
    assert press(world, run) == Left(NotTried.GOES_ON)


def test_the_line_says_that_it_goes_on_by_itself_when_and_why(world: World) -> None:
    run = failed(world, tries=TRIES)
    assert shown(world, run) == ("the model's provider is busy; trying again in 2 s", False, False)
    note_failure(world.db, run, "the model's provider is busy.", not_before=timedelta(minutes=5))
    assert shown(world, run) == ("the model's provider is busy; trying again in 5 min", False, False)
    assert not has_work(world.db, run.id)


def test_a_decision_wakes_it_as_well_and_the_button_goes(world: World) -> None:
    run = failed(world)
    approval = world.approval(run=run)
    assert shown(world, run)[2]
    decide(world.db, approval.key, Say.REJECT, BO, Door.CARD)
    assert world.run_now(run).status is RunStatus.QUEUED
    assert not shown(world, run)[2]
