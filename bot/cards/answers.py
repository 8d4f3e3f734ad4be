"""What the one who pressed is told: what happened, or why not, in words to act on. Pure."""

from typing import assert_never

from approvals.ledger.decide import Because, Counted, Decided, Outcome, Refused
from approvals.records import Approval
from approvals.rules.may_decide import Why
from approvals.rules.words import Say
from bot.cards.escape import escape_to
from bot.cards.hidden import hidden_in
from bot.cards.stage import Stage, stage_of, who_looked
from bot.cards.words import (
    FEW,
    Callers,
    clock,
    deciders,
    is_question,
    said_summary,
    several,
    stopped,
    until,
    who,
)

WORDS_ROOM = 120

NOT_IN_TIME = (
    "Not recorded, as far as I know: my database or Slack did not answer in time. "
    "Please look at the card and press again if it has not changed."
)
TRY_AGAIN = "Not recorded: my database does not answer. Please press again in a moment."
PRESS_AGAIN = "The form could not be opened: Slack allows it only for three seconds. Please press again."
NOT_OURS = "Not recorded: I do not know this button. It may belong to another version of me. Nothing was changed."


# Two deployments on one Slack app: in Socket Mode Slack gives a click to either, so pressing again may reach the other.
NO_SUCH_REQUEST = (
    "I have no such request on record. Nothing was changed. Its card may belong to another deployment on this Slack "
    "app; then press it again."
)
RUNS_NOW = "It runs now; the card tells what comes of it."
RUNS_IF_THE_SAME = "It runs now if nothing has changed since it was asked; the card tells what comes of it."
FROZEN_NOW = "Everything is frozen: it runs as soon as that is lifted; the card tells what comes of it."


def answer(outcome: Outcome, say: Say, user_id: str, callers: Callers, *, frozen: bool = False) -> str:
    """The sentence for every outcome. `callers` are those who may decide, so that it can name them; `frozen`: the
    emergency stop is in force, so that nothing that was decided runs yet."""
    match outcome:
        case Decided(approval):
            return _decided(approval, say, FROZEN_NOW if frozen else RUNS_NOW)
        case Counted(approval, have, need):
            return f"{_counted(approval, say, have, need)} {_told(approval, callers)}".strip()
        case Refused(because, approval, why):
            return f"Not recorded: {_because(because, approval, why, say, user_id, callers)}"
        case _:
            assert_never(outcome)


def _decided(approval: Approval, say: Say, runs: str) -> str:
    summary = said_summary(approval)
    match say:
        case Say.APPROVE:
            return f"Your approval is recorded: {stopped(summary)} {_runs(approval, runs)}"
        case Say.EDIT:
            return f"Recorded as you changed it: {stopped(summary)} {_runs(approval, runs)}"
        case Say.RESPOND:
            words = escape_to(hidden_in(approval.response or "", approval), WORDS_ROOM)
            said = f': "{words}"' if words else ""
            return f"Your answer is recorded{said}. The agent is given it.{' It approves nothing.' * approval.guarded}"
        case Say.REJECT:
            not_run = "It will not run, and the agent" if approval.guarded else "The agent"
            return f"Your rejection is recorded: {stopped(summary)} {not_run} is told so."
        case Say.IT_HAPPENED:
            return f"Recorded: {summary}: it happened. The agent goes on with that as the result."
        case Say.IT_DID_NOT_HAPPEN:
            return f"Recorded: {summary}: it did not happen. The agent is told so."
        case Say.RUN_AGAIN:
            return f"Recorded: {stopped(summary)} It runs again, as attempt {approval.attempt}. {runs}"
        case _:
            assert_never(say)


def _runs(approval: Approval, runs: str) -> str:
    if approval.guarded:
        # What it is about is looked at once more before it begins.
        return RUNS_IF_THE_SAME if runs == RUNS_NOW and approval.fingerprint is not None else runs
    return "The agent is told; what it then does is not behind Countersign's guard."


def _because(
    because: Because, approval: Approval | None, why: Why | None, say: Say, user_id: str, callers: Callers
) -> str:
    match because:
        case Because.NO_SUCH_APPROVAL:
            return NO_SUCH_REQUEST
        case Because.OLDER_CARD:
            return _older(approval)
        case Because.CLOSED:
            return how_it_stands(approval, user_id) if approval else "it is closed."
        case Because.NOT_OFFERED:
            return "the policy does not offer that for this call."
        case Because.NOT_SHOWN_WHOLE:
            number = approval.id if approval else "ID"
            return (
                "the call is too long to be shown whole here, and nobody approves what they have not seen. Read it "
                f"with `countersign approvals show {number}`, and decide it there."
            )
        case Because.OTHER_RULE:
            return (
                "with these values another rule of the policy applies, so it is another request. Reject this one with "
                "a reason that says what you want instead: the agent then asks for that."
            )
        case Because.NO_WORDS:
            return "an answer needs words. Write what the agent shall be told."
        case Because.NOT_THE_FORM:
            return "this question takes an answer with fields of its own. Press Respond on its card, and fill them in."
        case Because.NOT_ALLOWED:
            return because_why(why, approval, callers, user_id)
        case _:
            assert_never(because)


