"""The lines of a report: one call, one time, one suggestion. Pure; whatever is not ours is escaped here."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, assert_never

from approvals.records import Approval
from approvals.rules.report import Times
from approvals.rules.report_advice import (
    NIGHT_BEGINS,
    NIGHT_ENDS,
    AlwaysApproved,
    ApprovedUnread,
    Expires,
    ExpiresAtNight,
    MostlyRejected,
    Suggestion,
)
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import Risk
from bot.cards.escape import escape
from bot.cards.sizes import cut_line
from bot.cards.words import at, several, summary_of, who

# Untrusted texts in one line; a report has some thirty of them and Slack takes 10,000 characters in all.
SUMMARY: Final = 80
TOOL: Final = 40
MOST_ASKED: Final = 3
NIGHT: Final = f"{NIGHT_BEGINS:%H}-{NIGHT_ENDS:%H} h"


def expired_line(approval: Approval, reminders: int) -> str:
    waited = how_long_about(approval.expires_at - approval.opened_at)
    reminded = "no reminder" if not reminders else "1 reminder" if reminders == 1 else f"{reminders} reminders"
    return f"{_what(approval)}\n{_from_to(approval)}. Waited {waited}, {reminded}."


def expiring_line(approval: Approval) -> str:
    return f"{_what(approval)}\n{_from_to(approval)}. Until {at(approval.expires_at)}."


def unknown_line(approval: Approval) -> str:
    return f"{_what(approval)}\nStarted {at(approval.effect_started_at)}."


def times_line(times: Times) -> str:
    """`restart_service: 2 min, 14 min (12)`"""
    name = escape(cut_line(times.name, TOOL))
    return f"• {name}: {how_long_about(times.p50)}, {how_long_about(times.p95)} ({times.count})"


def suggestion_line(suggestion: Suggestion) -> str:
    match suggestion:
        case ExpiresAtNight(tool, expired, asked, by_day, asked_by_day):
            day = f"{by_day} of {asked_by_day} by day" if asked_by_day else "nobody asked by day"
            return (
                f"• *{_tool(tool)}* expired {expired} of {asked} times at night ({NIGHT}), {day}. "
                "Escalate to people who are awake then."
            )
        case Expires(tool, expired, asked):
            return (
                f"• *{_tool(tool)}* expired {expired} of {asked} times. "
                "Give it a longer timeout, more approvers, or an escalation."
            )
        case AlwaysApproved(tool, approved):
            return (
                f"• *{_tool(tool)}* was approved {approved} of {approved} times, never edited. "
                "Consider `gate: never`, or `record`."
            )
        case MostlyRejected(tool, rejected, decided):
            return (
                f"• *{_tool(tool)}* was rejected {rejected} of {decided} times. "
                "Tell the agent when not to call it, or take the tool away."
            )
        case ApprovedUnread(quick, approved):
            return (
                f"• {quick} of {approved} approvals took under 3 s. "
                "Ask less often for what is harmless, so that the rest is read."
            )
        case other:
            assert_never(other)


def how_long_about(duration: timedelta) -> str:
    """`40 s`, `12 min`, `3 h 20 min`, `2 d 4 h`: two units at most, rounded down."""
    seconds = int(duration.total_seconds())
    for size, name, smaller, below in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min")):
        if seconds >= size:
            rest = seconds % size // smaller
            return f"{seconds // size} {name} {rest} {below}" if rest else f"{seconds // size} {name}"
    return f"{seconds // 60} min" if seconds >= 60 else f"{seconds} s"


def percent(share: float) -> str:
    """Rounded, but what is not nothing is not 0 %, and what is not everything is not 100 %."""
    rounded = round(share * 100)
    if share > 0 and rounded == 0:
        return "under 1 %"
    return "over 99 %" if share < 1 and rounded == 100 else f"{rounded} %"


def asked(approval: Approval) -> str:
    """Who was asked: names, because a report rings nobody."""
    names = list(_asked(approval.approvers))
    more = [f"{len(names) - MOST_ASKED} more"] if len(names) > MOST_ASKED else []
    return several([*names[:MOST_ASKED], *more]) if names else "nobody"


def plain_summary(approval: Approval) -> str:
    """What the call does, without what the policy hides, wherever in it that stands."""
    return cut_line(summary_of(approval), SUMMARY)


def _asked(approvers: Iterable[Approvers]) -> Iterable[str]:
    for one in approvers:
        if one.name == REQUESTER:
            yield "whoever asked"
        else:
            yield escape(cut_line(one.name, TOOL))


def _what(approval: Approval) -> str:
    risk = "HIGH RISK " if approval.rule.risk is Risk.HIGH else ""
    return f"• {risk}*{_tool(approval.tool)}* {escape(approval.id)}\n{escape(plain_summary(approval))}"


def _from_to(approval: Approval) -> str:
    requester = who(approval.requesters[0]) if approval.requesters else "nobody"
    others = f" and {len(approval.requesters) - 1} more" if len(approval.requesters) > 1 else ""
    return f"Asked by {requester}{others}, went to {asked(approval)}"


def _tool(name: str) -> str:
    return escape(cut_line(name, TOOL)).replace("*", "\u2217")
