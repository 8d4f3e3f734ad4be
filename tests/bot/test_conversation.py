"""Replies in a run's thread, and direct messages."""

import psycopg
import pytest

from approvals.ledger.find import list_runs
from approvals.ledger.run_status import set_status
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval, Run
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import DecisionType, RunStatus, Status
from tests.bot.conftest import RunningBot, World


def question(world: World, run: Run, words: str = "Roll back or wait?") -> Approval:
    rule = world.rule(decisions=(DecisionType.RESPOND,), risk=None, summary=None)
    rule = rule.model_copy(update={"approvers": (Approvers(name=REQUESTER),)})
    return world.approval(run, rule=rule, args_json=f'{{"question":"{words}"}}')


def waiting_run(world: World) -> Run:
    run = world.run()
    set_status(world.db, run, RunStatus.WAITING)
    return run


def reply(world: World, user: str, run: Run, text: str, *, broadcast: bool = False) -> str:
    ts = world.slack.say(user, run.channel_id, text, run.thread_ts, broadcast=broadcast)
    world.slack.settle(10)
    return ts


def messages(world: World) -> list[tuple[str, str]]:
    with world.db.transaction() as tx:
        rows = tx.execute("SELECT author_id, text FROM messages ORDER BY received_at").fetchall()
    return [(row["author_id"], row["text"]) for row in rows][1:]