def _counted(approval: Approval, say: Say, have: int, need: int) -> str:
    if say is Say.EDIT and approval.edits:
        return f"Recorded as you changed it, and as your approval of that ({have} of {need})."
    again = " to run it again" if say is Say.RUN_AGAIN else ""
    return f"Your approval{again} is recorded ({have} of {need})."


def _told(approval: Approval, callers: Callers) -> str:
    """Who was called by the post under the card, and until when they can say so."""
    voted = {who(vote.user_id) for vote in approval.votes}
    able = [token for token in deciders(approval, callers) if token not in voted]
    told = f"{several(able, most=FEW)} {'was' if len(able) == 1 else 'were'} told. " if able else ""
    limit = f"Until {until(approval)}." if stage_of(approval) is Stage.WAITING else ""
    return f"{told}{limit}".strip()


def _older(approval: Approval | None) -> str:
    """Another revision: somebody edited it. Another attempt: it was run again."""
    if approval is None or not approval.edits:
        return "this card is out of date, the call has moved on since. Look at the card again, then press."
    return f"it was edited by {who(approval.edits[-1].edited_by)}. Look at the card again, then press."


def how_it_stands(approval: Approval, user_id: str) -> str:
    """Who was first, and when."""
    first = "you" if approval.decided_by == user_id else who(approval.decided_by)
    when = clock(approval.decided_at, approval)
    match stage_of(approval):
        case Stage.WAITING:
            return (
                f"it has not been decided yet; it waits for {'an answer' if is_question(approval) else 'a decision'}."
            )
        case Stage.APPROVED | Stage.RUNNING | Stage.PAUSED:
            return f"{first} approved it already, {when}."
        case Stage.DONE | Stage.FAILED as stage:
            looked = who_looked(approval)
            by = (
                f"; {who(looked)} answered what came of it {clock(approval.effect_ended_at, approval)}"
                if looked
                else ""
            )
            return f"{first} approved it already, {when}, and it is {stage.lower()}{by}."
        case Stage.UNKNOWN:
            return "it was approved and begun. What is asked now is whether it happened; use the buttons on the card."
        case Stage.REJECTED | Stage.ANSWERED as stage:
            ran = "" if is_question(approval) else " It did not run."
            return f"{first} {stage.lower()} it already, {when}.{ran}"
        case Stage.EXPIRED:
            return f"nobody decided by {clock(approval.expires_at, approval)}, so it expired. It did not run."
        case Stage.CANCELLED:
            return f"it was cancelled {when}. It did not run."
        case Stage.SUPERSEDED:
            return "it was superseded, because the rule or the tool changed. It did not run; look for a newer card."
        case other:
            assert_never(other)


def because_why(why: Why | None, approval: Approval | None, callers: Callers, user_id: str) -> str:  # noqa: C901 - one arm each
    others = _others(approval, callers, user_id)
    match why:
        case Why.IS_REQUESTER:
            return f"you told this agent to do it, so somebody else must approve. {others}".strip()
        case Why.NOT_AN_APPROVER:
            return f"the policy does not let you decide this. {others}".strip()
        case Why.NOBODY_MAY:
            return "the policy names nobody who may decide this. Whoever keeps countersign.yml must name somebody."
        case Why.GROUP_UNKNOWN:
            return "I could not find out who may decide: Slack or a look-up did not answer. Please press again soon."
        case Why.NO_SUCH_GROUP:
            return (
                "the policy names a user group that this workspace does not have, so I cannot tell who may decide. "
                "Whoever keeps countersign.yml must put that right."
            )
        case Why.WHO_UNKNOWN:
            return "I could not read from Slack who you are. Please press again in a moment."
        case Why.BOT:
            return "only people decide, and Slack says that you are a bot."
        case Why.GUEST:
            return f"guests of this workspace do not decide. {others}".strip()
        case Why.DEACTIVATED:
            return f"your account in this workspace is deactivated. {others}".strip()
        case Why.OUTSIDER:
            return f"only members of this workspace decide, and you belong to another one. {others}".strip()
        case None:
            return "you may not decide this."
        case _:
            assert_never(why)


def _others(approval: Approval | None, callers: Callers, user_id: str) -> str:
    """Who can, and until when; empty if nobody else can."""
    if approval is None or callers.unread:
        return ""
    done = {who(user_id), *(who(vote.user_id) for vote in approval.votes)}
    able = [token for token in deciders(approval, callers) if token not in done]
    limit = f", until {until(approval)}" if stage_of(approval) is Stage.WAITING else ""
    return f"{several(able, most=FEW)} can{limit}." if able else "Nobody else can."
