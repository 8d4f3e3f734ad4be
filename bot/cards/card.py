"""Approval -> the Slack message that shows it. Pure: no client, no store, no clock.

The order never changes: what and where | how long, how many, who | every argument | as it is now | warnings |
what the agent says | buttons | where it came from.
"""

from dataclasses import dataclass
from typing import assert_never

from approvals.records import Approval
from approvals.rules.places import CardKind
from approvals.rules.words import DecisionType
from bot.cards.argument_block import ShownArguments, arguments_of, question_in
from bot.cards.around import Around
from bot.cards.blocks import Block, actions, context, header, mrkdwn, plain, plain_section, preformatted, section
from bot.cards.buttons import Reach, buttons
from bot.cards.escape import visible
from bot.cards.hidden import hidden_in
from bot.cards.lock import lock_line, question_line
from bot.cards.quoted import CLAIM_ROOM, WORLD_ROOM, all_words_shown
from bot.cards.silence import FROM_NOTHING, asked_again
from bot.cards.sizes import cut, cut_line
from bot.cards.stage import Stage, stage_of
from bot.cards.status import status_blocks
from bot.cards.warnings import by_command_line, warnings
from bot.cards.words import (
    asker_of,
    check_of,
    decided_where,
    filled,
    is_question,
    requesters_of,
    said_summary,
    summary_of,
    who,
)

ASKS_SOMETHING = (Stage.WAITING, Stage.UNKNOWN)
# From the question to the end: whoever sees that it failed needs the way back more than whoever approved it.
MAY_GO_WRONG = (
    *(Stage.WAITING, Stage.APPROVED, Stage.RUNNING, Stage.PAUSED),
    *(Stage.DONE, Stage.FAILED, Stage.UNKNOWN),
)
ONLY_AN_ANSWER = "Your reply is only an answer. It approves nothing."
THE_AGENT_DECIDES = "The agent asked in a way of its own: your reply may let it go on. Countersign records it."

AS_IT_IS = "As it is now:"
AS_IT_WAS = "As it was when this was asked:"
TOLD = "The agent was told: nobody answered."


@dataclass(frozen=True, slots=True)
class CardMessage:
    """`text` is the line on a locked phone; `blocks` are what the channel shows."""

    text: str
    blocks: tuple[Block, ...]


def render(approval: Approval, around: Around, kind: CardKind = CardKind.CARD) -> CardMessage:
    """The whole card, within Slack's limits whatever the call holds. A mirror has no buttons, and says where
    the card is."""
    shown = _call(approval)
    reach = Reach(
        whole=shown.whole,
        all_said=all_words_shown(approval),
        viewable=around.viewable,
        again=not asked_again(approval, around),
        frozen=around.frozen is not None,
    )
    blocks = [
        header(headline(approval)),
        *status_blocks(approval, around),
        preformatted(shown.text),
        *_world(approval),
        *warnings(approval, shown, around),
        *_beside(approval),
        *_claim(approval),
        *_to_press(approval, around, kind, reach),
        _provenance(approval),
    ]
    return CardMessage(phone_line(approval, around), tuple(blocks))


def render_short(approval: Approval, around: Around) -> CardMessage:
    """What is left when Slack takes the whole card for any reason not: the call, its id, and how to decide."""
    line = phone_line(approval, around)
    blocks = [section(f"{said_summary(approval)}\n{line}\n{by_command_line(approval)}")]
    nothing_shown = Reach(whole=False, viewable=False, again=not asked_again(approval, around))
    offered = [e for block in buttons(approval, nothing_shown) for e in block["elements"] if e["type"] == "button"]
    if offered:
        blocks.append(actions(*offered))
    return CardMessage(line, tuple(blocks))


def phone_line(approval: Approval, around: Around) -> str:
    """The line on a locked phone."""
    asks = is_question(approval) and stage_of(approval) is Stage.WAITING
    return question_line(approval, around) if asks else lock_line(approval, around)


