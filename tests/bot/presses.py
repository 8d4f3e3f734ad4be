"""A button pressed as Slack sends it, whether or not a card offers it at the moment."""

from approvals.records import Approval
from bot.cards.keys import write_key
from demo.slack.journal import Delivery
from demo.slack.payloads import message_action
from tests.bot.conftest import World


def press(world: World, user: str, approval: Approval, action_id: str) -> Delivery:
    slack, card = world.slack, world.card(approval)
    action = {"type": "button", "action_id": action_id, "block_id": "b1", "value": write_key(approval)}
    with slack.workspace.changed:
        payload = message_action(slack.workspace, slack.base_url, user, card, action, {})
    return slack.deliver_interaction(payload)
