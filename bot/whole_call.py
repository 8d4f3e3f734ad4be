"""The two forms that are made from a call itself: its arguments to be changed, and its arguments to be read."""

from dataclasses import dataclass
from typing import Final

import psycopg
import structlog

from approvals.ledger.decide import Because, Edited, Outcome, Refused, decide
from approvals.ledger.find import find_approval, setting_of
from approvals.ledger.look_at import look_at
from approvals.records import Approval, ApprovalKey
from approvals.rules.digest import rule_hash
from approvals.rules.secret import rule_for_call
from approvals.rules.select_rule import Call
from approvals.rules.words import Door, Say
from bot.cards.answers import TRY_AGAIN
from bot.cards.arguments import read_arguments
from bot.cards.buttons import Press
from bot.cards.escape import visible
from bot.cards.hidden import secrets_of
from bot.cards.sizes import size
from bot.cards.which_question import question_of
from bot.cards.words import summary_of
from bot.desk import Desk, Said, Unrecorded, Who, on_the_card
from bot.forms.all_said import with_all_said
from bot.forms.edit import NotEditable, View, answer_form, edit_form, read_call
from bot.forms.elements import FIXED_ROOM
from bot.forms.fields import Field, Part
from bot.forms.full_view import full_view
from bot.forms.plan import CONSTANT, plan
from bot.forms.read_edit import FieldErrors, read_edit
from bot.patience import TooLate
from bot.payloads import Submission

# Of the three that a trigger lives: what is left is for opening the form.
READ_SECONDS: Final = 1.2
FORM_SAYS: Final = {
    Press.EDIT: Say.EDIT,
    Press.APPROVE_WHOLE: Say.APPROVE,
    Press.SHOW_ALL: None,
    Press.FILL_IN: Say.RESPOND,
}
NOT_READ: Final = "The form could not be opened: my database or Slack did not answer in time. Please press again."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NoForm:
    """`words` say to whoever pressed why there is no form."""

    words: str


def form_of(desk: Desk, press: Press, key: ApprovalKey, who: Who) -> View | NoForm:
    """The form for this press, made from the row as it is now, or why not."""

    def work() -> Approval | Refused:
        person = desk.person(who, find_approval(desk.db, key.id))
        return look_at(desk.db, key, FORM_SAYS[press], person, Door.CARD)

    try:
        seen = desk.patience.wait(work, READ_SECONDS)
    except psycopg.Error as error:
        log.warning("form.not_read", approval_id=key.id, error=type(error).__name__)
        return NoForm(TRY_AGAIN)
    if isinstance(seen, TooLate):
        return NoForm(NOT_READ)
    if not isinstance(seen, Refused):
        view = _view(press, key, seen)
        if not isinstance(view, Refused):
            return NoForm(view.reason) if isinstance(view, NotEditable) else view
        seen = view
    return NoForm(desk.sentence(seen, FORM_SAYS[press] or Say.APPROVE, who.user_id))


def _view(press: Press, key: ApprovalKey, approval: Approval) -> View | NotEditable | Refused:
    redact, heading = approval.rule.redact, summary_of(approval)
    if press is Press.FILL_IN:
        return answer_form(key, question_of(approval), approval.answer_schema or {})
    if press is not Press.EDIT:
        approve = press is Press.APPROVE_WHOLE
        view = full_view(
            key, heading, approval.args_json, redact, approve=approve, warnings=(), secrets=secrets_of(approval)
        )
        return view if isinstance(view, NotEditable) else with_all_said(view, approval)
    view = edit_form(key, heading, approval.args_schema, approval.args_json, redact)
    if isinstance(view, NotEditable) or shows_all(approval):
        return view
    return Refused(Because.NOT_SHOWN_WHOLE, approval)


def shows_all(approval: Approval) -> bool:
    """Whether the editor sees the whole call: on the card, or in the form."""
    args = read_call(approval.args_json) or {}
    parts = plan(approval.args_schema, args, approval.rule.redact)
    return on_the_card(approval) or all(map(_is_shown, parts))


def _is_shown(part: Part) -> bool:
    """What stays as it is is cut when it is long. A constant that the policy hides counts as shown."""
    if isinstance(part, Field):
        return True
    return part.why == CONSTANT and size(visible(part.shown or "")) <= FIXED_ROOM


def record_edit(desk: Desk, key: ApprovalKey, who: Who, sent: Submission) -> Said | FieldErrors:
    """What was sent, read against the row's own schema; then the say, under the rule that the policy has now for
    the arguments as they were left."""

    def work() -> Outcome | FieldErrors:
        approval = find_approval(desk.db, key.id)
        person = desk.person(who, approval)
        if approval is None or approval.key != key:
            refusal = look_at(desk.db, key, Say.EDIT, person, Door.MODAL)
            if isinstance(refusal, Refused):
                return refusal
            approval = refusal
        left = read_edit(approval.args_schema, approval.args_json, approval.rule.redact, sent.fields)
        if isinstance(left, FieldErrors):
            return left
        edited = Edited(left.args_json, rule_hash_for(desk, approval, left.args_json))
        return decide(desk.db, key, Say.EDIT, person, Door.MODAL, edited=edited, shown_whole=shows_all(approval))

    said = desk.in_time(work, key)
    if not isinstance(said, FieldErrors):
        desk.note(said, Say.EDIT, who, key)
    return said


def record_answer(desk: Desk, key: ApprovalKey, who: Who, sent: Submission) -> Said | FieldErrors:
    """The fields of an answer, read against the question's own schema."""
    found = desk.in_time(lambda: find_approval(desk.db, key.id), key)
    if isinstance(found, Unrecorded | TooLate):
        return found
    schema = found.answer_schema if found else None
    left = read_edit(schema or {}, "{}", (), sent.fields)
    if isinstance(left, FieldErrors):
        return left
    return desk.record(key, Say.RESPOND, who, Door.MODAL, left.args_json)


def rule_hash_for(desk: Desk, approval: Approval, args_json: str) -> str:
    """Of the rule that these arguments fall under."""
    channel_id = setting_of(desk.db, approval.run_id).channel_id
    args = read_arguments(args_json)
    call = Call(approval.tool, args, approval.agent, approval.asked_by or "", channel_id)
    rule = rule_for_call(desk.policy, call, approval.args_schema)
    if not approval.guarded:
        # There the agent waits whatever the policy lets through, and takes the decisions that it takes.
        rule = rule.model_copy(update={"gate": approval.rule.gate, "decisions": approval.rule.decisions})
    return rule_hash(rule)
