"""Where a call stands, as one word for people: status and effect together. Pure."""

from enum import StrEnum
from typing import assert_never

from approvals.records import Approval
from approvals.rules.words import DecisionType, Effect, Status


class Stage(StrEnum):
    """The value is the word that the card says."""

    WAITING = "Waiting"
    APPROVED = "Approved"
    RUNNING = "Running"
    PAUSED = "Paused"
    DONE = "Done"
    FAILED = "Failed"
    UNKNOWN = "Unknown"
    REJECTED = "Rejected"
    ANSWERED = "Answered"
    EXPIRED = "Expired"
    CANCELLED = "Cancelled"
    SUPERSEDED = "Superseded"


def stage_of(approval: Approval) -> Stage:
    match approval.status:
        case Status.APPROVED:
            return _stage_of_effect(approval.effect)
        case Status.PENDING:
            return Stage.WAITING
        case Status.REJECTED:
            return Stage.REJECTED
        case Status.ANSWERED:
            return Stage.ANSWERED
        case Status.EXPIRED:
            return Stage.EXPIRED
        case Status.CANCELLED:
            return Stage.CANCELLED
        case Status.SUPERSEDED:
            return Stage.SUPERSEDED
        case _:
            assert_never(approval.status)


def _stage_of_effect(effect: Effect) -> Stage:
    match effect:
        case Effect.NONE:
            return Stage.APPROVED
        case Effect.STARTED:
            return Stage.RUNNING
        case Effect.PAUSED:
            return Stage.PAUSED
        case Effect.DONE:
            return Stage.DONE
        case Effect.FAILED:
            return Stage.FAILED
        case Effect.UNKNOWN:
            return Stage.UNKNOWN
        case _:
            assert_never(effect)


def who_looked(approval: Approval) -> str | None:
    """Who answered for an effect that was unknown. Not the one who had it run again: that is a vote."""
    ended = approval.effect in (Effect.DONE, Effect.FAILED)
    if not ended or approval.settled_by is None or approval.settled_by in who_ran_again(approval):
        return None
    return approval.settled_by


def who_ran_again(approval: Approval) -> tuple[str, ...]:
    """Who said yes to this attempt, if it is not the first."""
    if approval.attempt == 1 or approval.effect is Effect.UNKNOWN:
        return ()
    return tuple(vote.user_id for vote in approval.votes if vote.decision == DecisionType.APPROVE)
