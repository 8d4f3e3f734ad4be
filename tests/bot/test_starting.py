"""The other ways to give an agent work: `/countersign ask`, and a message handed over."""

import json

import psycopg
import pytest

from approvals.ledger.find import list_runs
from demo.slack.faults import Refuse, ServerError
from demo.slack.journal import Delivery
from tests.bot.conftest import RunningBot, World


def messages(world: World) -> list[tuple[str, str]]:
    with world.db.transaction() as tx:
        rows = tx.execute("SELECT author_id, text FROM messages ORDER BY received_at").fetchall()
    return [(row["author_id"], row["text"]) for row in rows]


def command(world: World, user: str, text: str, channel_id: str | None = None) -> Delivery:
    return world.slack.command(user, channel_id or world.ops, "/countersign", text)


def doors_used(world: World) -> set[str]:
    with world.db.transaction() as tx:
        return {row["door"] for row in tx.execute("SELECT door FROM audit_log WHERE action = 'message'").fetchall()}


def test_asking_posts_the_words_and_starts_a_run_in_the_thread_of_that_post(world: World, bot: RunningBot) -> None:
    delivery = command(world, world.ana, "ask  restart checkout &amp; tell <!channel>")
    assert delivery.response.startswith("Begun.")
    [root] = world.slack.messages(world.ops)
    assert root.text == f"<@{world.ana}> asks oncall: restart checkout &amp; tell &lt;!channel&gt;"
    [run] = list_runs(world.db)
    assert (run.channel_id, run.thread_ts) == (world.ops, root.ts)
    assert messages(world) == [(world.ana, "restart checkout & tell <!channel>")]
    assert doors_used(world) == {"slack command"}
    bot.wait_until_woken(run.id)


@pytest.mark.parametrize("text", ["help", "ask", "ask   ", "status", "asking for a friend"])
def test_anything_else_gets_a_short_help(world: World, bot: RunningBot, text: str) -> None:
    assert "`/countersign ask` and your words" in command(world, world.ana, text).response
    assert list_runs(world.db) == []


def test_asking_where_the_bot_is_not_says_how_to_invite_it(world: World, bot: RunningBot) -> None:
    for kind in ("public", "private"):
        elsewhere = world.slack.workspace.add_channel(kind, [world.ana], kind=kind, with_bot=False)
        assert "/invite @countersign" in command(world, world.ana, "ask restart", elsewhere).response
    assert list_runs(world.db) == []


def test_what_slack_does_not_post_is_not_begun(world: World, bot: RunningBot) -> None:
    world.slack.inject("chat.postMessage", ServerError())
    assert "no agent was asked" in command(world, world.ana, "ask restart").response
    assert list_runs(world.db) == []


def test_a_post_that_nobody_works_on_says_so(world: World, bot: RunningBot) -> None:
    with world.db.transaction() as tx:
        tx.execute("ALTER TABLE runs RENAME TO runs_away")
    delivery = command(world, world.ana, "ask restart")
    assert "my database does not answer" in delivery.response
    [root] = world.slack.messages(world.ops)
    assert "No agent was asked" in root.text


def test_asking_while_the_database_is_slow_is_answered_in_time(world: World, bot: RunningBot) -> None:
    with psycopg.connect(world.db.url) as other:
        other.execute("LOCK TABLE runs IN ACCESS EXCLUSIVE MODE")
        delivery = command(world, world.ana, "ask restart")
        assert (delivery.ok, delivery.ms < 3000, "Begun" in delivery.response) == (True, True, False)
        world.slack.wait_for(lambda: "No agent was asked" in world.slack.messages(world.ops)[0].text)
        other.rollback()


def alert(world: World, thread_ts: str | None = None, text: str = "") -> str:
    robot = world.slack.workspace.add_app("pager")
    members = world.slack.workspace.channels[world.ops].members | {robot}
    world.slack.workspace.change_channel(world.ops, members=members)
    attachment = {"title": "checkout 5xx", "text": "12 of 12 pods <!channel>"}
    return world.slack.post_as(robot, world.ops, text, attachments=[] if text else [attachment], thread_ts=thread_ts)


