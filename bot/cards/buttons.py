"""What a card can be pressed for, now. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from approvals.records import Approval
from approvals.rules.tally import approvals_in
from approvals.rules.words import DecisionType, Risk, Say
from bot.cards.blocks import Block, actions, label, plain
from bot.cards.keys import write_key
from bot.cards.silence import more_time
from bot.cards.sizes import CONFIRM_TITLE
from bot.cards.stage import Stage, stage_of
from bot.cards.words import is_question, summary_of


class Press(StrEnum):
    """The action ids of our buttons."""

    APPROVE = "approve"
    APPROVE_WHOLE = "approve_whole"
    EDIT = "edit"
    RESPOND = "respond"
    FILL_IN = "fill_in"
    SHOW_ALL = "show_all"
    ANSWER = "answer"
    REJECT = "reject"
    REJECT_WITH_REASON = "reject_with_reason"
    IT_HAPPENED = "it_happened"
    IT_DID_NOT_HAPPEN = "it_did_not_happen"
    RUN_AGAIN = "run_again"
    EXTEND = "extend"
    ASK_AGAIN = "ask_again"


LABELS: Final = {
    Press.APPROVE: "Approve",
    Press.APPROVE_WHOLE: "Approve",
    Press.EDIT: "Edit",
    Press.RESPOND: "Respond",
    Press.FILL_IN: "Respond",
    Press.SHOW_ALL: "Show all",
    Press.ANSWER: "Answer this",
    Press.REJECT: "Reject",
    Press.REJECT_WITH_REASON: "Reject with reason…",
    Press.IT_HAPPENED: "It happened",
    Press.IT_DID_NOT_HAPPEN: "It did not happen",
    Press.RUN_AGAIN: "Run again",
    Press.ASK_AGAIN: "Ask again",
}
SAYS: Final = {Press.APPROVE: Say.APPROVE, Press.REJECT: Say.REJECT, Press.RUN_AGAIN: Say.RUN_AGAIN}
FORMS: Final = {
    Press.RESPOND: Say.RESPOND,
    Press.REJECT_WITH_REASON: Say.REJECT,
    Press.IT_HAPPENED: Say.IT_HAPPENED,
    Press.IT_DID_NOT_HAPPEN: Say.IT_DID_NOT_HAPPEN,
}
AT_ONCE: Final = "It runs at once and cannot be called back."
GOES_ON: Final = "The agent goes on with it at once, and that cannot be called back."
WHEN_LIFTED: Final = "Everything is frozen: it runs as soon as that is lifted."
TWICE: Final = "If it did happen, it happens a second time."


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of the call people can see. `whole`: every argument is on the card. `all_said`: so is what the
    agent says and what came of it. `viewable`: the full view can hold the whole call. `again`: it has expired, and
    nobody has asked again yet. `frozen`: the emergency stop is in force."""

    whole: bool = True
    all_said: bool = True
    viewable: bool = True
    again: bool = False
    frozen: bool = False


def buttons(approval: Approval, reach: Reach) -> list[Block]:
    """What cannot be seen whole on the card is approved in the full view, or not here at all."""
    match stage_of(approval):
        case Stage.WAITING:
            elements = _while_waiting(approval, reach)
        case Stage.UNKNOWN:
            elements = _while_unknown(approval, reach)
        case (
            Stage.APPROVED
            | Stage.RUNNING
            | Stage.PAUSED
            | Stage.DONE
            | Stage.FAILED
            | Stage.REJECTED
            | Stage.ANSWERED
            | Stage.CANCELLED
            | Stage.SUPERSEDED
        ):
            elements = _show_all(approval, reach)
        case Stage.EXPIRED:
            again = [_button(Press.ASK_AGAIN, approval)] if reach.again else []
            elements = [*again, *_show_all(approval, reach)]
        case other:
            assert_never(other)
    return [actions(*elements)] if elements else []


def _while_waiting(approval: Approval, reach: Reach) -> list[Block]:
    offered = approval.rule.decisions
    elements = _approve(approval, reach) if DecisionType.APPROVE in offered else []
    if DecisionType.EDIT in offered:
        elements.append(_button(Press.EDIT, approval))
    if DecisionType.REJECT in offered:
        elements.append(_button(Press.REJECT, approval))
    if DecisionType.RESPOND in offered:
        style = {"style": "primary"} if is_question(approval) else {}
        press = Press.RESPOND if approval.answer_schema is None else Press.FILL_IN
        elements.append(_button(press, approval) | style)
    if approval.extensions < approval.rule.extend:
        elements.append(_button(Press.EXTEND, approval) | {"text": label(more_time(approval.rule.timeout))})
    elements += _show_all(approval, reach)
    if DecisionType.REJECT in offered:
        elements.append(_menu(Press.REJECT_WITH_REASON, approval))
    return elements


def _approve(approval: Approval, reach: Reach) -> list[Block]:
    if not reach.whole:
        return [_button(Press.APPROVE_WHOLE, approval) | {"style": "primary"}] if reach.viewable else []
    button = _button(Press.APPROVE, approval) | {"style": "primary"}
    if approval.rule.risk is Risk.HIGH or approval.rule.quorum > 1:
        button["confirm"] = _confirm(f"{summary_of(approval)}?", vote_words(approval, frozen=reach.frozen), "Approve")
    return [button]


def _while_unknown(approval: Approval, reach: Reach) -> list[Block]:
    elements = [_button(Press.IT_HAPPENED, approval), _button(Press.IT_DID_NOT_HAPPEN, approval)]
    if reach.whole:
        confirm = _confirm(
            f"Run again: {summary_of(approval)}?", f"{TWICE} {vote_words(approval, frozen=reach.frozen)}", "Run again"
        )
        elements.append(_button(Press.RUN_AGAIN, approval) | {"confirm": confirm})
    return [*elements, *_show_all(approval, reach)]


def vote_words(approval: Approval, *, frozen: bool = False) -> str:
    """What the next yes amounts to."""
    number, need = approvals_in(approval.votes) + 1, approval.rule.quorum
    then = (WHEN_LIFTED if frozen else AT_ONCE) if approval.guarded else GOES_ON
    if need == 1:
        return then
    if number >= need:
        return f"Yours is vote {number} of {need}. {then}"
    rest = {(1, 2): "a second person approves", (2, 3): "a third person approves"}.get(
        (number, need), "one more person approves" if need - number == 1 else f"{need - number} more people approve"
    )
    return f"Yours is vote {number} of {need}. Nothing runs until {rest}."


def _show_all(approval: Approval, reach: Reach) -> list[Block]:
    if (reach.whole and reach.all_said) or not reach.viewable:
        return []
    return [_button(Press.SHOW_ALL, approval)]


def _button(press: Press, approval: Approval) -> Block:
    return {"type": "button", "action_id": press, "text": label(LABELS.get(press, "")), "value": write_key(approval)}


def _menu(press: Press, approval: Approval) -> Block:
    option = {"text": label(LABELS[press]), "value": write_key(approval)}
    return {"type": "overflow", "action_id": press, "options": [option]}


def _confirm(title: str, text: str, yes: str) -> Block:
    return {"title": plain(title, CONFIRM_TITLE), "text": label(text), "confirm": label(yes), "deny": label("Go back")}
