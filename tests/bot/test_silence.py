"""Silence in Slack: phones ring again, others are called, more time is given, an expired call is asked about once
more, and a run is ended. Rows are aged, nothing is waited for."""

from datetime import timedelta
from typing import Any

from approvals.ledger.expire import expire_due
from approvals.ledger.find import find_run
from approvals.ledger.nudge import nudge_due
from approvals.ledger.run_status import set_status
from approvals.ledger.status_line import note_doing
from approvals.records import Approval
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.words import DecisionType, RunStatus, Status
from demo.slack.messages import Message
from tests.bot.conftest import RunningBot, World

MINUTE = timedelta(minutes=1)


def sql(world: World, statement: str, *values: object) -> list[dict[str, Any]]:
    with world.db.transaction() as tx:
        cursor = tx.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def silent_rule(world: World, **more: Any) -> Rule:
    steps = (Escalation(after=8 * MINUTE, to=(Approvers(name="leads", users=(world.dee,)),), direct=True),)
    values = {"remind": (5 * MINUTE,), "escalate": steps, "extend": 2, "quorum": 2}
    return world.rule(**(values | more))


def pass_minutes(world: World, approval: Approval, minutes: int) -> None:
    """As if that much time had passed, and the sweep had come by."""
    sql(world, "UPDATE due SET at = at - make_interval(mins => %s) WHERE approval_id = %s", minutes, approval.id)
    sql(
        world,
        "UPDATE approvals SET opened_at = opened_at - make_interval(mins => %s),"
        " expires_at = expires_at - make_interval(mins => %s) WHERE id = %s",
        minutes,
        minutes,
        approval.id,
    )
    nudge_due(world.db)
    expire_due(world.db)
    world.show.card(approval.id)
    world.show.posts()


def rings(world: World, user_id: str) -> int:
    return len([n for n in world.slack.notifications(user_id) if n.places & {"text", "direct"}])


def said_in_ops(world: World) -> list[Message]:
    bot = world.slack.workspace.app.user_id
    return [message for message in world.slack.messages(world.ops) if message.user_id == bot]


def text_of(world: World, approval: Approval) -> str:
    return str(world.card(approval).blocks)


def test_a_reminder_is_a_new_post_that_rings_those_who_may_still_decide(world: World) -> None:
    approval = world.approval(rule=silent_rule(world))
    before = rings(world, world.bo)
    pass_minutes(world, approval, 6)
    assert rings(world, world.bo) == before + 1
    post = said_in_ops(world)[-1]
    assert post.text.startswith("Still waiting: PROD high risk: Restart checkout. <!subteam^")
    assert post.thread_ts == world.card(approval).thread_ts
    assert "Reminded <!date^" in text_of(world, approval)


def test_an_escalation_rings_the_new_people_and_lets_them_decide(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=silent_rule(world, quorum=1))
    assert rings(world, world.dee) == 0
    pass_minutes(world, approval, 9)
    # Once in the thread's post, which she cannot see, and once by a card of her own.
    assert rings(world, world.dee) >= 1
    post = next(one for one in said_in_ops(world) if one.text.startswith("Escalated: "))
    assert f"leads may decide too from now on. <!subteam^{world.group}> and <@{world.dee}>" in post.text
    assert f"Escalated <@{world.dee}>, <!date^" in text_of(world, approval)
    direct = world.slack.direct(world.dee)
    card = world.slack.messages(direct)[-1]
    world.slack.click(world.dee, direct, card.ts, "approve")
    decided = world.now(approval)
    assert (decided.status, decided.decided_by) == (Status.APPROVED, world.dee)


def test_an_expired_card_tells_all_of_it(world: World) -> None:
    approval = world.approval(rule=silent_rule(world))
    pass_minutes(world, approval, 9)
    pass_minutes(world, approval, 10)
    text = text_of(world, approval)
    order = [f"Asked <!subteam^{world.group}> (5), ", "Reminded ", f"Escalated <@{world.dee}>, ", "No answer <@"]
    assert [text.find(one) >= 0 for one in order] == [True] * 4
    assert sorted(order, key=text.find) == order
    silent = text[text.index("No answer") :].split("'")[0]
    assert [one in silent for one in (world.bo, world.cy, world.dee, world.ana)] == [True, True, True, False]
    assert world.buttons(approval) == ["ask_again"]
    assert "Ask again starts from 0 votes." in text


