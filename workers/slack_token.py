"""Before a process begins: a token that Slack refuses is said at once. Slack being away is no reason not to."""

from approvals.process import CannotStart
from bot.messenger import Messenger, Never


def require_token(messenger: Messenger) -> Messenger:
    """The messenger, or CannotStart if Slack refuses its token."""
    identity = messenger.identity()
    if isinstance(identity, Never):
        raise CannotStart(
            f"SLACK_BOT_TOKEN: Slack refuses the token ({identity.error}); copy the bot token from the page "
            '"OAuth & Permissions" of the Slack app.'
        )
    return messenger
