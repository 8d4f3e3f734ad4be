"""The token is good and has every scope; every user group that the policy names is there."""

from collections.abc import Iterator

from approvals.config.load import load_config
from approvals.settings import Settings
from bot.check_slack import check_groups, check_slack
from bot.messenger import connect
from bot.people import People
from ops.doctor.finding import Finding


def slack(settings: Settings) -> Iterator[Finding]:
    """As the bot checks it before it starts."""
    messenger = connect(settings)
    identity = check_slack(messenger)
    yield Finding("slack", True, f"Slack knows the token: workspace {identity.team_id}, bot {identity.user_id}.")
    check_groups(People(messenger), load_config(settings.countersign_config))
    yield Finding("approver-groups", True, "Slack knows every user group that the policy names.")
