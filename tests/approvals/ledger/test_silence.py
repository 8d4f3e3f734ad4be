"""Silence, step by step: reminders, escalations, more time, and asking again. Rows are aged, nothing is waited for."""

import threading
from datetime import timedelta

import pytest

from approvals.ledger.ask_again import Handed, Not, NotAsked, Reopened, ask_again
from approvals.ledger.decide import Decided, Refused
from approvals.ledger.expire import expire_due
from approvals.ledger.extend import Extended, NoMoreTime, NotExtended, extend
from approvals.ledger.lose import lose_started
from approvals.ledger.nudge import nudge_due
from approvals.records import Approval
from approvals.rules.rule import Approvers, Escalation
from approvals.rules.words import Door, Effect, RunStatus, Say, Status
from tests.approvals.ledger.world import ANA, BO, CY, DEE, GUS, World, a_rule

LEADS = Approvers(name="leads", users=(DEE.user_id,))
MINUTES = timedelta(minutes=1)


def make_due(world: World, approval: Approval, minutes: int) -> None:
    """As if that much time had passed since the call was opened."""
    world.sql("UPDATE due SET at = at - make_interval(mins => %s) WHERE approval_id = %s", minutes, approval.id)


def posts(world: World, approval: Approval) -> list[str]:
    rows = world.sql("SELECT kind FROM posts WHERE run_id = %s ORDER BY created_at", approval.run_id)
    return [row["kind"] for row in rows]


def nudge(world: World, approval: Approval) -> list[Approval]:
    return [one for one in nudge_due(world.db, 1000) if one.id == approval.id]


def escalating(**more: object) -> Approvers | Escalation:
    return Escalation(after=8 * MINUTES, to=(LEADS,), **more)  # type: ignore[arg-type]


def test_each_reminder_comes_once(world: World) -> None:
    approval = world.approval(rule=a_rule(remind=(5 * MINUTES, 20 * MINUTES), escalate=()))
    assert nudge(world, approval) == []
    make_due(world, approval, 6)
    assert len(nudge(world, approval)) == 1
    assert nudge(world, approval) == []
    make_due(world, approval, 15)
    assert len(nudge(world, approval)) == 1
    assert posts(world, approval) == ["remind", "remind"]
    assert world.actions(approval) == ["open", "remind", "remind"]


def test_three_clocks_remind_once(world: World) -> None:
    approvals = [world.approval(rule=a_rule(remind=(5 * MINUTES,))) for _ in range(20)]
    for approval in approvals:
        make_due(world, approval, 6)
    clocks = [threading.Thread(target=nudge_due, args=(world.db, 7)) for _ in range(12)]
    for clock in clocks:
        clock.start()
    for clock in clocks:
        clock.join()
    nudge_due(world.db, 1000)
    assert [posts(world, approval) for approval in approvals] == [["remind"]] * 20


def test_who_is_decided_is_not_reminded(world: World) -> None:
    approval = world.approval(rule=a_rule(remind=(5 * MINUTES,), escalate=(escalating(),)))
    world.decide(approval, Say.REJECT)
    make_due(world, approval, 60)
    assert nudge(world, approval) == []
    assert posts(world, approval) == []


def test_an_escalation_lets_others_decide_and_keeps_the_rule(world: World) -> None:
    approval = world.approval(rule=a_rule(escalate=(escalating(),)))
    assert isinstance(world.decide(approval, Say.APPROVE, DEE), Refused)
    make_due(world, approval, 9)
    nudge(world, approval)
    escalated = world.now(approval)
    assert (escalated.rule, escalated.escalated) == (approval.rule, (LEADS,))
    decided = world.decide(escalated, Say.APPROVE, DEE)
    assert isinstance(decided, Decided)
    # The guard compares the rule, which is what it was: the escalation is no change of it.
    assert world.claim(decided.approval).effect is Effect.STARTED


def test_an_escalation_puts_cards_where_the_policy_says_and_sets_off_the_pager_once(world: World) -> None:
    rule = a_rule(escalate=(escalating(channel="#incidents", direct=True, page="ops"),))
    approval = world.approval(rule=rule)
    make_due(world, approval, 9)
    nudge(world, approval)
    rows = world.sql("SELECT kind, channel_id FROM cards WHERE approval_id = %s ORDER BY kind, channel_id", approval.id)
    assert [(r["kind"], r["channel_id"]) for r in rows] == [
        ("calls", "approvers"),
        ("card", "#incidents"),
        ("card", "C1"),
    ]
    pages = world.sql("SELECT pager FROM pages WHERE approval_id = %s", approval.id)
    assert [page["pager"] for page in pages] == ["ops"]


