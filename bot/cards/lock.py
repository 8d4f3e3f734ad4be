"""The line on a locked phone, which is also what a screen reader says: where and what come first. Pure."""

from typing import assert_never

from approvals.records import Approval
from approvals.rules.words import Risk
from bot.cards.escape import escape
from bot.cards.sizes import cut_bytes
from bot.cards.stage import Stage, stage_of
from bot.cards.words import Callers, deciders, how_long, several, summary_of, who


def lock_line(approval: Approval, callers: Callers) -> str:
    """At most 3,800 bytes; the mentions in it are what rings the phones when it is first posted."""
    return cut_bytes(_line(approval, escape(summary_of(approval)), callers))


def _line(approval: Approval, summary: str, callers: Callers) -> str:  # noqa: C901 - one arm for each stage
    match stage_of(approval):
        case Stage.WAITING:
            risk = "HIGH RISK. " if approval.rule.risk is Risk.HIGH else ""
            called = deciders(approval, callers)
            time = how_long(approval.expires_at - approval.opened_at)
            ask = (
                f"{several(called)}, please decide within {time}." if called else "By the policy nobody may approve it."
            )
            return f"{summary}. {risk}{ask}"
        case Stage.APPROVED:
            return f"Approved: {summary}. By {who(approval.decided_by)}. It has not begun yet."
        case Stage.RUNNING | Stage.PAUSED as stage:
            return f"{stage}: {summary}. Approved by {who(approval.decided_by)}."
        case Stage.DONE:
            return f"Done: {summary}. Approved by {who(approval.decided_by)}."
        case Stage.FAILED:
            return f"Failed: {summary}. Approved by {who(approval.decided_by)}."
        case Stage.UNKNOWN:
            return f"Unknown: {summary}. It may or may not have happened. Look before you answer."
        case Stage.REJECTED | Stage.ANSWERED as stage:
            return f"{stage}: {summary}. By {who(approval.decided_by)}. It did not run."
        case Stage.EXPIRED:
            return f"Expired: {summary}. It did not run; nobody decided."
        case Stage.CANCELLED:
            return f"Cancelled: {summary}. It did not run."
        case Stage.SUPERSEDED:
            return f"Superseded: {summary}. It did not run."
        case other:
            assert_never(other)
