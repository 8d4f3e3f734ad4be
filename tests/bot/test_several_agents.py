"""Several agents: called by name through every door, each where and by whom the configuration lets it be asked."""

from dataclasses import replace
from typing import Any

import pytest

from approvals.config.values import Config
from approvals.rules.rule import Approvers
from demo.slack.faults import Refuse
from demo.slack.shortcuts import shortcut_payload
from tests.bot.conftest import RunningBot, World
from tests.bot.test_mentions import mention

DBA = Approvers(name="dba", usergroup="dba")


@pytest.fixture
def db_channel(world: World) -> str:
    """Ana and Bo are in #db; Bo is a dba."""
    world.slack.workspace.add_group("dba", [world.bo])
    return world.slack.workspace.add_channel("db", [world.ana, world.bo])


@pytest.fixture
def config(config: Config, db_channel: str) -> Config:
    """oncall: everywhere but #db; db-agent: in #db and directly, for the dba; helper: everywhere, for everybody."""
    one = config.agents["oncall"]
    agents = {
        "oncall": replace(one, channels=("#ops", "direct")),
        "db-agent": replace(one, name="db-agent", channels=("#db", "direct"), people=(DBA,)),
        "helper": replace(one, name="helper"),
    }
    return replace(config, agents=agents)


def say_to_us(world: World, user: str, channel: str, text: str, thread: str | None = None) -> str:
    ts = world.slack.say(user, channel, f"<@{world.slack.workspace.app.user_id}> {text}", thread)
    world.slack.settle()
    return ts


def asked(world: World) -> list[tuple[str, str]]:
    """Which agents were asked what, in order."""
    with world.db.transaction() as tx:
        rows = tx.execute(
            "SELECT agent, text FROM messages JOIN runs ON runs.id = run_id ORDER BY received_at"
        ).fetchall()
    return [(row["agent"], row["text"]) for row in rows]


def turned_away(world: World) -> list[tuple[str, Any, Any]]:
    with world.db.transaction() as tx:
        rows = tx.execute("SELECT actor, details FROM audit_log WHERE action = 'turned_away' ORDER BY id").fetchall()
    return [(row["actor"], row["details"].get("agent"), row["details"].get("because")) for row in rows]


def test_an_agent_is_called_by_its_name(world: World, bot: RunningBot, db_channel: str) -> None:
    say_to_us(world, world.bo, db_channel, "DB-agent : why is it slow?")
    say_to_us(world, world.ana, world.ops, "helper: look")
    say_to_us(world, world.ana, world.ops, "restart checkout")
    assert asked(world) == [
        ("db-agent", "why is it slow?"),
        ("helper", "look"),
        ("oncall", "restart checkout"),
    ]
    assert turned_away(world) == []


@pytest.mark.parametrize("text", ["note: look", "https://x.example is red", "10:30 restart it"])
def test_a_word_with_a_colon_that_is_no_name_is_for_the_first_agent(world: World, bot: RunningBot, text: str) -> None:
    mention(world, world.ana, text)
    assert asked(world) == [("oncall", text)]


def test_a_slip_in_a_name_hands_the_words_to_nobody(world: World, bot: RunningBot) -> None:
    mention(world, world.ana, "helpre: drop the index")
    said = world.told(world.ana)
    assert said.startswith('Not taken: no agent is called "helpre". Did you mean helper?')
    assert "begin with `oncall:`" in said
    assert "• helper" in said
    assert asked(world) == []


def test_a_slip_in_the_name_of_one_that_they_may_not_ask_suggests_nothing(world: World, bot: RunningBot) -> None:
    mention(world, world.ana, "db-agnet: drop the index")
    said = world.told(world.ana)
    assert said.startswith('Not taken: no agent is called "db-agnet". db-agent is not there for you here. It can be')
    assert "Did you mean" not in said
    assert asked(world) == []


def test_who_may_not_ask_is_told_who_may_and_where_and_is_on_the_audit(
    world: World, bot: RunningBot, db_channel: str
) -> None:
    say_to_us(world, world.ana, db_channel, "db-agent: why?")
    assert world.told(world.ana) == (
        "Not taken: you are not one of those who may ask db-agent. "
        "It can be asked in #db and in direct messages by @dba."
    )
    mention(world, world.bo, "db-agent: why?")
    assert world.told(world.bo).startswith("Not taken: db-agent cannot be asked here. It can be asked in #db and in")
    assert asked(world) == []
    assert turned_away(world) == [(world.ana, "db-agent", "person"), (world.bo, "db-agent", "channel")]


def test_where_the_first_is_not_there_the_only_other_one_is_asked(
    world: World, bot: RunningBot, db_channel: str
) -> None:
    say_to_us(world, world.ana, db_channel, "look at this")
    assert asked(world) == [("helper", "look at this")]
    say_to_us(world, world.bo, db_channel, "look at this")
    said = world.told(world.bo)
    assert said.startswith("Not taken: oncall cannot be asked here. It can be asked in #ops and in direct messages.")
    assert said.endswith(
        "• db-agent\n• helper\nWrite its name and a colon before your words: `helper: why is it slow?`"
    )
    assert len(asked(world)) == 1


