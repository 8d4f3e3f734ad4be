"""The right human: whether one person may decide one call. Pure; who the person is was looked up before."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from approvals.rules.rule import REQUESTER, Approvers, Rule


class Standing(StrEnum):
    """What Slack says a person is to the workspace that the app is installed in."""

    MEMBER = "member"
    BOT = "bot"
    GUEST = "guest"
    DEACTIVATED = "deactivated"
    OUTSIDER = "outsider"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a door. `groups` are the user groups (as the policy spells them) and the look-ups (by address)
    that hold them; `unread_groups` are those that could not be read, `unknown_groups` those that Slack does not
    have: neither allows anybody."""

    user_id: str
    team_id: str
    standing: Standing
    groups: frozenset[str] = frozenset()
    unread_groups: frozenset[str] = frozenset()
    unknown_groups: frozenset[str] = frozenset()


class Why(StrEnum):
    """Why a person may not decide. Doors turn these into sentences."""

    BOT = "bot"
    GUEST = "guest"
    DEACTIVATED = "deactivated"
    OUTSIDER = "outsider"
    WHO_UNKNOWN = "who_unknown"
    GROUP_UNKNOWN = "group_unknown"
    NO_SUCH_GROUP = "no_such_group"
    NOBODY_MAY = "nobody_may"
    NOT_AN_APPROVER = "not_an_approver"
    IS_REQUESTER = "is_requester"


WHY_STANDING = {
    Standing.BOT: Why.BOT,
    Standing.GUEST: Why.GUEST,
    Standing.DEACTIVATED: Why.DEACTIVATED,
    Standing.OUTSIDER: Why.OUTSIDER,
    Standing.UNKNOWN: Why.WHO_UNKNOWN,
}


def may_decide(rule: Rule, requesters: Iterable[str], person: Person, *, lets_it_run: bool) -> Why | None:
    """None if the person may decide, else why not. `lets_it_run`: the decision can lead to an effect.

    Refusing is open to every approver, also to one who asked; letting it run is not, unless the policy
    says `self_approval` or names `requester` as an approver. An empty list of approvers means nobody.
    """
    if person.standing is not Standing.MEMBER:
        return WHY_STANDING[person.standing]
    if not rule.approvers:
        return Why.NOBODY_MAY
    asked = person.user_id in set(requesters)
    by_policy = rule.self_approval or any(a.name == REQUESTER for a in rule.approvers)
    if lets_it_run and asked and not by_policy:
        # Said first: whoever asked could not let it run in any group.
        return Why.IS_REQUESTER
    if any(allows(a, person, asked=asked) for a in rule.approvers):
        return None
    named = {a.group for a in rule.approvers}
    if named & person.unread_groups:
        return Why.GROUP_UNKNOWN
    return Why.NO_SUCH_GROUP if named & person.unknown_groups else Why.NOT_AN_APPROVER


def allows(approvers: Approvers, person: Person, *, asked: bool) -> bool:
    """Whether this one set of approvers holds the person."""
    if approvers.name == REQUESTER:
        return asked
    return person.user_id in approvers.users or approvers.group in person.groups
