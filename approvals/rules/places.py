"""Where the cards of a new approval go. Pure: from the rule and the channel of the run."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.rules.rule import REQUESTER, Rule

# Stands where a channel stands until it is known which.
APPROVERS = "approvers"


class CardKind(StrEnum):
    """`CARD` has the buttons. `MIRROR` stands in the run's thread while the card is elsewhere. `CALLS` is no
    message: it stands for the direct messages of those who may decide, until Slack has said who they are."""

    CARD = "card"
    MIRROR = "mirror"
    CALLS = "calls"


@dataclass(frozen=True, slots=True)
class CardPlace:
    """One card to write. `channel_id` may be a channel's `#name`: Slack tells its id when it is posted."""

    kind: CardKind
    channel_id: str
    thread_ts: str | None


def places(rule: Rule, channel_id: str, thread_ts: str) -> tuple[CardPlace, ...]:
    """The rule's `route` if it has one; else the run's own thread; but in a direct message, which nobody
    else can see, the direct messages of those who may decide."""
    thread = CardPlace(CardKind.CARD, channel_id, thread_ts)
    mirror = CardPlace(CardKind.MIRROR, channel_id, thread_ts)
    if rule.route:
        return CardPlace(CardKind.CARD, rule.route, None), mirror
    if is_direct(channel_id) and not any(approvers.name == REQUESTER for approvers in rule.approvers):
        return CardPlace(CardKind.CALLS, APPROVERS, None), mirror
    return (thread,)


def is_direct(channel_id: str) -> bool:
    """Whether a channel is the conversation of one person with the app: Slack's ids of those begin with D."""
    return channel_id.startswith("D")
