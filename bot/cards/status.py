"""The second thing on a card: how long, how many, who; or what was decided, by whom and when. Pure."""

from typing import Final, assert_never

from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import Risk
from bot.cards.around import Around
from bot.cards.blocks import Block, section
from bot.cards.changes import changes_in
from bot.cards.escape import escape_to
from bot.cards.hidden import hidden_in
from bot.cards.quoted import RESULT_ROOM, became, with_reason, with_words
from bot.cards.silence import all_of_it, frozen_line, so_far
from bot.cards.stage import Stage, stage_of, who_looked, who_ran_again
from bot.cards.words import (
    FEW,
    NAME,
    barred,
    clock,
    deciders,
    did_not_run,
    how_long,
    is_question,
    precisely,
    several,
    until,
    votes_of,
    who,
)

NOBODY: Final = "By the policy nobody may approve this."
NOT_OURS: Final = "What it then does is not behind Countersign's guard."
LAST_EDITS: Final = 2

REASON_ROOM: Final = 200


def status_blocks(approval: Approval, around: Around) -> list[Block]:
    """How it stands, and under that how the call was changed since the agent made it."""
    edits = range(len(approval.edits))[-LAST_EDITS:]
    lines = [
        f"Edited by {who(one.edited_by)} {clock(one.at, approval)}: {changes_in(approval, number)}"
        for number, one in ((number, approval.edits[number]) for number in edits)
    ]
    frozen = frozen_line(approval, around.frozen)
    more = f"Edited {len(approval.edits)} times; the last ones:\n" if len(approval.edits) > LAST_EDITS else ""
    stands = [*_standing(approval, around), *([section(frozen)] if frozen else [])]
    return [*stands, *([section(more + "\n".join(lines))] if lines else [])]


def _standing(approval: Approval, around: Around) -> list[Block]:  # noqa: C901 - one arm for each stage
    stage = stage_of(approval)
    match stage:
        case Stage.WAITING:
            return [section(_asked(approval, around) if is_question(approval) else _waiting(approval, around))]
        case Stage.APPROVED:
            return [section(f"{_approved(approval)}. {_then(approval)}")]
        case Stage.RUNNING:
            return [
                section(f"{_approved(approval)} → *Running* since {precisely(approval.effect_started_at, approval)}.")
            ]
        case Stage.PAUSED:
            begun = precisely(approval.effect_started_at, approval)
            return [section(f"{_approved(approval)} → begun {begun}; it *paused* itself and waits for an answer.")]
        case Stage.DONE | Stage.FAILED:
            return _ended(approval)
        case Stage.UNKNOWN:
            return [section(_unknown(approval, around))]
        case Stage.REJECTED:
            line = f"*Rejected* by {who(approval.decided_by)} {_when(approval)}"
            return with_words(approval, line, approval.reason, after=did_not_run(approval))
        case Stage.ANSWERED:
            return _answered(approval)
        case Stage.EXPIRED:
            return [section(_expired(approval, around))]
        case Stage.CANCELLED:
            line = f"*Cancelled* by {who(approval.settled_by)} {_when(approval)}"
            return with_reason(approval, line, approval.reason, after=did_not_run(approval))
        case Stage.SUPERSEDED:
            return _superseded(approval, around)
        case other:
            assert_never(other)


def _waiting(approval: Approval, around: Around) -> str:
    have, quorum = approvals_in(approval.votes), approval.rule.quorum
    limit = until(approval)
    if have:
        counted = f"{have} of {quorum} approvals ({votes_of(approval)}). Until {limit}."
    else:
        counted = f"{'1 approval' if quorum == 1 else f'{quorum} approvals'}, until {limit}."
    return "\n".join([f"{_risk(approval)}{counted}", _who(approval, around), *so_far(approval, around)])


def _asked(approval: Approval, around: Around) -> str:
    time = how_long(approval.expires_at - approval.opened_at)
    may = deciders(approval, around.callers)
    if may:
        asked = f"For {several(may, most=FEW)}, until {until(approval)} ({time})."
    else:
        asked = f"By the policy nobody may answer this. Until {until(approval)} ({time})."
    return "\n".join([asked, *so_far(approval, around)])


