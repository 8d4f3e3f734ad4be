"""What a card says about silence: who was called again, who was called too, who has not answered. Pure."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from approvals.ledger.freeze import Freeze
from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import Effect, Status
from bot.cards.around import Around, Called
from bot.cards.escape import escape, escape_to
from bot.cards.hidden import hidden_in
from bot.cards.words import FEW, NAME, Callers, at, barred, clock, deciders, several, votes_of, who

REASON_ROOM: Final = 200
FAILURE_ROOM: Final = 80
MOST_PAGES: Final = 3
TOLD_TO_ASK: Final = "Asked again: the agent was told to call it once more if it is still needed."
FROM_NOTHING: Final = "Ask again starts from 0 votes."


def so_far(approval: Approval, around: Around) -> list[str]:
    """Of a call that waits."""
    return [*_reminded(approval, around), *_escalated(approval, around)]


def all_of_it(approval: Approval, around: Around) -> list[str]:
    """Of an expired call: asked, reminded, escalated, who said yes, and who has not answered."""
    callers = around.asked if around.asked.tokens else around.callers
    asked = several(_counted(deciders(approval, callers), callers), most=FEW)
    silent = [who(user_id) for user_id in silent_in(approval, around.called)]
    return [
        *([f"Asked {asked}, {clock(approval.opened_at, approval)}"] if asked else []),
        *_reminded(approval, around),
        *_escalated(approval, around),
        *([f"Yes {votes_of(approval)}"] if approvals_in(approval.votes) else []),
        *([f"No answer {several(silent, most=FEW)}"] if silent else []),
    ]


def silent_in(approval: Approval, called: Iterable[str]) -> list[str]:
    """Of those who were called, those who have not spoken and could have."""
    may_not = {vote.user_id for vote in approval.votes} | set(barred(approval))
    return [user_id for user_id in dict.fromkeys(called) if user_id not in may_not]


def frozen_line(approval: Approval, freeze: Freeze | None) -> str:
    """On everything that would start if there were no emergency stop."""
    not_begun = approval.status is Status.APPROVED and approval.effect is Effect.NONE
    if freeze is None or not (approval.status is Status.PENDING or not_begun):
        return ""
    since = f"*Frozen* by {who(freeze.frozen_by)} since {clock(freeze.frozen_at, approval)}"
    reason = hidden_in((freeze.reason or "").strip(), approval)
    return f"{since}: {escape_to(reason, REASON_ROOM)}" if reason else f"{since}. Nothing starts until it is lifted."


def failed_pages(approval: Approval, around: Around) -> list[str]:
    """For the warnings: a pager that nobody hears."""
    still = "; it is tried again." if approval.status is Status.PENDING else "."
    failed = ((page.pager, hidden_in(page.failure, approval)) for page in around.silence.failed_pages[:MOST_PAGES])
    return [
        f"The pager {escape_to(pager, NAME)} could not be set off ({escape_to(failure, FAILURE_ROOM)}){still}"
        for pager, failure in failed
    ]


def asked_again(approval: Approval, around: Around) -> str:
    """What stands in the place of the button once it was pressed; empty before."""
    if approval.status is not Status.EXPIRED:
        return ""
    if around.silence.again:
        return f"Asked again: {escape(around.silence.again)}"
    return TOLD_TO_ASK if around.silence.handed else ""


def more_time(timeout: timedelta) -> str:
    """`15 more minutes`, `2 more hours`, `1 more day`: the label of a button."""
    seconds = round(timeout.total_seconds())
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size and seconds % size == 0:
            number = seconds // size
            return f"{number} more {name}{'' if number == 1 else 's'}"
    return f"{seconds} more seconds"


def _reminded(approval: Approval, around: Around) -> list[str]:
    times = [clock(one, approval) for one in around.silence.reminded]
    return [f"Reminded {several(times)}"] if times else []


def _escalated(approval: Approval, around: Around) -> list[str]:
    return [f"Escalated {_whom(one)}, {clock(one.at, approval)}" for one in around.escalated]


def _whom(called: Called) -> str:
    people = _counted(called.callers.tokens, called.callers)
    pager = [f"the pager {escape_to(called.page, NAME)}"] if called.page else []
    return several([*people, *pager], most=FEW) or "nobody who could be read"


def _counted(tokens: Iterable[str], callers: Callers) -> list[str]:
    """`@oncall-sre (3)`."""
    return [f"{token} ({callers.counts[token]})" if token in callers.counts else token for token in tokens]


def since(freeze: Freeze) -> str:
    """Of the emergency stop, away from any card."""
    reason = escape_to((freeze.reason or "").strip(), REASON_ROOM)
    stop = "" if reason.endswith((".", "!", "?", "…")) else "."
    return f"Frozen by {who(freeze.frozen_by)} since {at(freeze.frozen_at)}{f': {reason}' if reason else ''}{stop}"
