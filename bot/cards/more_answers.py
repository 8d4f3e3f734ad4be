"""What the one who pressed for more time, to ask again, or about a run is told. Pure."""

from typing import Final, assert_never

from approvals.ledger.ask_again import Handed, Not, NotAsked, Reopened
from approvals.ledger.end_run import Ended, GoesOn, NotEnded
from approvals.ledger.extend import Extended, NoMoreTime, NotExtended
from approvals.ledger.try_again import Left, NotTried, TriedAgain
from approvals.records import Approval
from approvals.rules.may_decide import Why
from bot.cards.answers import because_why, how_it_stands
from bot.cards.words import Callers, said_summary, stopped, until

GOES_ON: Final = {
    NotEnded.NO_SUCH_RUN: (
        "Not cancelled: I know no such run. Name it by the number on one of its cards, such as A-9Q2M7F3K."
    ),
    NotEnded.NOT_ALLOWED: (
        "Not cancelled: only who told this agent what to do, and who may decide one of its requests, can end its run."
    ),
    NotEnded.OVER: "Nothing to cancel: this run has come to its end already.",
}
LEFT: Final = {
    NotTried.NO_SUCH_RUN: "Not tried again: I know no such run.",
    NotTried.NOT_ALLOWED: (
        "Not tried again: only who told this agent what to do, and who may decide one of its requests, can have that "
        "done. You can mention me outside this thread."
    ),
    NotTried.GOES_ON: "It goes on already: somebody had it tried again, or wrote to it.",
    NotTried.OVER: "Nothing to try again: this run has come to its end. A new message in its thread begins it again.",
    NotTried.STUCK: "Not tried again: this run cannot go on, as its thread says. Write to me outside it to begin anew.",
}
AFTER_CANCEL: Final = "What was kept for it is dropped; a new message in its thread begins it again."
NOT_ON_RECORD: Final = "I have no such request on record. Nothing was changed."


def more_time_answer(outcome: Extended | NoMoreTime, user_id: str, callers: Callers) -> str:
    """Until when, or why not."""
    match outcome:
        case Extended(approval):
            left = approval.rule.extend - approval.extensions
            again = f" That can be done {'once' if left == 1 else f'{left} times'} more." if left else ""
            return f"More time: {said_summary(approval)} waits until {until(approval)} now.{again}"
        case NoMoreTime(because, approval, why):
            return f"Not changed: {_no_more_time(because, approval, why, user_id, callers)}"
        case _:
            assert_never(outcome)


def _no_more_time(
    because: NotExtended, approval: Approval | None, why: Why | None, user_id: str, callers: Callers
) -> str:
    match because:
        case NotExtended.NO_SUCH_APPROVAL:
            return NOT_ON_RECORD
        case NotExtended.CLOSED:
            return how_it_stands(approval, user_id) if approval else NOT_ON_RECORD
        case NotExtended.OFTEN_ENOUGH:
            return "it was given more time as often as the policy allows."
        case NotExtended.NOT_ALLOWED:
            return because_why(why, approval, callers, user_id)
        case _:
            assert_never(because)


def ask_again_answer(outcome: Reopened | Handed | Not, user_id: str, callers: Callers) -> str:
    """What comes of it, or why nothing does."""
    match outcome:
        case Reopened(approval):
            new = f"It is {approval.id} now, from 0 votes, until {until(approval)}."
            return f"Asked again: {stopped(said_summary(approval))} {new}"
        case Handed():
            return "The agent had gone on, so I told it to call it again if it is still needed."
        case Not(because, approval, why):
            return f"Not asked again: {_not_asked(because, approval, why, user_id, callers)}"
        case _:
            assert_never(outcome)


def _not_asked(because: NotAsked, approval: Approval | None, why: Why | None, user_id: str, callers: Callers) -> str:
    match because:
        case NotAsked.NO_SUCH_APPROVAL:
            return NOT_ON_RECORD
        case NotAsked.NOT_EXPIRED:
            return how_it_stands(approval, user_id) if approval else NOT_ON_RECORD
        case NotAsked.ASKED_ALREADY:
            return "somebody has done that already; look for the newer card."
        case NotAsked.NOT_ALLOWED:
            return because_why(why, approval, callers, user_id)
        case _:
            assert_never(because)


def cancel_answer(outcome: Ended | GoesOn) -> str:
    """Of a run."""
    if isinstance(outcome, GoesOn):
        return GOES_ON[outcome.because]
    number = len(outcome.approvals)
    were = f" {number} open {'request was' if number == 1 else 'requests were'} cancelled." if number else ""
    return f"The run ends; what has begun still reports.{were} {AFTER_CANCEL}"


def try_again_answer(outcome: TriedAgain | Left) -> str:
    """Of a run that had failed."""
    if isinstance(outcome, Left):
        return LEFT[outcome.because]
    return "Tried again: the agent goes on from where it stopped. What ran already does not run a second time."
