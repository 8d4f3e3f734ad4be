"""Sixty clicks at once, whichever way they come: none is lost, each is answered, in time."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import psycopg

from approvals.records import Approval
from approvals.rules.words import Status
from demo.slack.journal import Delivery
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press

MANY = 60


def people(world: World) -> list[str]:
    everybody = [world.slack.workspace.add_user(f"p{number}") for number in range(MANY)]
    world.slack.workspace.change_channel(
        world.ops, members=world.slack.workspace.channels[world.ops].members | {*everybody}
    )
    world.slack.workspace.change_group(world.group, members=tuple(everybody))
    return everybody


def all_click(world: World, everybody: list[str], approval: Approval) -> list[Delivery]:
    """All saw the buttons: who presses last may do so when the card has none any more."""
    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(lambda user: press(world, user, approval, "approve"), everybody))


def told(world: World, everybody: list[str]) -> list[str]:
    world.slack.wait_for(lambda: all(world.slack.ephemerals(user) for user in everybody), 30)
    return [world.slack.ephemerals(user)[-1].text for user in everybody]


def test_one_decides_and_everybody_is_answered(world: World, either_bot: RunningBot) -> None:
    everybody, approval = people(world), world.approval()
    clicks = all_click(world, everybody, approval)
    assert [click.failure for click in clicks] == [None] * MANY
    assert world.now(approval).status is Status.APPROVED
    answers = Counter("Your approval is recorded" in words for words in told(world, everybody))
    assert answers == {True: 1, False: MANY - 1}


def test_while_postgres_is_slow_everybody_is_told_in_time_that_nothing_is_recorded(
    world: World, either_bot: RunningBot
) -> None:
    everybody, approval = people(world), world.approval()
    with psycopg.connect(world.db.url) as other:
        other.execute("SELECT 1 FROM approvals WHERE id = %s FOR UPDATE", (approval.id,))
        clicks = all_click(world, everybody, approval)
        assert [click.failure for click in clicks] == [None] * MANY
        assert all("Not recorded" in words for words in told(world, everybody))
        other.rollback()
