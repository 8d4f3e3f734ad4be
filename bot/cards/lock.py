"""The line on a locked phone, which is also what a screen reader says: where and what come first. Pure."""

from typing import Final, assert_never

from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import Risk
from bot.cards.argument_block import question_in
from bot.cards.around import Around
from bot.cards.escape import escape_to
from bot.cards.sizes import cut_bytes
from bot.cards.stage import Stage, stage_of
from bot.cards.words import (
    NAME,
    clock,
    deciders,
    did_not_run,
    how_long,
    is_question,
    said_summary,
    several,
    stopped,
    until,
    where_and_what,
    who,
)

# Of the 40 characters that a phone surely shows, the place may take so many that the deed is still among them.
PLACE_ROOM: Final = 16
DEED_ROOM: Final = 200
QUESTION_ROOM: Final = 300
NOBODY: Final = "By the policy nobody may approve it."


def lock_line(approval: Approval, around: Around) -> str:
    """At most 3,800 bytes; the mentions at its end are what rings the phones when it is first posted."""
    return cut_bytes(_line(approval, around))


def question_line(approval: Approval, around: Around) -> str:
    """A question is somebody's to answer, so it says whose."""
    asked = question_in(approval)
    words = escape_to(asked.text if asked else said_summary(approval), QUESTION_ROOM)
    time = how_long(approval.expires_at - approval.opened_at)
    line = f'Question from agent {escape_to(approval.agent, NAME)} for you: "{words}" {time} left.'
    return cut_bytes(f"{line} {_called(approval, around)}".strip())


def lead(approval: Approval) -> str:
    """`PROD high risk: Restart checkout`, from the policy and the arguments and from nothing else."""
    where, what = where_and_what(approval)
    deed = escape_to(what, DEED_ROOM)
    if approval.rule.risk is not Risk.HIGH:
        return f"{escape_to(where, PLACE_ROOM)}: {deed}" if where else deed
    # A placeholder that no argument fills stays as the policy spells it.
    loud = where if where.startswith("{") else where.upper()
    return f"{escape_to(loud, PLACE_ROOM)} high risk: {deed}" if where else f"High risk: {deed}"


def _line(approval: Approval, around: Around) -> str:
    stage = stage_of(approval)
    question = f"question of agent {escape_to(approval.agent, NAME)}"
    summary = question if is_question(approval) else said_summary(approval)
    match stage:
        case Stage.WAITING:
            return _waiting(approval, around)
        case Stage.APPROVED:
            begun = " It has not begun yet." if approval.guarded else ""
            return f"Approved: {stopped(summary)} By {who(approval.decided_by)}.{begun}"
        case Stage.RUNNING | Stage.PAUSED | Stage.DONE | Stage.FAILED:
            return f"{stage}: {stopped(summary)} Approved by {who(approval.decided_by)}."
        case Stage.UNKNOWN:
            return f"{lead(approval)} may or may not have happened. Look before you answer. {_called(approval, around)}"
        case Stage.REJECTED | Stage.ANSWERED:
            return f"{stage}: {stopped(summary)} By {who(approval.decided_by)}. {did_not_run(approval)}".strip()
        case Stage.EXPIRED:
            ran = ", did not run" if approval.guarded else ""
            return f"Expired{ran}: {stopped(summary)} {_in_time(approval)} by {clock(approval.expires_at, approval)}."
        case Stage.CANCELLED | Stage.SUPERSEDED:
            return f"{stage}: {stopped(summary)} {did_not_run(approval)}".strip()
        case other:
            assert_never(other)


def _waiting(approval: Approval, around: Around) -> str:
    name = around.names.get(approval.asked_by or "")
    asker = escape_to(name, NAME) if name else f"Agent {escape_to(approval.agent, NAME)}"
    return f"{stopped(lead(approval))} {asker} asks. {_needed(approval)} {_called(approval, around) or NOBODY}"


def _needed(approval: Approval) -> str:
    """How long is left is true when it is posted; a card with votes was posted before, so it says until when."""
    have, need = approvals_in(approval.votes), approval.rule.quorum
    if have:
        return f"Needs {need - have} more yes, until {until(approval)}."
    approvals = "1 approval" if need == 1 else f"{need} approvals"
    return f"{how_long(approval.expires_at - approval.opened_at)} left, {approvals}."


def _in_time(approval: Approval) -> str:
    have = approvals_in(approval.votes)
    return f"{have} of {approval.rule.quorum} approvals" if have else "Nobody decided"


def _called(approval: Approval, around: Around) -> str:
    called = deciders(approval, around.callers)
    return several(called) if called else ""
