"""`/countersign`: what waits, the emergency stop, the end of a run; each answered to whoever typed it, and no other."""

from dataclasses import replace
from typing import Any

import pytest

from approvals.config.values import Config
from approvals.ledger.freeze import find_freeze
from approvals.rules.rule import Approvers
from approvals.rules.words import Status
from bot.handlers.commands import HELP
from tests.bot.conftest import RunningBot, World


@pytest.fixture
def config(config: Config, world: World) -> Config:
    """Whoever is on call may freeze."""
    return replace(config, freezers=(Approvers(name="oncall", usergroup="oncall-sre"),))


def typed(world: World, user: str, text: str) -> str:
    delivery = world.slack.command(user, world.ops, "/countersign", text)
    assert delivery.ok
    return delivery.response


def actions(world: World) -> list[tuple[str, str]]:
    with world.db.transaction() as tx:
        return [(r["action"], r["actor"]) for r in tx.execute("SELECT action, actor FROM audit_log ORDER BY id")]


def test_alone_it_lists_what_waits(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    listed = typed(world, world.bo, "")
    assert listed.endswith("Decide on the cards, or on my Home.")
    assert "*Waiting on my teams* (1)\n• PROD high risk: Restart checkout - Until <!date^" in listed
    assert approval.id in listed
    asked = typed(world, world.ana, "list")
    assert "*Asked for by me* (1)" in asked
    assert "Decide on" not in asked
    assert "Nothing waits for you." in typed(world, world.dee, "")


def test_help_and_what_it_does_not_know(world: World, bot: RunningBot) -> None:
    assert typed(world, world.bo, "help") == HELP
    assert typed(world, world.bo, "dance `now`") == f"I do not know `dance`.\n{HELP}"
    assert typed(world, world.bo, "ask") == f"Write what to do after `ask`.\n{HELP}"


def test_the_emergency_stop_is_on_every_card_until_it_is_lifted(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    assert typed(world, world.bo, "freeze database is <!channel> down").startswith("Frozen: no gated call")
    assert (found := find_freeze(world.db)) is not None
    assert (found.frozen_by, found.reason) == (world.bo, "database is <!channel> down")
    world.show.card(approval.id)
    text = str(world.card(approval).blocks)
    assert f"*Frozen* by <@{world.bo}> since <!date^" in text
    assert ": database is &lt;!channel&gt; down" in text
    assert "Frozen by" in typed(world, world.cy, "freeze again")
    assert typed(world, world.cy, "unfreeze").startswith("Lifted: calls that are approved start again.")
    world.show.card(approval.id)
    assert "Frozen" not in str(world.card(approval).blocks)
    assert typed(world, world.cy, "unfreeze") == "Nothing is frozen."
    assert [one for one in actions(world) if "freeze" in one[0]] == [("freeze", world.bo), ("unfreeze", world.cy)]


def test_who_may_not_freeze_is_told_and_is_on_the_audit(world: World, bot: RunningBot) -> None:
    assert typed(world, world.dee, "freeze").startswith("Not changed: the policy does not let you")
    assert typed(world, world.gus, "unfreeze").startswith("Not changed")
    assert find_freeze(world.db) is None
    assert [one for one in actions(world) if one[0] == "refused"] == [("refused", world.dee), ("refused", world.gus)]


def test_a_run_is_cancelled_by_the_number_of_a_card(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    assert typed(world, world.dee, f"cancel {approval.id}").startswith("Not cancelled: only who told this agent")
    assert typed(world, world.bo, "cancel A-NOSUCH").startswith("Not cancelled: I know no such run.")
    assert "Name the run" in typed(world, world.bo, "cancel")
    assert typed(world, world.bo, f"cancel {approval.id.lower()}").startswith("The run ends")
    assert world.now(approval).status is Status.CANCELLED
    assert typed(world, world.bo, f"cancel {approval.run_id}").startswith("Nothing to cancel")


def test_it_answers_in_time_with_words_while_the_database_is_away(world: World, bot: RunningBot, config: Any) -> None:
    with world.db.transaction() as tx:
        tx.execute("LOCK TABLE freezes, approvals IN ACCESS EXCLUSIVE MODE")
        assert "in time" in typed(world, world.bo, "")
        assert "in time" in typed(world, world.bo, "freeze")