def test_an_approver_gives_more_time_as_often_as_the_policy_says(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=silent_rule(world, extend=1))
    button = next(c for c in world.slack.controls(world.ops, world.card(approval).ts) if c.action_id == "extend")
    assert button.element["text"]["text"] == "15 more minutes"
    world.slack.click(world.bo, world.ops, world.card(approval).ts, "extend")
    assert "More time: prod - Restart checkout waits until" in world.told(world.bo)
    assert world.now(approval).expires_at == approval.expires_at + 15 * MINUTE
    world.slack.wait_for(lambda: "extend" not in world.buttons(approval))


def test_whoever_may_not_decide_gives_no_time(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=silent_rule(world))
    world.slack.click(world.gus, world.ops, world.card(approval).ts, "extend")
    assert "Not changed: guests of this workspace do not decide." in world.told(world.gus)
    assert world.now(approval).expires_at == approval.expires_at


def test_ask_again_opens_the_same_call_anew_and_the_old_card_says_where(world: World, bot: RunningBot) -> None:
    run = world.run()
    approval = world.approval(run, rule=silent_rule(world))
    set_status(world.db, run, RunStatus.WAITING)
    pass_minutes(world, approval, 16)
    assert world.now(approval).status is Status.EXPIRED
    world.slack.click(world.ana, world.ops, world.card(approval).ts, "ask_again")
    (row,) = sql(world, "SELECT id FROM approvals WHERE replaces = %s", approval.id)
    assert f"Asked again: prod - Restart checkout. It is {row['id']} now, from 0 votes" in world.told(world.ana)
    world.wait_until_card_says(approval, f"Asked again: {row['id']}")
    assert world.buttons(approval) == []


def test_where_the_agent_has_gone_on_it_is_told_to_call_again(world: World, bot: RunningBot) -> None:
    run = world.run()
    approval = world.approval(run, rule=silent_rule(world))
    pass_minutes(world, approval, 16)
    sql(world, "UPDATE approvals SET applied_at = now() WHERE id = %s", approval.id)
    world.slack.click(world.bo, world.ops, world.card(approval).ts, "ask_again")
    assert "so I told it to call it again" in world.told(world.bo)
    world.wait_until_card_says(approval, "the agent was told to call it once more")
    bot.wait_until_woken(approval.run_id)


def test_a_lost_effect_calls_those_who_may_answer(world: World) -> None:
    approval = world.approval(rule=world.rule(decisions=(DecisionType.APPROVE,)))
    sql(world, "UPDATE approvals SET status = 'approved', decided_at = now(), decided_by = %s", world.bo)
    world.lose(world.now(approval))
    before = rings(world, world.bo)
    nudge_due(world.db)
    world.show.posts()
    assert rings(world, world.bo) == before + 1
    assert "may or may not have happened. Somebody must look and say" in said_in_ops(world)[-1].text


def test_a_run_is_cancelled_from_its_status_line(world: World, bot: RunningBot) -> None:
    run = world.run()
    approval = world.approval(run)
    line = status_line(world, approval)
    delivery = world.slack.click(world.gus, world.ops, line.ts, "cancel_run")
    assert delivery.confirm is not None
    assert "Not cancelled: only who told this agent" in world.told(world.gus)
    world.slack.click(world.ana, world.ops, line.ts, "cancel_run")
    assert "The run ends; what has begun still reports. 1 open request was cancelled." in world.told(world.ana)
    assert world.now(approval).status is Status.CANCELLED
    bot.wait_until_woken(run.id)
    said = [(row["action"], row["actor"]) for row in sql(world, "SELECT * FROM audit_log WHERE run_id = %s", run.id)]
    assert ("refused", world.gus) in said
    assert ("cancel_run", world.ana) in said


def status_line(world: World, approval: Approval) -> Message:
    run = find_run(world.db, approval.run_id)
    assert run is not None
    (message,) = sql(world, "SELECT id FROM messages WHERE run_id = %s", run.id)
    sql(world, "INSERT INTO status_lines (message_id, run_id, doing) VALUES (%s, %s, 'x')", message["id"], run.id)
    note_doing(world.db, run.id, "waiting for 1 approval")
    world.show.status_lines()
    return next(one for one in said_in_ops(world) if one.text.startswith("Waiting for 1 approval"))
