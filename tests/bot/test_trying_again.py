"""Try again: the button on the status line of a run that failed."""

from approvals.ledger.find import find_run
from approvals.ledger.run_status import note_failure
from approvals.ledger.status_line import note_doing
from approvals.records import Message as Told
from approvals.records import Run
from approvals.rules.words import RunStatus, Status
from demo.slack.messages import Message
from tests.bot.conftest import RunningBot, World
from tests.bot.test_mentions import mention
from tests.bot.test_silence import said_in_ops, sql


def failed(world: World) -> Run:
    """Ana's run; its line and the notice are in Slack."""
    run = world.run()
    (one,) = sql(world, "SELECT * FROM messages WHERE run_id = %s", run.id)
    note_doing(world.db, run.id, "thinking", message=Told(str(one["id"]), run.id, world.ana, one["text"], None))
    note_failure(world.db, run, "the model's provider refused the key.", tries=1)
    world.show.posts(run.id)
    world.show.status_line(run.id)
    return run


def line(world: World) -> Message:
    """The one with the run's button, or what became of it."""
    return next(m for m in said_in_ops(world) if m.blocks and m.blocks[0]["type"] == "context")


def buttons(world: World) -> list[str]:
    return [one.action_id for one in world.slack.controls(world.ops, line(world).ts)]


def status(world: World, run: Run) -> RunStatus:
    found = find_run(world.db, run.id)
    assert found is not None
    return found.status


def test_the_run_says_why_it_stopped_and_has_a_way_on(world: World, bot: RunningBot) -> None:
    failed(world)
    assert line(world).text.startswith("Stopped after")
    assert buttons(world) == ["try_again"]
    assert any(
        m.text == "I had to stop: the model's provider refused the key. Press Try again on its status line above, or "
        "write here what to do instead."
        for m in said_in_ops(world)
    )


def test_who_asked_presses_and_the_agent_goes_on(world: World, bot: RunningBot) -> None:
    run = failed(world)
    approval = world.approval(run)
    assert world.slack.click(world.gus, world.ops, line(world).ts, "try_again").ok
    assert "Not tried again: only who told this agent" in world.told(world.gus)
    assert status(world, run) is RunStatus.FAILED
    assert world.slack.click(world.ana, world.ops, line(world).ts, "try_again").ok
    assert "Tried again: the agent goes on from where it stopped." in world.told(world.ana)
    bot.wait_until_woken(run.id)
    assert status(world, run) is RunStatus.QUEUED
    assert world.now(approval).status is Status.PENDING
    world.slack.wait_for(lambda: line(world).text == f"Trying again for <@{world.ana}>.")
    assert buttons(world) == ["cancel_run"]
    said = [(row["action"], row["actor"]) for row in sql(world, "SELECT * FROM audit_log WHERE run_id = %s", run.id)]
    assert ("refused", world.gus) in said
    assert ("try_again", world.ana) in said


def test_a_press_on_a_line_that_is_behind_is_answered(world: World, bot: RunningBot) -> None:
    run = failed(world)
    press = world.slack.click(world.bo, world.ops, line(world).ts, "try_again")
    assert "Not tried again" in world.told(world.bo)
    first = world.slack.click(world.ana, world.ops, line(world).ts, "try_again")
    world.slack.wait_for(lambda: status(world, run) is RunStatus.QUEUED)
    assert world.slack.deliver_interaction(first.payload).ok
    world.slack.wait_for(lambda: any("It goes on already" in one.text for one in world.slack.ephemerals(world.ana)))
    odd = dict(press.payload)
    odd["actions"] = [odd["actions"][0] | {"value": "no-such-run"}]
    assert world.slack.deliver_interaction(odd).ok
    world.slack.wait_for(lambda: any("I know no such run" in one.text for one in world.slack.ephemerals(world.bo)))


def test_a_new_message_wakes_it_too_and_takes_the_button_away(world: World, bot: RunningBot) -> None:
    run = failed(world)
    mention(world, world.bo, "use the other region", run.thread_ts)
    assert status(world, run) is RunStatus.QUEUED
    sql(world, "UPDATE status_lines SET retry_at = now() RETURNING 1")
    world.show.status_lines()
    assert buttons(world) == []
