"""New posts under a card: they call those who may still decide, because an edited card rings nobody. Pure."""

from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import Status
from bot.cards.changes import changes_in
from bot.cards.escape import escape
from bot.cards.words import Callers, deciders, several, summary_of, until, who


def calling(kind: str, approval: Approval, callers: Callers) -> str | None:
    """What a `vote` or an `edit` says, or None if there is nobody to call any more."""
    if approval.status is not Status.PENDING and kind == "edit":
        return None
    have, need = approvals_in(approval.votes), approval.rule.quorum
    if not 0 < have < need:
        return None
    voters = tuple(vote.user_id for vote in approval.votes)
    voted = several(map(who, voters))
    others = [token for token in deciders(approval, callers) if token not in map(who, voters)]
    call = f"{several(others)}: {need - have} more needed" if others else f"{need - have} more needed"
    limit = f", until {until(approval)}." if approval.status is Status.PENDING else "."
    if kind == "edit" and approval.edits:
        change = approval.edits[-1]
        void = "Earlier approvals were for the old call and no longer count: "
        return (
            f"{who(change.edited_by)} changed {changes_in(approval)}. {void}{have} of {need} ({voted}). {call}{limit}"
        )
    return f"{voted} approved {escape(summary_of(approval))}: {have} of {need}. {call}{limit}"
