"""Postgres or Redis is away while somebody presses a button."""

import pytest
from pydantic import SecretStr

from approvals.ledger.migrate import migrate
from approvals.rules.words import Status
from approvals.settings import Settings
from demo.services import PostgresServer, RedisServer
from demo.slack.standin import StandIn
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press


@pytest.fixture
def settings(slack: StandIn, own_postgres: PostgresServer, own_redis: RedisServer) -> Settings:
    migrate(own_postgres.url)
    return Settings(
        database_url=SecretStr(own_postgres.url),
        redis_url=SecretStr(own_redis.url),
        slack_bot_token=SecretStr(slack.installation.bot_token),
        slack_signing_secret=SecretStr(slack.installation.signing_secret),
        slack_api_url=slack.api_url,
    )


def test_with_postgres_down_the_clicker_is_told_in_time_and_can_press_again(
    world: World, bot: RunningBot, own_postgres: PostgresServer
) -> None:
    approval = world.approval()
    ts = world.card(approval).ts
    own_postgres.stop()
    delivery = world.slack.click(world.bo, world.ops, ts, "approve")
    assert delivery.ok
    assert delivery.ms < 3000
    assert "Not recorded: my database does not answer. Please press again" in world.told(world.bo)
    own_postgres.start()
    # The pool looks for the server anew after a pause that grows; until then a click is told to be pressed again.
    presses = 0
    while world.now(approval).status is Status.PENDING and presses < 10:
        assert press(world, world.bo, approval, "approve").ok
        presses += 1
    world.wait_until_card_says(approval, "Approved")


def test_with_redis_down_a_decision_stands(world: World, bot: RunningBot, own_redis: RedisServer) -> None:
    approval = world.approval()
    own_redis.stop()
    delivery = world.slack.click(world.bo, world.ops, world.card(approval).ts, "approve")
    assert delivery.ok
    assert world.now(approval).status is Status.APPROVED
    assert "Your approval is recorded" in world.told(world.bo)
    world.wait_until_card_says(approval, "Approved")