def _risk(approval: Approval) -> str:
    match approval.rule.risk:
        case Risk.HIGH:
            return "*HIGH RISK.* "
        case Risk.LOW:
            return "Low risk. "
        case None:
            return ""
        case _:
            assert_never(approval.rule.risk)


def _who(approval: Approval, around: Around) -> str:
    may, not_these = deciders(approval, around.callers), barred(approval)
    able = f"{several(may, most=FEW)} may decide." if may else NOBODY
    return f"{able} {_not(approval, not_these)}".strip()


def _not(approval: Approval, barred_ids: tuple[str, ...]) -> str:
    if not barred_ids:
        return ""
    did = "asked" if barred_ids == (approval.asked_by,) else "told the agent what to do"
    return f"Not {several(map(who, barred_ids), 'or', most=FEW)}, who {did}."


def _approved(approval: Approval) -> str:
    """By all whose votes carried it; of a later attempt those of the first are not in the row any more."""
    again = who_ran_again(approval)
    votes = "" if approval.attempt > 1 or stage_of(approval) is Stage.UNKNOWN else votes_of(approval)
    line = f"*Approved* by {votes or f'{who(approval.decided_by)} {_when(approval)}'}"
    by = several(map(who, again), most=FEW)
    return f"{line} → run again (attempt {approval.attempt}) by {by}" if again else line


def _then(approval: Approval) -> str:
    return "It has not begun yet." if approval.guarded else f"The agent is told. {NOT_OURS}"


def _when(approval: Approval) -> str:
    return clock(approval.decided_at, approval)


def _answered(approval: Approval) -> list[Block]:
    ran = "" if is_question(approval) or not approval.guarded else " instead of running it"
    line = f"*Answered* by {who(approval.decided_by)} {_when(approval)}{ran}"
    return with_words(approval, line, approval.response, room=RESULT_ROOM)


def _ended(approval: Approval) -> list[Block]:
    stage, looked, when = stage_of(approval), who_looked(approval), precisely(approval.effect_ended_at, approval)
    if looked is None:
        line = f"*{stage}* {when}"
    else:
        said = "It happened" if stage is Stage.DONE else "It did not happen"
        line = f'*{stage}*: "{said}" by {who(looked)} {clock(approval.effect_ended_at, approval)}, who looked'
    return with_words(approval, f"{_approved(approval)} → {line}", approval.result, room=RESULT_ROOM)


def _unknown(approval: Approval, around: Around) -> str:
    may = deciders(approval, around.callers)
    answerers = f"{several(may, most=FEW)} may answer. " if may else ""
    have = approvals_in(approval.votes)
    again = f"{have} of {approval.rule.quorum} to run it again ({votes_of(approval)}).\n" if have else ""
    # Rows from before this reason was kept have none.
    why = hidden_in(approval.reason or "the worker was gone before it reported", approval)
    return (
        f"*Unknown*: started {precisely(approval.effect_started_at, approval)}; {escape_to(why, REASON_ROOM)}. "
        "It may or may not have happened. Countersign will not run it again by itself.\n"
        f"{_approved(approval)}.\n{again}{answerers}No time limit; the run waits."
    )


def _expired(approval: Approval, around: Around) -> str:
    have, limit = approvals_in(approval.votes), clock(approval.expires_at, approval)
    did = "answered" if is_question(approval) else "decided"
    counted = f"{have} of {approval.rule.quorum} approvals by {limit}." if have else f"Nobody {did} by {limit}."
    lines = [
        f"{did_not_run(approval)} {counted}".strip(),
        NOBODY if not deciders(approval, around.callers) and not around.callers.unread else "",
        *all_of_it(approval, around),
    ]
    return "\n".join(line for line in lines if line)


def _superseded(approval: Approval, around: Around) -> list[Block]:
    by = f" by {escape_to(around.heir, NAME)}" if around.heir else ""
    line = f"*Superseded*{by} {_when(approval)}"
    may = "" if around.heir or is_question(approval) else " The agent may ask again."
    ran = f"{did_not_run(approval)}{may}".strip()
    if pair := became(approval):
        edited = " It was looked at before the call was edited." if approval.revision > 1 else ""
        return [section(f"{line}. Since it was asked, *{pair[0]}* became *{pair[1]}*.{edited}\n{ran}")]
    return with_reason(approval, line, approval.reason, after=ran)
