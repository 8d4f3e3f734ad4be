"""Killed where a call's way ends early: a message that is being kept, an agent that raises, a thread that is gone."""

import pytest

from approvals.rules.words import Status
from demo.slack.journal import Delivery
from tests.faults import bodies
from tests.faults.lab import Lab
from tests.faults.test_threads import POISON


def delivered(lab: Lab, kind: str) -> Delivery:
    """The event as Slack sent it first; the bot died of it."""
    return next(d for d in lab.world.slack.journal.deliveries("event") if d.type == kind)


@pytest.mark.parametrize("side", ["before_start_run_commit", "after_start_run_commit"])
def test_a_bot_killed_while_it_takes_a_mention_makes_one_run_of_it_when_slack_brings_it_again(
    lab: Lab, side: str
) -> None:
    slack, people = lab.world.slack, lab.world.people
    bot = lab.start_bot(fail=f"{side}:kill")
    slack.say(people.ana, people.ops, f"<@{slack.workspace.app.user_id}> [[]]")
    bot.join()
    slack.events_url = None
    lab.start_bot()
    assert slack.resend(delivered(lab, "app_mention"), attempt=1, reason="http_error").ok
    assert lab.sql("SELECT count(*) AS n FROM runs") == lab.sql("SELECT count(*) AS n FROM messages") == [{"n": 1}]


@pytest.mark.parametrize("side", ["before_hear_commit", "after_hear_commit"])
def test_a_bot_killed_while_it_takes_a_reply_keeps_it_once_when_slack_brings_it_again(lab: Lab, side: str) -> None:
    approval = lab.waiting()
    slack, people = lab.world.slack, lab.world.people
    (run,) = lab.sql("SELECT thread_ts FROM runs")
    bot = lab.start_bot(fail=f"{side}:kill")
    slack.say(people.ana, people.ops, "[[]]", run["thread_ts"])
    bot.join()
    slack.events_url = None
    lab.start_bot()
    assert slack.resend(delivered(lab, "message"), attempt=1, reason="http_error").ok
    assert lab.sql("SELECT count(*) AS n FROM messages") == [{"n": 2}]
    assert lab.again(approval).status is Status.PENDING


@pytest.mark.parametrize("side", ["before_note_failure_commit", "after_note_failure_commit"])
def test_a_worker_killed_while_it_notes_that_the_agent_raised_still_ends_it_in_sight(lab: Lab, side: str) -> None:
    run_id = lab.ask("raise")
    lab.dies(side, bodies.advance, run_id)
    lab.check()
    assert lab.status(run_id) == "failed"
    said = [m.text for m in lab.world.slack.messages(lab.world.people.ops)]
    assert sum("I had to stop" in text for text in said) == 1


@pytest.mark.parametrize("side", ["before_note_stuck_commit", "after_note_stuck_commit"])
def test_a_worker_killed_while_it_closes_a_poisoned_run_leaves_that_to_the_next(lab: Lab, side: str) -> None:
    approval = lab.approved()
    lab.sql(POISON["the_question_itself"], approval.run_id)
    lab.sql("UPDATE runs SET failures = 2 WHERE id = %s", approval.run_id)
    lab.dies(side, bodies.advance, approval.run_id)
    lab.check()
    assert lab.status(approval.run_id) == "stuck"
    assert lab.again(approval).status is Status.CANCELLED


@pytest.mark.parametrize("side", ["before_withdraw_commit", "after_withdraw_commit"])
def test_a_worker_killed_while_it_closes_what_nobody_asks_any_more_leaves_that_to_the_next(lab: Lab, side: str) -> None:
    approval = lab.waiting()
    assert lab.own is not None
    lab.own.kept.saver.delete_thread(approval.run_id)
    lab.sql("UPDATE runs SET status = 'queued' WHERE id = %s", approval.run_id)
    lab.dies(side, bodies.advance, approval.run_id)
    lab.check()
    assert lab.again(approval).status is Status.CANCELLED
    assert lab.effects() == []
