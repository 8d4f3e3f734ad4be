"""Where the cards of one approval are: routes, direct messages, mirrors; and all of them in step."""

from typing import Any

from approvals.ledger.decide import Counted, Decided, decide
from approvals.ledger.deliver import mark_handed, next_message
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.status_line import note_doing
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval, Run
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import DecisionType, Door, Say
from demo.slack.faults import Refuse
from demo.slack.messages import Message
from tests.bot.conftest import World
from tests.bot.values import a_rule


def direct_run(world: World) -> Run:
    """Ana's run in her direct messages with the bot."""
    channel = world.slack.direct(world.ana)
    root = world.slack.say(world.ana, channel, "restart checkout")
    message = NewMessage(world.slack.workspace.team_id, channel, root, root, world.ana, "restart checkout")
    run = raise_fence(world.db, start_run(world.db, "oncall", message).run.id)
    assert run is not None
    waiting = next_message(world.db, run)
    assert waiting is not None
    mark_handed(world.db, run, waiting)
    return run


def messages_of(world: World, approval: Approval) -> list[Message]:
    """Every Slack message that shows the approval."""
    return [
        m
        for channel in world.slack.workspace.channels
        for m in world.slack.messages(channel)
        if (m.metadata or {}).get("event_payload", {}).get("approval_id") == approval.id
    ]


def with_buttons(world: World, approval: Approval) -> list[Message]:
    return [m for m in messages_of(world, approval) if world.slack.controls(m.channel_id, m.ts)]


def members(world: World, message: Message) -> set[str]:
    return set(world.slack.workspace.channels[message.channel_id].members)


def vote(world: World, approval: Approval, user_id: str, say: Say = Say.APPROVE) -> Any:
    person = Person(user_id, world.slack.workspace.team_id, Standing.MEMBER, groups=frozenset({"oncall-sre"}))
    return decide(world.db, world.now(approval).key, say, person, Door.CARD)


def retry(world: World) -> None:
    with world.db.transaction() as tx:
        tx.execute("UPDATE cards SET retry_at = now()")
        tx.execute("UPDATE posts SET retry_at = now()")
        tx.execute("UPDATE status_lines SET retry_at = now()")


def test_a_routed_card_is_in_its_channel_and_its_mirror_in_the_thread(world: World) -> None:
    channel = world.slack.workspace.add_channel("prod-approvals", [world.bo, world.slack.workspace.app.user_id])
    run = world.run()
    approval = world.approval(run, rule=world.rule(route="#prod-approvals"))
    (card,) = with_buttons(world, approval)
    assert (card.channel_id, card.thread_ts) == (channel, None)
    (mirror,) = (m for m in messages_of(world, approval) if m is not card)
    assert (mirror.channel_id, mirror.thread_ts) == (world.ops, run.thread_ts)
    assert f"<#{channel}>" in str(mirror.blocks)


def test_card_and_mirror_stay_in_step(world: World) -> None:
    world.slack.workspace.add_channel("prod-approvals", [world.bo, world.slack.workspace.app.user_id])
    approval = world.approval(rule=world.rule(route="#prod-approvals"))
    assert isinstance(vote(world, approval, world.bo, Say.REJECT), Decided)
    world.show.card(approval.id)
    assert ["Rejected" in str(m.blocks) for m in messages_of(world, approval)] == [True, True]
    assert with_buttons(world, approval) == []


def test_where_the_route_cannot_be_used_the_card_comes_to_the_thread(world: World) -> None:
    approval = world.approval(rule=world.rule(route="#no-such-channel"))
    (card,) = with_buttons(world, approval)
    assert card.channel_id == world.ops
    with world.db.transaction() as tx:
        rows = tx.execute(
            "SELECT details FROM audit_log WHERE action = 'card_brought_back' AND approval_id = %s", (approval.id,)
        ).fetchall()
    assert [row["details"]["failure"] for row in rows] == ["channel_not_found"]


