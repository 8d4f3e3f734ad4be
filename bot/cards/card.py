"""Approval -> the Slack message that shows it. Pure: no client, no store, no clock.

The order never changes: what and where | how long, how many, who | every argument | warnings | what the agent
says | buttons | where it came from.
"""

from dataclasses import dataclass
from typing import assert_never

from approvals.records import Approval
from approvals.rules.places import CardKind
from bot.cards.arguments import ShownArguments, show_arguments
from bot.cards.around import Around
from bot.cards.blocks import Block, actions, context, header, mrkdwn, plain, preformatted, section
from bot.cards.buttons import buttons
from bot.cards.escape import escape, visible
from bot.cards.lock import lock_line
from bot.cards.sizes import cut
from bot.cards.stage import Stage, stage_of
from bot.cards.status import status_blocks
from bot.cards.words import Callers, place, requesters_of, several, summary_of

CLAIM_ROOM = 600
ASKS_SOMETHING = (Stage.WAITING, Stage.UNKNOWN)


@dataclass(frozen=True, slots=True)
class CardMessage:
    """`text` is the line on a locked phone; `blocks` are what the channel shows."""

    text: str
    blocks: tuple[Block, ...]


def render(approval: Approval, around: Around, kind: CardKind = CardKind.CARD) -> CardMessage:
    """The whole card, within Slack's limits whatever the call holds. A mirror has no buttons, and says where
    the card is."""
    callers, heir = around.callers, around.heir
    shown = show_arguments(approval.args_json, approval.rule.redact)
    blocks = [
        header(headline(approval)),
        *status_blocks(approval, callers, heir),
        preformatted(shown.text),
        *_warnings(approval, shown, callers),
        *_claim(approval),
        *_to_press(approval, around, kind, whole=shown.whole),
        _provenance(approval),
    ]
    return CardMessage(lock_line(approval, callers), tuple(blocks))


def _to_press(approval: Approval, around: Around, kind: CardKind, *, whole: bool) -> list[Block]:
    match kind:
        case CardKind.CARD:
            return buttons(approval, whole=whole)
        case CardKind.MIRROR if stage_of(approval) in ASKS_SOMETHING:
            where = (
                f"It is decided in {several(map(place, around.card_in))}."
                if around.card_in
                else "The card for it is on its way."
            )
            return [context(mrkdwn(where))]
        case CardKind.MIRROR | CardKind.CALLS:
            return []
        case _:
            assert_never(kind)


def render_short(approval: Approval, around: Around) -> CardMessage:
    """What is left when Slack takes the whole card for any reason not: the call, its id, and how to decide."""
    callers = around.callers
    blocks = [section(f"{lock_line(approval, callers)}\n{_by_command_line(approval)}")]
    offered = [e for block in buttons(approval, whole=False) for e in block["elements"] if e["type"] == "button"]
    if offered:
        blocks.append(actions(*offered))
    return CardMessage(lock_line(approval, callers), tuple(blocks))


def headline(approval: Approval) -> str:
    """What and where; a card that asks for nothing any more says first how it ended."""
    stage = stage_of(approval)
    return summary_of(approval) if stage is Stage.WAITING else f"{stage} - {summary_of(approval)}"


def _warnings(approval: Approval, shown: ShownArguments, callers: Callers) -> list[Block]:
    lines = []
    if not shown.whole:
        lines.append(f"The whole call is too long to show here. {_by_command_line(approval)}")
    if shown.hidden:
        lines.append(f"{shown.hidden} invisible or unusual characters are spelled out, as in \\u{{200B}}.")
    if shown.several_lines:
        lines.append("Some values have several lines; ⏎ marks where one ends.")
    if approval.replaces:
        lines.append(f"It replaces {escape(approval.replaces)}: the rule or the tool had changed meanwhile.")
    if stage_of(approval) in ASKS_SOMETHING:
        lines += [
            f"Slack knows no user group {escape(one)}: nobody in it was called." for one in callers.unknown_groups
        ]
    return [section("\n".join(f":warning: {line}" for line in lines))] if lines else []


def _by_command_line(approval: Approval) -> str:
    commands = f"`countersign approvals show {approval.id}` and `countersign approvals decide {approval.id}`"
    return f"It can be read and decided on the command line: {commands}."


def _claim(approval: Approval) -> list[Block]:
    text = visible(approval.claim.strip())
    return [preformatted(cut(text, CLAIM_ROOM), "The agent says (not checked):")] if text else []


def _provenance(approval: Approval) -> Block:
    return context(
        plain(approval.tool, 200),
        plain(f"agent {approval.agent}", 200),
        mrkdwn(f"asked by {requesters_of(approval)}"),
        plain(approval.id),
    )
