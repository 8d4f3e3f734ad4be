"""Cancel run: what the line says at the press, and what becomes of a button that should have gone."""

from approvals.ledger.status_line import note_doing
from approvals.records import Message as Told
from approvals.records import Run
from tests.bot.conftest import RunningBot, World
from tests.bot.test_silence import sql
from tests.bot.test_trying_again import buttons, line


def working(world: World) -> Run:
    run = world.run()
    (one,) = sql(world, "SELECT * FROM messages WHERE run_id = %s", run.id)
    message = Told(str(one["id"]), run.id, world.ana, one["text"], None)
    note_doing(world.db, run.id, "calling look\nhalfway", message=message)
    world.show.status_line(run.id)
    return run


def test_the_line_says_at_once_that_it_ends_and_has_no_button(world: World, bot: RunningBot) -> None:
    run = working(world)
    assert world.slack.click(world.ana, world.ops, line(world).ts, "cancel_run").ok
    world.slack.wait_for(lambda: line(world).text == "Cancelling; `look` runs and will still report.")
    assert buttons(world) == []
    # Whatever its worker says meanwhile.
    note_doing(world.db, run.id, "thinking")
    assert sql(world, "SELECT doing FROM status_lines WHERE run_id = %s", run.id)[0]["doing"] == "cancelling look"


def test_a_press_on_a_line_that_should_have_no_button_draws_it_again(world: World, bot: RunningBot) -> None:
    run = working(world)
    sql(world, "UPDATE runs SET status = 'cancelled' WHERE id = %s", run.id)
    assert buttons(world) == ["cancel_run"]
    world.slack.click(world.ana, world.ops, line(world).ts, "cancel_run")
    world.slack.wait_for(lambda: not buttons(world))