def test_a_reply_answers_the_one_question_that_waits(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    asked = question(world, run)
    reply(world, world.ana, run, "roll back &amp; tell me")
    assert (world.now(asked).status, world.now(asked).response) == (Status.ANSWERED, "roll back & tell me")
    assert "Your answer is recorded" in world.told(world.ana)
    assert world.slack.ephemerals(world.ana)[-1].thread_ts == run.thread_ts
    bot.wait_until_woken(run.id)
    world.wait_until_card_says(asked, "Answered")


def test_a_mention_in_the_thread_answers_it_too_and_once(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    asked = question(world, run)
    reply(world, world.ana, run, f"<@{world.slack.workspace.app.user_id}> roll back")
    assert world.now(asked).response == "roll back"
    assert messages(world) == [(world.ana, "roll back")]
    assert "Your answer is recorded" in world.told(world.ana)
    world.slack.settle()
    assert len(world.slack.ephemerals(world.ana)) == 1


def test_what_is_said_while_the_agent_works_is_kept_in_order_and_its_author_is_told(
    world: World, bot: RunningBot
) -> None:
    run = world.run()
    with world.db.transaction() as tx:
        tx.execute("UPDATE runs SET status = 'running' WHERE id = %s", (run.id,))
    reply(world, world.bo, run, "first this")
    reply(world, world.bo, run, "then that")
    assert messages(world)[-2:] == [(world.bo, "first this"), (world.bo, "then that")]
    assert world.told(world.bo).startswith("Kept: the agent is at work")


def test_a_plain_reply_to_a_question_with_fields_is_told_the_way(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    asked = question(world, run, "Where to?")
    with world.db.transaction() as tx:
        tx.execute("UPDATE approvals SET answer_schema = '{}' WHERE id = %s", (asked.id,))
    reply(world, world.ana, run, "Rome")
    assert world.now(asked).status is Status.PENDING
    assert "this question needs the form. Press Respond on its card" in world.told(world.ana)


def test_a_reply_approves_nothing_and_is_kept(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    approval = world.approval(run)
    reply(world, world.bo, run, "approve")
    assert world.now(approval).status is Status.PENDING
    assert messages(world) == [(world.bo, "approve")]
    assert "Kept" in world.told(world.bo)


def test_of_several_questions_the_author_says_which(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    first, second = question(world, run, "Roll back?"), question(world, run, "Page @here <!channel>?")
    reply(world, world.ana, run, "yes")
    assert (world.now(first).status, world.now(second).status) == (Status.PENDING, Status.PENDING)
    asked = world.slack.wait_for(lambda: world.slack.ephemerals(world.ana))[-1]
    assert "Which of them" in asked.text
    assert "Roll back?" in str(asked.blocks)
    assert world.slack.click(world.ana, world.ops, asked.ts, "answer_1").ok
    assert (world.now(first).status, world.now(second).response) == (Status.PENDING, "yes")
    world.slack.wait_for(lambda: "Your answer is recorded" in world.slack.ephemerals(world.ana)[-1].text)
    bot.wait_until_woken(run.id)


def test_a_message_is_one_answer_only(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    first, second = question(world, run, "Roll back?"), question(world, run, "Page?")
    reply(world, world.ana, run, "yes")
    asked = world.slack.wait_for(lambda: world.slack.ephemerals(world.ana))[-1]
    delivery = world.slack.click(world.ana, world.ops, asked.ts, "answer_0")
    world.slack.wait_for(lambda: "Your answer is recorded" in world.slack.ephemerals(world.ana)[-1].text)
    again = dict(delivery.payload)
    again["actions"] = [again["actions"][0] | {"value": again["actions"][0]["value"].replace(first.id, second.id)}]
    assert world.slack.deliver_interaction(again).ok
    assert (world.now(first).status, world.now(second).status) == (Status.ANSWERED, Status.PENDING)
    world.slack.wait_for(lambda: any("has that message already" in e.text for e in world.slack.ephemerals(world.ana)))


def test_nobody_answers_with_a_message_of_somebody_else(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    first, _ = question(world, run, "Roll back?"), question(world, run, "Page?")
    reply(world, world.ana, run, "yes")
    asked = world.slack.wait_for(lambda: world.slack.ephemerals(world.ana))[-1]
    button = asked.blocks[1]["accessory"]
    forged = world.slack.click(world.bo, world.ops, world.card(world.approval(run)).ts, "reject").payload
    forged["actions"] = [{"action_id": "answer_0", "type": "button", "value": button["value"]}]
    assert world.slack.deliver_interaction(forged).ok
    assert world.now(first).status is Status.PENDING


def test_a_reply_continues_a_run_that_was_done(world: World, bot: RunningBot) -> None:
    run = world.run()
    set_status(world.db, run, RunStatus.DONE)
    reply(world, world.bo, run, "and billing?", broadcast=True)
    assert list_runs(world.db)[0].status is RunStatus.QUEUED
    assert messages(world) == [(world.bo, "and billing?")]
    bot.wait_until_woken(run.id)
    assert world.slack.ephemerals(world.bo) == []


def test_people_among_themselves_are_left_alone(world: World, bot: RunningBot) -> None:
    root = world.slack.say(world.ana, world.ops, "lunch?")
    for user in (world.bo, world.gus):
        world.slack.say(user, world.ops, "yes", root)
    world.slack.settle()
    assert list_runs(world.db) == []
    assert [d.ok for d in world.slack.journal.deliveries("event")] == [True] * 3
    assert world.slack.journal.calls("users.info") == []
    assert world.slack.ephemerals(world.bo) == world.slack.ephemerals(world.gus) == []


def test_an_edited_or_deleted_message_changes_nothing(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    asked = question(world, run)
    root = world.slack.say(world.ana, world.ops, "hm")
    world.slack.edit(world.ana, world.ops, root, "roll back")
    world.slack.remove(world.ana, world.ops, root)
    ts = reply(world, world.bo, run, "I would wait")
    world.slack.edit(world.bo, world.ops, ts, "roll back")
    world.slack.remove(world.bo, world.ops, ts)
    world.slack.settle()
    assert world.now(asked).status is Status.PENDING
    assert messages(world) == [(world.bo, "I would wait")]


@pytest.mark.parametrize("name", ["gus", "xia"])
def test_whose_replies_are_not_taken_is_told_so_once(world: World, bot: RunningBot, name: str) -> None:
    run = waiting_run(world)
    question(world, run)
    for _ in range(2):
        reply(world, getattr(world, name), run, "roll back")
    assert "members of this workspace only" in world.told(getattr(world, name))
    assert len(world.slack.ephemerals(getattr(world, name))) == 1
    assert messages(world) == []


def test_a_reply_that_cannot_be_kept_is_brought_again_and_nobody_bothered(world: World, bot: RunningBot) -> None:
    run = waiting_run(world)
    asked = question(world, run)
    with psycopg.connect(world.db.url) as other:
        other.execute("LOCK TABLE runs IN ACCESS EXCLUSIVE MODE")
        world.slack.say(world.ana, run.channel_id, "roll back", run.thread_ts)
        brought = world.slack.wait_for(
            lambda: [d for d in world.slack.journal.deliveries("event") if d.payload["event"]["text"] == "roll back"]
        )
        assert brought[0].status == 503
        other.rollback()
    world.slack.settle(10)
    assert world.now(asked).status is Status.ANSWERED
    assert not any("could not take" in e.text for e in world.slack.ephemerals(world.ana))


def direct(world: World, user: str, text: str, thread_ts: str | None = None) -> str:
    ts = world.slack.say(user, world.slack.direct(user), text, thread_ts)
    world.slack.settle()
    return ts


def test_a_direct_message_starts_a_run_in_its_own_thread_and_a_reply_continues_it(
    world: World, bot: RunningBot
) -> None:
    ts = direct(world, world.ana, "restart checkout")
    [run] = list_runs(world.db)
    assert (run.channel_id, run.thread_ts) == (world.slack.direct(world.ana), ts)
    bot.wait_until_woken(run.id)
    direct(world, world.ana, "and billing", ts)
    assert len(list_runs(world.db)) == 1
    assert messages(world) == [(world.ana, "and billing")]
    held = raise_fence(world.db, run.id)
    assert held is not None


def test_a_direct_message_without_words_gets_help(world: World, bot: RunningBot) -> None:
    direct(world, world.ana, "")
    assert "Tell me in the same message what you need" in world.told(world.ana)
    assert list_runs(world.db) == []


def test_words_under_a_card_in_direct_messages_start_nothing(world: World, bot: RunningBot) -> None:
    posted = world.messenger.post(world.slack.direct(world.bo), None, "a card")
    direct(world, world.bo, "looks fine", getattr(posted, "ts", None))
    assert "use the buttons" in world.told(world.bo)
    assert list_runs(world.db) == []
