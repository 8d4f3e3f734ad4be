"""The parts that the cases play with: the ledger, one worker's runner, the bot with the stand-in Slack."""

from tests.approvals.ledger.conftest import shared_database
from tests.bot.conftest import bot, config, policy, settings, slack, world
from tests.workers.conftest import bench

__all__ = ["bench", "bot", "config", "policy", "settings", "shared_database", "slack", "world"]
