"""New posts under a card: they call those who may still decide, because an edited card rings nobody. Pure."""

from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import DecisionType, Status
from bot.cards.changes import changes_in
from bot.cards.words import Callers, deciders, said_summary, several, until, who


def calling(kind: str, approval: Approval, callers: Callers) -> str | None:
    """What a `vote` or an `edit` says, or None if there is nobody to call any more."""
    have, need = approvals_in(approval.votes), approval.rule.quorum
    if not 0 < have < need or (kind == "edit" and approval.status is not Status.PENDING):
        return None
    said = _edited(approval) if kind == "edit" and approval.edits else _voted(approval)
    return f"{said} {_still_needed(approval, callers)}"


def _voters(approval: Approval) -> tuple[str, ...]:
    return tuple(vote.user_id for vote in approval.votes if vote.decision == DecisionType.APPROVE)


def _counted(approval: Approval) -> str:
    return f"{approvals_in(approval.votes)} of {approval.rule.quorum}"


def _voted(approval: Approval) -> str:
    voted = several(map(who, _voters(approval)), most=10)
    verb = "approved" if approval.status is Status.PENDING else "approved to run again"
    return f"{voted} {verb}: {said_summary(approval)}. {_counted(approval)} approvals."


def _edited(approval: Approval) -> str:
    """The older votes are gone from the row; that they count no more is what everybody must know."""
    editor = who(approval.edits[-1].edited_by)
    voted = several(map(who, _voters(approval)), most=10)
    void = "Approvals of the old call no longer count"
    return f"{editor} changed {changes_in(approval)}. {void}: {_counted(approval)} ({voted})."


def _still_needed(approval: Approval, callers: Callers) -> str:
    missing = approval.rule.quorum - approvals_in(approval.votes)
    voted = set(map(who, _voters(approval)))
    able = [token for token in deciders(approval, callers) if token not in voted]
    limit = f", until {until(approval)}" if approval.status is Status.PENDING else ""
    needed = f"{missing} more {'is' if missing == 1 else 'are'} needed{limit}."
    return f"{several(able)}: {needed}" if able else f"{needed[0].upper()}{needed[1:]}"
