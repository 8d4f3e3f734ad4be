"""What a card can be pressed for, now. Pure."""

from enum import StrEnum
from typing import Final, assert_never

from approvals.records import Approval
from approvals.rules.words import DecisionType, Risk, Say
from bot.cards.blocks import Block, actions, label, plain
from bot.cards.keys import write_key
from bot.cards.sizes import CONFIRM_TITLE
from bot.cards.stage import Stage, stage_of
from bot.cards.words import summary_of


class Press(StrEnum):
    """The action ids of our buttons."""

    APPROVE = "approve"
    APPROVE_WHOLE = "approve_whole"
    EDIT = "edit"
    RESPOND = "respond"
    SHOW_ALL = "show_all"
    ANSWER = "answer"
    REJECT = "reject"
    REJECT_WITH_REASON = "reject_with_reason"
    IT_HAPPENED = "it_happened"
    IT_DID_NOT_HAPPEN = "it_did_not_happen"
    RUN_AGAIN = "run_again"


LABELS: Final = {
    Press.APPROVE: "Approve",
    Press.APPROVE_WHOLE: "Approve",
    Press.EDIT: "Edit",
    Press.RESPOND: "Respond",
    Press.SHOW_ALL: "Show all",
    Press.ANSWER: "Answer this",
    Press.REJECT: "Reject",
    Press.REJECT_WITH_REASON: "Reject with reason…",
    Press.IT_HAPPENED: "It happened",
    Press.IT_DID_NOT_HAPPEN: "It did not happen",
    Press.RUN_AGAIN: "Run again",
}
SAYS: Final = {Press.APPROVE: Say.APPROVE, Press.REJECT: Say.REJECT, Press.RUN_AGAIN: Say.RUN_AGAIN}
FORMS: Final = {
    Press.RESPOND: Say.RESPOND,
    Press.REJECT_WITH_REASON: Say.REJECT,
    Press.IT_HAPPENED: Say.IT_HAPPENED,
    Press.IT_DID_NOT_HAPPEN: Say.IT_DID_NOT_HAPPEN,
}
AT_ONCE: Final = "It runs at once and cannot be called back."
TWICE: Final = "If it did happen, it happens a second time. It runs at once and cannot be called back."


def buttons(approval: Approval, *, whole: bool) -> list[Block]:
    """`whole`: every argument is on the card; else nothing on it may let the call run."""
    match stage_of(approval):
        case Stage.WAITING:
            elements = _while_waiting(approval, whole=whole)
        case Stage.UNKNOWN:
            elements = _while_unknown(approval, whole=whole)
        case (
            Stage.APPROVED
            | Stage.RUNNING
            | Stage.PAUSED
            | Stage.DONE
            | Stage.FAILED
            | Stage.REJECTED
            | Stage.ANSWERED
            | Stage.EXPIRED
            | Stage.CANCELLED
            | Stage.SUPERSEDED
        ):
            elements = []
        case other:
            assert_never(other)
    return [actions(*elements)] if elements else []


def _while_waiting(approval: Approval, *, whole: bool) -> list[Block]:
    offered = approval.rule.decisions
    elements = []
    if DecisionType.APPROVE in offered and whole:
        button = _button(Press.APPROVE, approval) | {"style": "primary"}
        if approval.rule.risk is Risk.HIGH:
            button["confirm"] = _confirm(f"{summary_of(approval)}?", AT_ONCE, "Approve")
        elements.append(button)
    if DecisionType.REJECT in offered:
        elements += [_button(Press.REJECT, approval), _menu(Press.REJECT_WITH_REASON, approval)]
    return elements


def _while_unknown(approval: Approval, *, whole: bool) -> list[Block]:
    elements = [_button(Press.IT_HAPPENED, approval), _button(Press.IT_DID_NOT_HAPPEN, approval)]
    if whole:
        confirm = _confirm(f"Run again: {summary_of(approval)}?", TWICE, "Run again")
        elements.append(_button(Press.RUN_AGAIN, approval) | {"confirm": confirm})
    return elements


def _button(press: Press, approval: Approval) -> Block:
    return {"type": "button", "action_id": press, "text": label(LABELS[press]), "value": write_key(approval)}


def _menu(press: Press, approval: Approval) -> Block:
    option = {"text": label(LABELS[press]), "value": write_key(approval)}
    return {"type": "overflow", "action_id": press, "options": [option]}


def _confirm(title: str, text: str, yes: str) -> Block:
    return {"title": plain(title, CONFIRM_TITLE), "text": label(text), "confirm": label(yes), "deny": label("Go back")}
