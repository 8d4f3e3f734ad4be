"""Who decides from the command line: what Slack says of them; without Slack, only whom the rule itself lists."""

import os
from dataclasses import dataclass
from typing import Final

from approvals.records import Approval
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Approvers
from approvals.settings import Settings, load_secrets
from bot.cards.escape import visible_line
from bot.cards.sizes import cut_line
from bot.cards.words import Callers
from bot.messenger import Later, Messenger, Never, connect
from bot.on_call import OnCall
from bot.people import People

SLACK_SECONDS: Final = 5
ERROR: Final = 60
WITHOUT: Final = "SLACK_BOT_TOKEN is not set, and without it only people whom the rule lists by their id are known"


@dataclass(frozen=True, slots=True)
class Known:
    """`trouble`: why it is not known who they are, or who is in a group; empty if it is."""

    person: Person
    trouble: str = ""


def person_for(user_id: str, approvers: tuple[Approvers, ...], spoke: frozenset[str], settings: Settings) -> Known:
    """The person, as they stand towards these sets; `spoke` are known to be members by what they did."""
    if settings.slack_bot_token.get_secret_value():
        messenger = connect(settings, SLACK_SECONDS)
        secrets = load_secrets(os.environ, {one.secret_env for one in approvers if one.secret_env})
        person = People(messenger, OnCall(secrets)).towards((user_id, ""), approvers)
        return Known(person, trouble_with(messenger, person))
    listed = user_id in spoke or any(user_id in one.users for one in approvers)
    return Known(Person(user_id, "", Standing.MEMBER if listed else Standing.UNKNOWN), "" if listed else WITHOUT)


def who_is(user_id: str, approval: Approval | None, settings: Settings) -> Known:
    """The person, as they stand towards this approval."""
    approvers = approval.approvers if approval else ()
    if not settings.slack_bot_token.get_secret_value():
        return without_slack(user_id, approval, frozenset(one.group for one in approvers if one.group))
    messenger = connect(settings, SLACK_SECONDS)
    secrets = load_secrets(os.environ, {one.secret_env for one in approvers if one.secret_env})
    person = People(messenger, OnCall(secrets)).towards((user_id, ""), approvers)
    return Known(person, trouble_with(messenger, person))


def without_slack(user_id: str, approval: Approval | None, groups: frozenset[str]) -> Known:
    """A user id that the rule lists is taken for a member's. Nobody else can be known, and no group be read."""
    listed = approval is not None and is_listed(user_id, approval)
    standing = Standing.MEMBER if listed else Standing.UNKNOWN
    return Known(Person(user_id, "", standing, unread_groups=groups), WITHOUT)


def is_listed(user_id: str, approval: Approval) -> bool:
    """Whether the rule itself says this id, or says `requester` and they asked."""
    return any(
        user_id in (approval.requesters if approvers.name == REQUESTER else approvers.users)
        for approvers in approval.approvers
    )


def trouble_with(messenger: Messenger, person: Person) -> str:
    """What Slack says where it does not say who somebody is."""
    if person.standing is Standing.UNKNOWN:
        answers: tuple[object, ...] = (messenger.identity(), messenger.user(person.user_id))
    elif person.unread_groups:
        answers = (messenger.groups(),)
    else:
        return ""
    errors = [answer.error for answer in answers if isinstance(answer, Later | Never)]
    error = cut_line(visible_line(errors[0]), ERROR) if errors else "no clear answer"
    return f"Slack does not say ({error}); check SLACK_BOT_TOKEN, SLACK_API_URL and the policy, then try again"


def callers_of(approval: Approval | None) -> Callers:
    """Those who may decide, as the rule names them: Slack is not asked for what only words need."""
    if approval is None:
        return Callers(unread=True)
    approvers = approval.approvers
    ids = [i for one in approvers for i in (approval.requesters if one.name == REQUESTER else one.users)]
    tokens = tuple(f"<@{user_id}>" for user_id in dict.fromkeys(ids))
    return Callers(tokens, tuple(one.usergroup for one in approvers if one.usergroup))