def test_an_unknown_effect_calls_at_once_and_every_hour_until_somebody_answers(world: World) -> None:
    approval = world.approval()
    decided = world.decide(approval, Say.APPROVE)
    assert isinstance(decided, Decided)
    world.claim(decided.approval)
    run = world.next_tenure(approval.run_id)
    lose_started(world.db, run)
    assert len(nudge(world, approval)) == 1
    assert nudge(world, approval) == []
    make_due(world, approval, 61)
    assert len(nudge(world, approval)) == 1
    world.decide(world.now(approval), Say.IT_HAPPENED, BO, "saw it")
    make_due(world, approval, 61)
    assert nudge(world, approval) == []
    assert posts(world, approval) == ["unknown", "unknown"]


def test_an_approver_gives_more_time_as_often_as_the_policy_says(world: World) -> None:
    approval = world.approval(rule=a_rule(extend=1))
    outcome = extend(world.db, approval.key, BO, Door.CARD)
    assert isinstance(outcome, Extended)
    assert outcome.approval.expires_at == approval.expires_at + approval.rule.timeout
    again = extend(world.db, approval.key, CY, Door.CARD)
    assert isinstance(again, NoMoreTime)
    assert again.because is NotExtended.OFTEN_ENOUGH


@pytest.mark.parametrize("person", [DEE, GUS])
def test_who_may_not_decide_gives_no_time(world: World, person: object) -> None:
    approval = world.approval(rule=a_rule(extend=2))
    outcome = extend(world.db, approval.key, person, Door.CARD)  # type: ignore[arg-type]
    assert isinstance(outcome, NoMoreTime)
    assert outcome.because is NotExtended.NOT_ALLOWED
    assert world.actions(approval)[-1] == "refused"


def test_there_is_no_more_time_for_what_is_overdue(world: World) -> None:
    approval = world.approval(rule=a_rule(extend=2))
    world.age(approval)
    outcome = extend(world.db, approval.key, BO, Door.CARD)
    assert isinstance(outcome, NoMoreTime)
    assert outcome.because is NotExtended.CLOSED
    assert world.now(approval).status is Status.EXPIRED


def expired(world: World, status: RunStatus = RunStatus.WAITING) -> Approval:
    approval = world.approval(rule=a_rule(quorum=2, remind=(5 * MINUTES,)))
    world.decide(approval, Say.APPROVE, BO)
    world.age(approval)
    expire_due(world.db, 1000)
    world.sql("UPDATE runs SET status = %s WHERE id = %s", status, approval.run_id)
    return world.now(approval)


def test_while_the_agent_waits_the_same_call_is_asked_anew_from_no_votes(world: World) -> None:
    old = expired(world)
    outcome = ask_again(world.db, old.id, BO, Door.CARD)
    assert isinstance(outcome, Reopened)
    new = world.now(outcome.approval)
    assert (new.digest, new.args_json, new.interrupt_id, new.replaces) == (
        old.digest,
        old.args_json,
        old.interrupt_id,
        old.id,
    )
    assert (new.status, new.votes, new.round) == (Status.PENDING, (), 2)
    world.decide(new, Say.APPROVE, BO)
    decided = world.decide(world.now(new), Say.APPROVE, CY)
    assert isinstance(decided, Decided)
    assert world.claim(decided.approval).id == new.id


def test_an_expired_call_is_asked_again_once(world: World) -> None:
    old = expired(world)
    ask_again(world.db, old.id, BO, Door.CARD)
    assert ask_again(world.db, old.id, CY, Door.CARD) == Not(NotAsked.ASKED_ALREADY, world.now(old))


def test_when_the_agent_has_gone_on_it_is_told_to_ask_for_it(world: World) -> None:
    old = expired(world, RunStatus.DONE)
    outcome = ask_again(world.db, old.id, ANA, Door.CARD)
    assert isinstance(outcome, Handed)
    assert outcome.run.status is RunStatus.QUEUED
    (message,) = world.sql("SELECT * FROM messages WHERE ts = %s", f"again-{old.id}")
    assert old.args_json in message["text"]
    assert ask_again(world.db, old.id, ANA, Door.CARD) == Not(NotAsked.ASKED_ALREADY, world.now(old))


def test_the_call_that_the_agent_makes_then_is_linked_to_the_old_one(world: World) -> None:
    old = expired(world, RunStatus.DONE)
    ask_again(world.db, old.id, ANA, Door.CARD)
    new = world.approval(run=world.next_tenure(old.run_id))
    assert new.replaces == old.id


def test_strangers_and_open_calls_are_not_asked_again(world: World) -> None:
    old = expired(world)
    outcome = ask_again(world.db, old.id, DEE, Door.CARD)
    assert isinstance(outcome, Not)
    assert outcome.because is NotAsked.NOT_ALLOWED
    waiting = world.approval()
    assert ask_again(world.db, waiting.id, BO, Door.CARD) == Not(NotAsked.NOT_EXPIRED, waiting)