def headline(approval: Approval) -> str:
    """What and where; a card that asks for nothing any more says first how it ended."""
    stage = stage_of(approval)
    if is_question(approval):
        agent = cut_line(approval.agent, 60)
        return f"Agent {agent} has a question" if stage is Stage.WAITING else f"{stage} - Question of agent {agent}"
    return summary_of(approval) if stage is Stage.WAITING else f"{stage} - {summary_of(approval)}"


def _call(approval: Approval) -> ShownArguments:
    asked = question_in(approval) if is_question(approval) else None
    return asked or arguments_of(approval)


def _to_press(approval: Approval, around: Around, kind: CardKind, reach: Reach) -> list[Block]:
    match kind:
        case CardKind.CARD:
            return _pressed_here(approval, around, reach)
        case CardKind.MIRROR if stage_of(approval) in ASKS_SOMETHING:
            decided = "answered" if is_question(approval) else "decided"
            where = (
                f"It is {decided} {decided_where(around.card_in)}."
                if around.card_in
                else "The card for it is on its way."
            )
            return [context(mrkdwn(where))]
        case CardKind.MIRROR | CardKind.CALLS:
            return []
        case _:
            assert_never(kind)


def _pressed_here(approval: Approval, around: Around, reach: Reach) -> list[Block]:
    """The buttons, and what they come to where that is not plain."""
    rows, stage = buttons(approval, reach), stage_of(approval)
    if stage is Stage.WAITING and is_question(approval):
        how = "Reply in this thread, or press:" if around.in_thread else "Press to answer:"
        comes_of_it = ONLY_AN_ANSWER if approval.guarded else THE_AGENT_DECIDES
        return [section(how), *rows, context(mrkdwn(comes_of_it))]
    if stage is Stage.EXPIRED:
        return [*rows, context(mrkdwn(asked_again(approval, around) or FROM_NOTHING))]
    if stage is Stage.UNKNOWN and reach.whole:
        need = approval.rule.quorum
        votes = "an approval" if need == 1 else f"{need} approvals"
        again = f"Run again may do it a second time, and needs {votes} as before."
        return [*rows, context(mrkdwn(again))]
    return rows


def _beside(approval: Approval) -> list[Block]:
    """What the agent was told, and what the policy says of such calls: text, to be copied and never pressed."""
    stage, rule = stage_of(approval), approval.rule
    lines: list[Block] = []
    if stage is Stage.EXPIRED:
        lines.append(section(TOLD))
    if rule.check and stage is Stage.UNKNOWN:
        lines.append(preformatted(cut_line(check_of(approval), 400), "Check:"))
    if rule.consequence and stage in MAY_GO_WRONG and DecisionType.APPROVE in rule.decisions:
        lines.append(plain_section(f"If it goes wrong: {filled(approval, rule.consequence)}", 400))
    return lines


def _world(approval: Approval) -> list[Block]:
    """What the call is about, as its tool saw it when it was asked; it is looked at again before the call begins."""
    title = AS_IT_IS if stage_of(approval) is Stage.WAITING else AS_IT_WAS
    text = visible(hidden_in((approval.fingerprint or "").strip(), approval))
    return [preformatted(cut(text, WORLD_ROOM), title)] if text else []


def _claim(approval: Approval) -> list[Block]:
    text = visible(hidden_in(approval.claim.strip(), approval))
    return [preformatted(cut(text, CLAIM_ROOM), "The agent says (not checked):")] if text else []


def _provenance(approval: Approval) -> Block:
    """`restart_service - agent oncall - @ana - A-9Q2M`: whose the words are shows in no line more than here."""
    asker = who(approval.asked_by) if approval.asked_by else requesters_of(approval)
    return context(
        plain(f"{approval.tool} - agent {asker_of(approval)} -", 200),
        mrkdwn(f"{asker} -"),
        plain(approval.id),
    )
