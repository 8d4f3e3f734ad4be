"""The one card writer, against a Slack that does not always do what it is asked."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel import cancel_open
from approvals.ledger.cards import lagging, lease_card
from approvals.ledger.posts import say
from approvals.records import Approval
from approvals.rules.rule import Approvers, Rule
from bot.messenger import Later, Never
from bot.show import retry_in
from demo.slack.faults import DropAfter, Fault, RateLimited, Refuse, ServerError
from demo.slack.messages import delete
from tests.bot.conftest import World


def row(world: World, approval: Approval) -> dict[str, Any]:
    with world.db.transaction() as tx:
        found = tx.execute("SELECT *, retry_at - now() AS wait FROM cards WHERE approval_id = %s", (approval.id,))
        return dict(found.fetchone() or {})


def let_retry(world: World) -> None:
    with world.db.transaction() as tx:
        tx.execute("UPDATE cards SET retry_at = now()")
        tx.execute("UPDATE posts SET retry_at = now()")


def close(world: World, approval: Approval) -> None:
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, WORKER, "the run was cancelled")


def said(world: World) -> list[str]:
    bot = world.slack.workspace.app.user_id
    return [message.text for message in world.slack.messages(world.ops) if message.user_id == bot]


def test_a_card_is_posted_once_in_the_runs_thread_with_the_request_as_metadata(world: World) -> None:
    run = world.run()
    approval = world.approval(run)
    world.show.card(approval.id)
    card = world.card(approval)
    assert card.thread_ts == run.thread_ts
    assert card.metadata == {"event_type": "countersign_card", "event_payload": {"approval_id": approval.id}}
    assert lagging(world.db) == []


def test_posting_rings_those_who_may_decide_and_nobody_else(world: World) -> None:
    world.approval()
    assert "text" in world.slack.notifications(world.bo)[0].places
    assert world.slack.notifications(world.dee) == []


def test_a_change_edits_the_same_message(world: World) -> None:
    approval = world.approval()
    before = world.card(approval).ts
    close(world, approval)
    world.show.card(approval.id)
    assert world.card(approval).ts == before
    assert "Cancelled" in str(world.card(approval).blocks)


def test_a_card_that_somebody_deleted_is_posted_anew(world: World) -> None:
    approval = world.approval()
    delete(world.slack.workspace, world.card(approval))
    close(world, approval)
    world.show.card(approval.id)
    assert "Cancelled" in str(world.card(approval).blocks)


@pytest.mark.parametrize(
    "fault", [RateLimited(7), ServerError(), ServerError(503), DropAfter(), Refuse("internal_error")]
)
def test_passing_trouble_is_noted_and_tried_again_soon(world: World, fault: Fault) -> None:
    world.slack.inject("chat.postMessage", fault)
    approval = world.approval()
    wait = row(world, approval)["wait"]
    assert timedelta(0) < wait <= timedelta(seconds=7)
    assert row(world, approval)["failure"]
    let_retry(world)
    world.show.card(approval.id)
    assert row(world, approval)["failure"] is None
    assert row(world, approval)["ts"]


@pytest.mark.parametrize(
    "error", ["channel_not_found", "is_archived", "not_in_channel", "token_revoked", "some_new_error"]
)
def test_lasting_trouble_is_noted_by_name_and_tried_again_later(world: World, error: str) -> None:
    world.slack.inject("chat.postMessage", Refuse(error))
    approval = world.approval()
    assert row(world, approval)["failure"] == error
    assert row(world, approval)["wait"] > timedelta(minutes=5)


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long", "msg_too_long"])
def test_a_card_that_slack_will_not_take_is_shown_short(world: World, error: str) -> None:
    world.slack.inject("chat.postMessage", Refuse(error))
    approval = world.approval()
    shown = str(world.card(approval).blocks)
    assert approval.id in shown
    assert "prod - Restart checkout" in shown
    assert world.buttons(approval) == ["reject"]


def test_a_card_waits_for_the_group_rather_than_ring_nobody(world: World) -> None:
    world.slack.inject("usergroups.list", RateLimited(3))
    approval = world.approval()
    assert row(world, approval)["ts"] is None
    let_retry(world)
    world.show.card(approval.id)
    assert world.slack.notifications(world.bo) != []


def test_a_group_that_does_not_exist_is_said_on_the_card(world: World) -> None:
    approval = world.approval(rule=replace_approvers(world))
    assert "no user group no-such-group" in str(world.card(approval).blocks)


def replace_approvers(world: World) -> Rule:
    return world.rule().model_copy(update={"approvers": (Approvers(name="x", usergroup="no-such-group"),)})


def test_an_answer_is_markdown_that_calls_nobody(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="a", kind="answer", text="**done** <!channel> <@U1> & co")
    world.show.posts(run.id)
    message = world.slack.thread(world.ops, run.thread_ts)[-1]
    assert message.blocks[0]["type"] == "markdown"
    assert message.blocks[0]["text"] == "**done** &lt;!channel&gt; &lt;@U1&gt; & co"
    assert world.slack.notifications(world.bo) == []


def test_what_is_said_keeps_its_order_when_slack_stumbles(world: World) -> None:
    run = world.run()
    for key in "abc":
        say(world.db, run.id, key=key, kind="notice", text=f"notice {key}")
    world.slack.inject("chat.postMessage", RateLimited(1))
    world.show.posts(run.id)
    assert said(world) == []
    let_retry(world)
    world.show.posts()
    assert said(world) == ["notice a", "notice b", "notice c"]


def test_one_runs_trouble_does_not_silence_another(world: World) -> None:
    first, second = world.run(), world.run()
    say(world.db, first.id, key="a", kind="notice", text="first")
    say(world.db, second.id, key="a", kind="notice", text="second")
    world.slack.inject("chat.postMessage", Refuse("channel_not_found"))
    world.show.posts()
    assert said(world) == ["second"]


def test_an_answer_of_any_length_is_said(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="a", kind="answer", text="word " * 10_000)
    world.show.posts(run.id)
    message = world.slack.thread(world.ops, run.thread_ts)[-1]
    assert "50,000 characters" in str(message.blocks) or "49,999 characters" in str(message.blocks)


def test_trouble_tells_when_to_try_again() -> None:
    assert retry_in(Later(30, "ratelimited")) == timedelta(seconds=30)
    assert retry_in(Later(0, "TimeoutError")) == timedelta(seconds=2)
    assert retry_in(Never("is_archived")) == timedelta(minutes=10)


def cards_of(world: World, approval: Approval) -> list[Any]:
    return [m for m in world.slack.messages(world.ops) if approval.id in str(m.metadata)]


def test_a_card_whose_answer_got_lost_is_found_again_and_not_posted_twice(world: World) -> None:
    world.slack.inject("chat.postMessage", DropAfter())
    approval = world.approval()
    assert row(world, approval)["ts"] is None
    let_retry(world)
    world.show.card(approval.id)
    (card,) = cards_of(world, approval)
    assert row(world, approval)["ts"] == card.ts
    assert len(world.slack.notifications(world.bo)) == 1


def test_an_answer_whose_post_got_lost_is_not_said_twice(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="a", kind="answer", text="done")
    world.slack.inject("chat.postMessage", DropAfter())
    world.show.posts(run.id)
    let_retry(world)
    world.show.posts(run.id)
    assert said(world).count("done") == 1


def test_while_it_cannot_be_read_whether_a_card_is_there_none_is_posted(world: World) -> None:
    world.slack.inject("chat.postMessage", DropAfter())
    approval = world.approval()
    let_retry(world)
    world.slack.inject("conversations.replies", RateLimited(9))
    world.show.card(approval.id)
    assert len(cards_of(world, approval)) == 1
    assert row(world, approval)["wait"] > timedelta(seconds=2)


def test_without_the_scope_to_read_a_card_is_posted_rather_than_withheld(world: World) -> None:
    world.slack.inject("chat.postMessage", RateLimited(1))
    approval = world.approval()
    let_retry(world)
    world.slack.inject("conversations.replies", Refuse("missing_scope"), times=2)
    world.show.card(approval.id)
    assert len(cards_of(world, approval)) == 1


def test_a_writer_that_comes_late_takes_its_own_card_back(world: World) -> None:
    """It was frozen between lease and post; another writer posted meanwhile."""
    world.slack.inject("chat.postMessage", RateLimited(1))
    approval = world.approval()
    let_retry(world)
    late = lease_card(world.db, approval.id)
    assert late is not None
    with world.db.transaction() as tx:
        tx.execute("UPDATE cards SET lease_until = now() - interval '1 second'")
    world.show.card(approval.id)
    (first,) = cards_of(world, approval)
    world.show._write(replace(late, tried=False), approval)
    assert [card.ts for card in cards_of(world, approval)] == [first.ts]
    assert row(world, approval)["ts"] == first.ts


def test_a_card_in_a_channel_known_by_name_only_is_left_once(world: World) -> None:
    """Slack does not list the messages of `#ops`; its answer to the second post tells which channel that is."""
    world.slack.inject("chat.postMessage", DropAfter())
    approval = world.approval(rule=world.rule(route="#ops"))
    let_retry(world)
    world.show.card(approval.id)
    with_buttons = [m for m in cards_of(world, approval) if world.slack.controls(world.ops, m.ts)]
    assert len(with_buttons) == 1
