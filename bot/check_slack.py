"""Before the bot begins: the token is good and has every scope that the code uses, or one line that says what not."""

import structlog

from approvals.config.values import Config
from approvals.process import CannotStart
from approvals.rules.rule import Approvers, Rule
from bot.messenger import Later, Messenger, Never
from bot.people import People
from bot.replies import Identity
from bot.scopes import SCOPES

log = structlog.get_logger()


def check_slack(messenger: Messenger) -> Identity:
    """Who we are, or CannotStart."""
    identity = messenger.identity()
    match identity:
        case Later(_, error):
            raise CannotStart(
                f"SLACK_API_URL: Slack does not answer ({error}); check the address, the network and proxies."
            )
        case Never(error):
            raise CannotStart(
                f"SLACK_BOT_TOKEN: Slack refuses the token ({error}); copy the bot token from the page "
                '"OAuth & Permissions" of the Slack app.'
            )
        case Identity():
            return _with_scopes(identity)


def check_groups(people: People, config: Config) -> None:
    """Every user group that the policy or an agent names is one of this workspace, or CannotStart: nobody in it would
    be called, and nobody could decide, or ask. While Slack is in trouble the bot begins all the same."""
    rules = [config.policy.defaults, *(entry.rule for entry in config.policy.tools)]
    named = {one.usergroup for rule in rules for one in everybody(rule) if one.usergroup}
    named |= {one.usergroup for agent in config.agents.values() for one in agent.people or () if one.usergroup}
    unknown = people.unknown_groups(named) if named else ()
    if isinstance(unknown, Later | Never):
        log.warning("groups.unread", error=unknown.error, then="a group that is not there lets nobody decide")
    elif unknown:
        raise CannotStart(
            f"COUNTERSIGN_CONFIG: Slack knows no user group {', '.join(unknown)}, which approvers in the file name; "
            "correct the handle or make the group in Slack."
        )


def everybody(rule: Rule) -> tuple[Approvers, ...]:
    """Who may decide, now or after an escalation."""
    return (*rule.approvers, *(one for step in rule.escalate for one in step.to))


def _with_scopes(identity: Identity) -> Identity:
    if not identity.scopes:
        log.warning("slack.scopes_unknown", then="a missing scope shows only when it is needed")
        return identity
    missing = sorted(SCOPES - identity.scopes)
    if missing:
        raise CannotStart(
            f"SLACK_BOT_TOKEN: the token lacks the scope{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            "apply manifest.yml to the Slack app and install it again."
        )
    return identity
