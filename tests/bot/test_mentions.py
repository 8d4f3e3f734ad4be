"""Somebody speaks to an agent."""

from unittest.mock import ANY

import psycopg

from approvals.ledger.find import list_runs
from approvals.ledger.run_status import note_stuck, set_status
from approvals.ledger.tenure import raise_fence
from approvals.records import Run
from approvals.rules.words import RunStatus
from tests.bot.conftest import RunningBot, World


def mention(world: World, user: str, text: str, thread_ts: str | None = None) -> str:
    ts = world.slack.say(user, world.ops, f"<@{world.slack.workspace.app.user_id}> {text}", thread_ts)
    world.slack.settle()
    return ts


def messages(world: World) -> list[tuple[str, str]]:
    with world.db.transaction() as tx:
        rows = tx.execute("SELECT author_id, text FROM messages ORDER BY received_at").fetchall()
    return [(row["author_id"], row["text"]) for row in rows]


def held(world: World) -> Run:
    run = raise_fence(world.db, list_runs(world.db)[0].id)
    assert run is not None
    return run


def test_a_mention_starts_a_run_in_its_thread_and_wakes_it(world: World, bot: RunningBot) -> None:
    ts = mention(world, world.ana, "restart checkout if a &lt; b &amp;&amp; c")
    run = list_runs(world.db)[0]
    assert (run.agent, run.channel_id, run.thread_ts) == ("oncall", world.ops, ts)
    assert run.team_id == world.slack.workspace.team_id
    assert messages(world) == [(world.ana, "restart checkout if a < b && c")]
    bot.wait_until_woken(run.id)


def test_a_mention_in_a_runs_thread_adds_to_that_run(world: World, bot: RunningBot) -> None:
    root = mention(world, world.ana, "restart checkout")
    mention(world, world.bo, "and billing", root)
    assert len(list_runs(world.db)) == 1
    assert messages(world) == [(world.ana, "restart checkout"), (world.bo, "and billing")]


def test_the_same_mention_twice_is_one_message(world: World, bot: RunningBot) -> None:
    mention(world, world.ana, "restart checkout")
    delivery = world.slack.journal.deliveries("event", "app_mention")[0]
    assert world.slack.resend(delivery, attempt=1, reason="http_timeout").ok
    assert len(messages(world)) == 1


def test_an_empty_mention_gets_help_in_private(world: World, bot: RunningBot) -> None:
    mention(world, world.ana, "")
    assert "Tell me in the same message what you need" in world.told(world.ana)
    assert list_runs(world.db) == []


def test_what_a_bot_writes_starts_nothing(world: World, bot: RunningBot) -> None:
    robot = world.slack.workspace.add_user("alerts", bot_id="B0ALERTS")
    members = world.slack.workspace.channels[world.ops].members | {robot}
    world.slack.workspace.change_channel(world.ops, members=members)
    mention(world, robot, "restart everything")
    assert world.slack.journal.deliveries("event", "app_mention")[0].ok
    assert list_runs(world.db) == []
    assert world.slack.ephemerals(robot) == []


def test_guests_and_people_of_other_companies_start_nothing(world: World, bot: RunningBot) -> None:
    for user in (world.gus, world.xia):
        mention(world, user, "restart checkout")
        assert "members of this workspace only" in world.told(user)
    assert list_runs(world.db) == []


def test_a_stuck_run_says_that_it_cannot_go_on(world: World, bot: RunningBot) -> None:
    root = mention(world, world.ana, "restart checkout")
    note_stuck(world.db, held(world), "its checkpoint cannot be read <!channel>")
    mention(world, world.ana, "hello?", root)
    words = world.told(world.ana)
    assert "I cannot go on in this thread: its checkpoint cannot be read &lt;!channel&gt;." in words


def test_a_message_on_a_waiting_run_is_kept_and_its_author_told(world: World, bot: RunningBot) -> None:
    root = mention(world, world.ana, "restart checkout")
    set_status(world.db, held(world), RunStatus.WAITING)
    mention(world, world.bo, "hurry", root)
    assert "Kept" in world.told(world.bo)
    assert (world.bo, "hurry") in messages(world)


def test_what_cannot_be_kept_is_brought_again_by_slack(world: World, bot: RunningBot) -> None:
    with psycopg.connect(world.db.url) as other:
        other.execute("LOCK TABLE runs IN ACCESS EXCLUSIVE MODE")
        world.slack.say(world.ana, world.ops, f"<@{world.slack.workspace.app.user_id}> restart checkout")
        world.slack.wait_for(lambda: world.slack.journal.deliveries("event", "app_mention"))
        assert world.slack.journal.deliveries("event", "app_mention")[0].status == 503
        assert "I could not take that down" in world.told(world.ana)
        other.rollback()
    world.slack.settle(10)
    assert messages(world) == [(world.ana, ANY)]


def test_other_events_are_acknowledged(world: World, bot: RunningBot) -> None:
    world.slack.say(world.ana, world.ops, "just talking")
    world.slack.settle()
    assert all(delivery.ok for delivery in world.slack.journal.deliveries("event"))
    assert list_runs(world.db) == []
