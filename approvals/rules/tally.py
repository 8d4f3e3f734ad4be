"""What the votes amount to. Pure."""

from collections.abc import Iterable

from approvals.records import Vote
from approvals.rules.words import DecisionType


def approvals_in(votes: Iterable[Vote]) -> int:
    """How many different people said yes."""
    return len({vote.user_id for vote in votes if vote.decision == DecisionType.APPROVE})
