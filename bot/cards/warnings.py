"""What a reader must know before they press: what was cut, what is odd, what was said before. Pure."""

from approvals.ledger.find import EarlierNo
from approvals.records import Approval
from bot.cards.argument_block import ShownArguments
from bot.cards.around import Around
from bot.cards.blocks import Block, section
from bot.cards.escape import escape_to
from bot.cards.hidden import hidden_in
from bot.cards.silence import failed_pages
from bot.cards.stage import Stage, stage_of
from bot.cards.words import NAME, clock, is_question, who

ASKS_SOMETHING = (Stage.WAITING, Stage.UNKNOWN)
MOST_GROUPS = 5
NOT_BEHIND_THE_GUARD = (
    "The agent asks this by itself. Countersign records the decision; what the agent then does is not behind its guard."
)
REASON_ROOM = 200


def warnings(approval: Approval, shown: ShownArguments, around: Around) -> list[Block]:
    """One block, or none."""
    lines = [*_about_the_call(approval, around), *_about_the_text(approval, shown, around)]
    if stage_of(approval) in ASKS_SOMETHING:
        lines += [
            f"Slack knows no user group {escape_to(one, NAME)}: nobody in it was called."
            for one in around.callers.unknown_groups[:MOST_GROUPS]
        ]
        lines += [
            f"The look-up {escape_to(one, NAME)} did not answer: nobody in it was called."
            for one in around.callers.unanswered[:MOST_GROUPS]
        ]
    lines += failed_pages(approval, around)
    return [section("\n".join(f":warning: {line}" for line in lines))] if lines else []


def by_command_line(approval: Approval) -> str:
    """The way that is always there."""
    commands = f"`countersign approvals show {approval.id}` and `countersign approvals decide {approval.id}`"
    return f"It can be read and decided on the command line: {commands}."


def _about_the_call(approval: Approval, around: Around) -> list[str]:
    lines = []
    if not approval.guarded and not is_question(approval) and stage_of(approval) is Stage.WAITING:
        lines.append(NOT_BEHIND_THE_GUARD)
    if around.earlier_no:
        lines.append(_rejected_before(approval, around.earlier_no))
    if approval.replaces:
        lines.append(f"It replaces {escape_to(approval.replaces, NAME)}, which did not run. It starts from 0 votes.")
    return lines


def _rejected_before(approval: Approval, earlier: EarlierNo) -> str:
    line = f"Same call was rejected at {clock(earlier.at, approval)} by {who(earlier.by)}"
    reason = hidden_in((earlier.reason or "").strip(), approval)
    return f'{line}: "{escape_to(reason, REASON_ROOM)}"' if reason else f"{line}."


def _about_the_text(approval: Approval, shown: ShownArguments, around: Around) -> list[str]:
    lines = []
    if not shown.whole and stage_of(approval) in ASKS_SOMETHING:
        lines.append(_too_long(approval, around))
    if shown.hidden:
        lines.append(f"{shown.hidden} invisible or unusual characters are spelled out, as in \\u{{200B}}.")
    if shown.several_lines:
        lines.append("Some values have several lines; ⏎ marks where one ends.")
    if shown.gaps:
        lines.append("Some values have wide gaps; each · is a blank.")
    return lines


def _too_long(approval: Approval, around: Around) -> str:
    if not around.viewable or stage_of(approval) is Stage.UNKNOWN:
        return f"The whole call is too long to show here. {by_command_line(approval)}"
    if is_question(approval):
        return "The question is cut. Show all opens the whole of it."
    return "The call is cut. Approve opens the whole of it first."