def hand(world: World, ts: str, channel_id: str | None = None) -> None:
    assert world.slack.shortcut(world.ana, channel_id or world.ops, ts, "hand_to_agent").ok


def test_a_message_is_handed_over_with_words_in_the_thread_of_that_message(world: World, bot: RunningBot) -> None:
    ts = alert(world)
    hand(world, ts)
    view = world.slack.view(world.ana)
    assert view is not None
    assert "pods" not in view["private_metadata"]
    assert world.slack.submit(world.ana, {"words": "please restart it"}).ok
    [run] = list_runs(world.db)
    assert (run.channel_id, run.thread_ts) == (world.ops, ts)
    [(author, prompt)] = messages(world)
    assert author == world.ana
    assert prompt.startswith(f"<@{world.ana}> hands over a message, written by U")
    assert prompt.endswith("> checkout 5xx\n> 12 of 12 pods <!channel>\n\nplease restart it")
    assert doors_used(world) == {"message shortcut"}
    assert "Handed over" in world.told(world.ana)
    bot.wait_until_woken(run.id)


def test_of_a_message_in_a_thread_the_run_is_in_that_thread(world: World, bot: RunningBot) -> None:
    root = world.slack.say(world.bo, world.ops, "who looks at checkout?")
    hand(world, alert(world, thread_ts=root))
    world.slack.submit(world.ana)
    assert list_runs(world.db)[0].thread_ts == root


def test_one_form_is_one_message_however_often_it_is_sent(world: World, bot: RunningBot) -> None:
    hand(world, alert(world))
    delivery = world.slack.submit(world.ana)
    assert world.slack.resend(delivery).ok
    assert len(messages(world)) == 1


def test_a_long_message_is_cut_so_that_one_sees_it(world: World, bot: RunningBot) -> None:
    hand(world, alert(world, text="x" * 9000))
    assert "[cut; 9,000 characters in all]" in json.dumps(world.slack.view(world.ana), ensure_ascii=False)


def test_nothing_at_all_is_not_handed_over(world: World, bot: RunningBot) -> None:
    hand(world, world.slack.say(world.bo, world.ops, ""))
    world.slack.submit(world.ana, {"words": "  "})
    assert "no words to hand over" in world.slack.view_errors(world.ana)["words"]
    assert list_runs(world.db) == []


def test_where_the_bot_is_not_the_form_says_how_to_invite_it(world: World, bot: RunningBot) -> None:
    elsewhere = world.slack.workspace.add_channel("else", [world.ana], with_bot=False)
    hand(world, world.slack.say(world.ana, elsewhere, "disk full"), elsewhere)
    world.slack.submit(world.ana)
    assert "/invite @countersign" in world.slack.view_errors(world.ana)["message"]
    assert list_runs(world.db) == []
    members = world.slack.workspace.channels[elsewhere].members | {world.slack.workspace.app.user_id}
    world.slack.workspace.change_channel(elsewhere, members=members)
    assert world.slack.submit(world.ana).ok
    assert list_runs(world.db)[0].channel_id == elsewhere


def test_while_slack_does_not_say_where_the_bot_is_nothing_is_handed_over(world: World, bot: RunningBot) -> None:
    hand(world, alert(world))
    world.slack.inject("conversations.info", Refuse("internal_error"))
    world.slack.submit(world.ana)
    assert "does not tell me" in world.slack.view_errors(world.ana)["message"]
    assert list_runs(world.db) == []


def test_what_cannot_be_seen_in_a_message_is_spelled_out_before_it_is_handed_over(
    world: World, bot: RunningBot
) -> None:
    hand(world, alert(world, text="checkout\u200b is down\U000e0041"))
    blocks = str(world.slack.view(world.ana))
    assert "2 invisible or unusual characters" in blocks
    assert "checkout\\\\u{200B} is down\\\\u{E0041}" in blocks