def test_from_a_direct_message_each_approver_is_asked_in_theirs(world: World) -> None:
    approval = world.approval(direct_run(world))
    cards = with_buttons(world, approval)
    asked = {next(iter(members(world, card) & {world.bo, world.cy})) for card in cards}
    assert asked == {world.bo, world.cy}
    (mirror,) = (m for m in messages_of(world, approval) if m not in cards)
    assert members(world, mirror) >= {world.ana}
    assert "It is decided in direct messages to those who may decide." in str(mirror.blocks)


def test_a_decision_in_one_direct_message_is_on_all_of_them(world: World) -> None:
    approval = world.approval(direct_run(world))
    before = len(messages_of(world, approval))
    vote(world, approval, world.cy)
    world.show.card(approval.id)
    assert len(messages_of(world, approval)) == before
    assert with_buttons(world, approval) == []
    assert all("Approved" in str(m.blocks) for m in messages_of(world, approval))


def test_a_question_to_the_one_who_asked_stays_in_their_direct_message(world: World) -> None:
    rule = a_rule(approvers=(Approvers(name=REQUESTER),), decisions=(DecisionType.RESPOND,))
    run = direct_run(world)
    approval = world.approval(run, rule=rule)
    (card,) = messages_of(world, approval)
    assert (card.channel_id, card.thread_ts) == (run.channel_id, run.thread_ts)


def test_if_nobody_can_be_asked_the_thread_says_so(world: World) -> None:
    run = direct_run(world)
    approval = world.approval(run, rule=a_rule(approvers=(Approvers(name="ana", users=(world.ana,)),)))
    (card,) = messages_of(world, approval)
    assert card.channel_id == run.channel_id
    assert "nobody may approve" in str(card.blocks)


def test_a_vote_short_of_the_quorum_calls_the_others_under_every_card(world: World) -> None:
    approval = world.approval(direct_run(world), rule=world.rule(quorum=2))
    assert isinstance(vote(world, approval, world.bo), Counted)
    world.show.posts(approval.run_id)
    for card in with_buttons(world, approval):
        (call,) = (m for m in world.slack.thread(card.channel_id, card.ts) if m.ts != card.ts)
        assert "1 of 2" in call.text
        assert "<!subteam^" in call.text


def test_a_call_that_came_too_late_is_not_made(world: World) -> None:
    run = world.run()
    approval = world.approval(run, rule=world.rule(quorum=2))
    vote(world, approval, world.bo)
    vote(world, approval, world.cy)
    before = len(world.slack.messages(world.ops))
    world.show.posts(run.id)
    assert len(world.slack.messages(world.ops)) == before


def test_the_status_line_is_one_message_edited_in_place(world: World) -> None:
    run = world.run()
    message = next_message(world.db, run)
    assert message is not None
    note_doing(world.db, run.id, "thinking", message=message)
    world.show.status_line(run.id)
    line = world.slack.messages(world.ops)[-1]
    assert "Thinking" in str(line.blocks)
    note_doing(world.db, run.id, "calling read_logs")
    world.show.status_line(run.id)
    assert "Thinking" in str(world.slack.messages(world.ops)[-1].blocks), "not before a second has passed"
    retry(world)
    world.show.status_lines()
    assert world.slack.messages(world.ops)[-1].ts == line.ts
    assert "read_logs" in str(world.slack.messages(world.ops)[-1].blocks)


def test_a_status_line_that_slack_refuses_harms_nothing(world: World) -> None:
    run = world.run()
    message = next_message(world.db, run)
    assert message is not None
    note_doing(world.db, run.id, "thinking", message=message)
    world.slack.inject("chat.postMessage", Refuse("is_archived"))
    world.show.status_line(run.id)
    retry(world)
    world.show.status_lines()
    assert "Thinking" in str(world.slack.messages(world.ops)[-1].blocks)