def test_a_direct_message_is_one_of_the_places(world: World, bot: RunningBot) -> None:
    world.slack.say(world.bo, world.slack.direct(world.bo), "db-agent: why?")
    world.slack.settle()
    assert asked(world) == [("db-agent", "why?")]


@pytest.mark.parametrize("method", ["usergroups.list", "conversations.info"])
def test_what_slack_does_not_say_refuses_and_is_said(
    world: World, bot: RunningBot, db_channel: str, method: str
) -> None:
    world.slack.inject(method, Refuse("internal_error"), times=9)
    say_to_us(world, world.bo, db_channel, "db-agent: why?")
    words = "Slack or a look-up did not answer" if method == "usergroups.list" else "Slack does not tell me"
    assert words in world.told(world.bo)
    assert asked(world) == []
    assert [one[2] for one in turned_away(world)] == [
        "person_unread" if method == "usergroups.list" else "channel_unread"
    ]


@pytest.mark.parametrize("text", ["", "agents", "Help?"])
def test_the_bots_name_alone_lists_the_agents_that_are_there(
    world: World, bot: RunningBot, db_channel: str, text: str
) -> None:
    say_to_us(world, world.bo, db_channel, text)
    assert "• db-agent\n• helper\n" in world.told(world.bo)
    say_to_us(world, world.ana, world.ops, text)
    assert "• oncall (asked where you give no name)\n• helper\n" in world.told(world.ana)
    assert asked(world) == []


def test_only_called_and_not_asked_anything(world: World, bot: RunningBot) -> None:
    mention(world, world.ana, "helper:")
    assert world.told(world.ana).startswith("Write in the same message what helper shall do")
    assert asked(world) == []


def command(world: World, user: str, channel: str, text: str) -> str:
    delivery = world.slack.command(user, channel, "/countersign", text)
    assert delivery.ok
    return delivery.response


def test_the_command_calls_by_name_too(world: World, bot: RunningBot, db_channel: str) -> None:
    assert command(world, world.bo, db_channel, "ask db-agent: why?").startswith("Begun.")
    assert f"<@{world.bo}> asks db-agent: why?" in [m.text for m in world.slack.messages(db_channel)]
    assert "you are not one of those who may ask db-agent" in command(world, world.ana, db_channel, "ask db-agent: x")
    assert "• db-agent\n• helper\n" in command(world, world.bo, db_channel, "agents")
    assert "• helper" in command(world, world.bo, db_channel, "help")
    assert asked(world) == [("db-agent", "why?")]
    assert turned_away(world) == [(world.ana, "db-agent", "person")]


def test_in_a_channel_that_the_bot_is_not_in_that_is_said(world: World, bot: RunningBot) -> None:
    secret = world.slack.workspace.add_channel("secret", [world.ana], kind="private")
    workspace = world.slack.workspace
    members = workspace.channels[secret].members - {workspace.app.user_id}
    workspace.change_channel(secret, members=members)
    assert command(world, world.ana, secret, "ask oncall: look").startswith("I am not in this channel")


def handed(world: World, user: str, channel: str, ts: str) -> dict[str, Any]:
    """The form that opens, for whoever hands over this message."""
    slack = world.slack
    message = slack.message(channel, ts)
    assert message is not None
    slack.deliver_interaction(shortcut_payload(slack.workspace, slack.base_url, user, message, "hand_to_agent"))
    view = slack.wait_for(lambda: slack.view(user))
    assert isinstance(view, dict)
    return view


def choices(view: dict[str, Any]) -> list[str]:
    """The agents in the select."""
    for block in view["blocks"]:
        if block.get("block_id") == "agent":
            return [option["value"] for option in block["element"]["options"]]
    return []


def test_the_form_offers_the_agents_that_are_there(world: World, bot: RunningBot, db_channel: str) -> None:
    alert = world.slack.say(world.bo, db_channel, "disk is full")
    view = handed(world, world.bo, db_channel, alert)
    assert choices(view) == ["db-agent", "helper"]
    assert world.slack.submit(world.bo, {"agent": "db-agent", "words": "look at it"}).ok
    world.slack.settle()
    ((agent, text),) = asked(world)
    assert agent == "db-agent"
    assert text.endswith("look at it")


def test_the_form_of_whom_one_agent_is_there_for_says_which(world: World, bot: RunningBot, db_channel: str) -> None:
    alert = world.slack.say(world.bo, db_channel, "disk is full")
    view = handed(world, world.ana, db_channel, alert)
    assert choices(view) == []
    assert "helper works on this" in str(view)
    assert world.slack.submit(world.ana, {"words": "look"}).ok
    world.slack.settle()
    assert [agent for agent, _ in asked(world)] == ["helper"]


def test_a_form_that_was_opened_before_things_changed_is_refused(
    world: World, bot: RunningBot, db_channel: str
) -> None:
    alert = world.slack.say(world.bo, db_channel, "disk is full")
    handed(world, world.bo, db_channel, alert)
    world.slack.workspace.change_channel(db_channel, name="other")
    world.slack.workspace.change_user(world.bo, is_restricted=True)
    world.slack.submit(world.bo, {"agent": "db-agent", "words": "look"})
    assert "members of this workspace only" in str(world.slack.view(world.bo)) + str(world.slack.view_errors(world.bo))
    assert asked(world) == []
