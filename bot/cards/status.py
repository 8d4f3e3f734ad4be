"""The second thing on a card: how long, how many, who; or what was decided, by whom and when. Pure."""

from typing import assert_never

from approvals.records import Approval, ApprovalId
from approvals.rules.words import Risk
from bot.cards.blocks import Block, preformatted, section
from bot.cards.escape import escape, visible
from bot.cards.sizes import cut
from bot.cards.stage import Stage, stage_of, who_looked, who_ran_again
from bot.cards.words import Callers, at, barred, deciders, precisely, requesters_of, several, until, who

RESULT_ROOM = 1_200
REASON_ROOM = 600
NOBODY = "By the policy nobody may approve this."


def status_blocks(  # noqa: C901 - one arm for each stage
    approval: Approval, callers: Callers, heir: ApprovalId | None
) -> list[Block]:
    """`heir`: the newer approval that stands in for a superseded one."""
    match stage_of(approval):
        case Stage.WAITING:
            need = f"{_risk(approval)}. {_needed(approval)}, until {until(approval)}."
            return [section(f"{need}\n{_who(approval, callers)}")]
        case Stage.APPROVED:
            return [section(f"{_approved(approval)}\nIt has not begun yet.")]
        case Stage.RUNNING:
            return [section(f"{_approved(approval)}\n*Running* since {precisely(approval.effect_started_at)}.")]
        case Stage.PAUSED:
            begun = precisely(approval.effect_started_at)
            return [section(f"{_approved(approval)}\nBegun {begun}; it paused itself and waits for an answer.")]
        case Stage.DONE | Stage.FAILED:
            return _ended(approval)
        case Stage.UNKNOWN:
            return [section(_unknown(approval, callers))]
        case Stage.REJECTED | Stage.ANSWERED as stage:
            line = f"*{stage}* by {who(approval.decided_by)} {at(approval.decided_at)}. It did not run."
            return [section(line), *_quoted(approval.reason, "Reason:", REASON_ROOM)]
        case Stage.EXPIRED:
            return [section(_expired(approval, callers))]
        case Stage.CANCELLED:
            line = f"*Cancelled* by {who(approval.settled_by)}. It did not run."
            return [section(line), *_quoted(approval.reason, "Why:", REASON_ROOM)]
        case Stage.SUPERSEDED:
            return [section(_superseded(approval, heir)), *_quoted(approval.reason, "Why:", REASON_ROOM)]
        case other:
            assert_never(other)


def _risk(approval: Approval) -> str:
    return "*HIGH RISK*" if approval.rule.risk is Risk.HIGH else "Low risk"


def _needed(approval: Approval) -> str:
    quorum = approval.rule.quorum
    return "1 approval" if quorum == 1 else f"{quorum} approvals"


def _who(approval: Approval, callers: Callers) -> str:
    may, not_these = deciders(approval, callers), barred(approval)
    if not may:
        return f"{NOBODY} {_not(not_these)}".strip()
    return f"{several(may)} may decide. {_not(not_these)}".strip()


def _not(barred_ids: tuple[str, ...]) -> str:
    if not barred_ids:
        return ""
    told = "they" if len(barred_ids) > 1 else "who"
    names = several(map(who, barred_ids), "or")
    return f"Not {names}{', ' if told == 'who' else ': '}{told} told the agent what to do."


def _approved(approval: Approval) -> str:
    line = f"*Approved* by {who(approval.decided_by)} {at(approval.decided_at)}."
    again = who_ran_again(approval)
    return f"{line} Run again (attempt {approval.attempt}) by {several(map(who, again))}." if again else line


def _ended(approval: Approval) -> list[Block]:
    stage, looked, when = stage_of(approval), who_looked(approval), precisely(approval.effect_ended_at)
    if looked is None:
        line = f"*{stage}* {when}."
    elif stage is Stage.DONE:
        line = f"*Done*: it happened, says {who(looked)} {when}, who looked."
    else:
        line = f"*Failed*: it did not happen, says {who(looked)} {when}, who looked."
    title = "Note:" if looked else "Result:"
    return [section(f"{_approved(approval)}\n{line}"), *_quoted(approval.result, title, RESULT_ROOM)]


def _unknown(approval: Approval, callers: Callers) -> str:
    may = deciders(approval, callers)
    return (
        f"*Unknown*: started {precisely(approval.effect_started_at)}, and whoever ran it was gone before it reported. "
        "It may or may not have happened. Countersign will not run it again by itself.\n"
        f"{_approved(approval)}\n"
        f"{f'{several(may)} may answer. ' if may else ''}Look first. There is no time limit; the run waits."
    )


def _expired(approval: Approval, callers: Callers) -> str:
    called = deciders(approval, callers)
    asked = f"Asked: {several(called)}, {at(approval.opened_at)}. " if called else f"{NOBODY} "
    return (
        f"*Expired*: nobody decided by {at(approval.expires_at)}. It did not run.\n"
        f"{'' if callers.unread else asked}The agent is told so."
    )


def _superseded(approval: Approval, heir: ApprovalId | None) -> str:
    by = f" by {escape(heir)}" if heir else ""
    return f"*Superseded*{by} {at(approval.decided_at)}. It did not run. Asked by {requesters_of(approval)}."


def _quoted(text: str | None, title: str, room: int) -> list[Block]:
    return [preformatted(cut(visible(text), room), title)] if text else []
