"""New posts under a card: they call those who may still decide, because an edited card rings nobody. Pure."""

from typing import Final

from approvals.ledger.due import Nudge
from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import DecisionType
from bot.cards.changes import changes_in
from bot.cards.escape import escape_to
from bot.cards.lock import lead
from bot.cards.stage import Stage, stage_of
from bot.cards.words import NAME, Callers, deciders, is_question, said_summary, several, stopped, until, who

SILENCE: Final = tuple(Nudge)


def calling(kind: str, approval: Approval, callers: Callers) -> str | None:
    """What it says, or None if there is nothing to call anybody for any more."""
    if kind in SILENCE:
        return _silence(kind, approval, callers)
    have, need = approvals_in(approval.votes), approval.rule.quorum
    asked = (Stage.WAITING,) if kind == "edit" else (Stage.WAITING, Stage.UNKNOWN)
    if not 0 < have < need or stage_of(approval) not in asked:
        return None
    said = _edited(approval) if kind == "edit" and approval.edits else _voted(approval)
    return f"{said} {_still_needed(approval, callers)}"


def _silence(kind: str, approval: Approval, callers: Callers) -> str | None:
    if stage_of(approval) is not (Stage.UNKNOWN if kind == Nudge.UNKNOWN else Stage.WAITING):
        return None
    able = several(_able(approval, callers)) or "By the policy nobody"
    if kind == Nudge.UNKNOWN:
        return f"{lead(approval)} may or may not have happened. Somebody must look and say: {able}. The run waits."
    have = f" {_counted(approval)} approvals so far." if approval.votes else ""
    verb = "answered" if is_question(approval) else "decided"
    if kind == Nudge.REMIND:
        line = f"Still waiting: {stopped(lead(approval))}{have}"
        return f"{line} {able}: it expires at {until(approval)} if it is not {verb}."
    names = several([escape_to(one.name, NAME) for one in approval.escalated]) if approval.escalated else ""
    too = f"{names} may decide too from now on. " if names else ""
    return f"Escalated: {stopped(lead(approval))} It has not been {verb}.{have} {too}{able}: until {until(approval)}."


def _able(approval: Approval, callers: Callers) -> list[str]:
    """Those who may still say yes."""
    voted = set(map(who, _voters(approval)))
    return [token for token in deciders(approval, callers) if token not in voted]


def _voters(approval: Approval) -> tuple[str, ...]:
    return tuple(vote.user_id for vote in approval.votes if vote.decision == DecisionType.APPROVE)


def _counted(approval: Approval) -> str:
    return f"{approvals_in(approval.votes)} of {approval.rule.quorum}"


def _voted(approval: Approval) -> str:
    voted = several(map(who, _voters(approval)), most=10)
    verb = "approved to run again" if stage_of(approval) is Stage.UNKNOWN else "approved"
    return f"{voted} {verb}: {stopped(said_summary(approval))} {_counted(approval)} approvals."


def _edited(approval: Approval) -> str:
    """The older votes are gone from the row; that they count no more is what everybody must know."""
    editor = who(approval.edits[-1].edited_by)
    voted = several(map(who, _voters(approval)), most=10)
    void = "Approvals of the old call no longer count"
    return f"{editor} changed {changes_in(approval)}. {void}: {_counted(approval)} ({voted})."


def _still_needed(approval: Approval, callers: Callers) -> str:
    missing = approval.rule.quorum - approvals_in(approval.votes)
    able = _able(approval, callers)
    limit = f", until {until(approval)}" if stage_of(approval) is Stage.WAITING else ""
    needed = f"{missing} more {'is' if missing == 1 else 'are'} needed{limit}."
    return f"{several(able)}: {needed}" if able else f"{needed[0].upper()}{needed[1:]}"
