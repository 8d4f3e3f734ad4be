"""A thread belongs to the agent of its run: what is said there, by whom, and to whom it is handed."""

from approvals.ledger.find import list_runs
from approvals.ledger.run_status import set_status
from approvals.ledger.tenure import raise_fence
from approvals.records import Run
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType, RunStatus, Status
from tests.bot.conftest import RunningBot, World
from tests.bot.test_mentions import mention
from tests.bot.test_several_agents import asked, choices, config, db_channel, handed, say_to_us, turned_away

# Fixtures: the same three agents.
__all__ = ["config", "db_channel"]


def run_of(world: World, agent: str) -> Run:
    run = raise_fence(world.db, next(one for one in list_runs(world.db) if one.agent == agent).id)
    assert run is not None
    return run


def test_a_thread_belongs_to_its_agent(world: World, bot: RunningBot) -> None:
    root = mention(world, world.ana, "helper: look")
    mention(world, world.ana, "helper: and again", root)
    world.slack.say(world.ana, world.ops, "helper: as I wrote it", root)
    world.slack.settle()
    mention(world, world.ana, "note: this too", root)
    assert asked(world) == [
        ("helper", "look"),
        ("helper", "and again"),
        ("helper", "helper: as I wrote it"),
        ("helper", "note: this too"),
    ]
    mention(world, world.ana, "oncall: restart it", root)
    assert world.told(world.ana) == (
        "Not taken: this thread belongs to helper; write to me outside of it to ask oncall."
    )
    assert len(asked(world)) == 4
    assert len([e for e in world.slack.ephemerals(world.ana) if "belongs to" in e.text]) == 1


def test_later_words_are_held_to_its_people_too(world: World, bot: RunningBot, db_channel: str) -> None:
    root = say_to_us(world, world.bo, db_channel, "db-agent: why?")
    for text in ("and then?", f"<@{world.slack.workspace.app.user_id}> drop it"):
        world.slack.say(world.ana, db_channel, text, root)
        world.slack.settle()
        assert "you are not one of those who may ask db-agent" in world.told(world.ana)
    assert asked(world) == [("db-agent", "why?")]
    assert turned_away(world) == [(world.ana, "db-agent", "person")] * 2


def test_a_question_is_answered_by_whomever_the_policy_names(world: World, bot: RunningBot, db_channel: str) -> None:
    root = say_to_us(world, world.bo, db_channel, "db-agent: why?")
    run = run_of(world, "db-agent")
    set_status(world.db, run, RunStatus.WAITING)
    ana = Approvers(name="ana", users=(world.ana,))
    rule = world.rule(decisions=(DecisionType.RESPOND,)).model_copy(update={"approvers": (ana,)})
    first = world.approval(run, rule=rule)
    world.slack.say(world.ana, db_channel, "since Tuesday", root)
    world.slack.settle()
    assert (world.now(first).status, world.now(first).response) == (Status.ANSWERED, "since Tuesday")
    assert turned_away(world) == []
    # Of two questions she says which; and what she does not choose is no message for the agent.
    second, _ = world.approval(run, rule=rule), world.approval(run, rule=rule)
    world.slack.say(world.ana, db_channel, "both of them", root)
    world.slack.settle()
    choose = world.slack.wait_for(lambda: [e for e in world.slack.ephemerals(world.ana) if e.blocks])[-1]
    with world.db.transaction() as tx:
        [kept] = tx.execute("SELECT * FROM messages WHERE text = 'both of them'").fetchall()
    assert (kept["delivered_at"] is not None, kept["handed_at"]) == (True, None)
    assert world.slack.click(world.ana, db_channel, choose.ts, "answer_0").ok
    world.slack.wait_for(lambda: world.now(second).status is Status.ANSWERED)
    assert world.now(second).response == "both of them"


def test_a_message_in_a_runs_thread_is_handed_to_that_runs_agent(
    world: World, bot: RunningBot, db_channel: str
) -> None:
    root = say_to_us(world, world.bo, db_channel, "db-agent: why?")
    view = handed(world, world.bo, db_channel, root)
    assert choices(view) == []
    assert "db-agent works on this" in str(view)
    assert world.slack.submit(world.bo, {"words": "again"}).ok
    world.slack.settle()
    assert [agent for agent, _ in asked(world)] == ["db-agent", "db-agent"]
    handed(world, world.ana, db_channel, root)
    world.slack.submit(world.ana, {"words": "and me"})
    assert "you are not one of those who may ask db-agent" in str(world.slack.view_errors(world.ana))
    assert len(asked(world)) == 2
