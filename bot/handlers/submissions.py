"""A form about an approval was sent: the same say as a click, with what was written; refused in the form itself."""

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.decide import Counted, Decided, Refused
from approvals.records import ApprovalKey
from approvals.rules.words import Door, Say
from bot.cards.answers import NOT_OURS
from bot.cards.buttons import FORMS, Press
from bot.cards.keys import read_key
from bot.desk import Desk, Said, Who
from bot.forms.edit import EDIT, FILL_IN
from bot.forms.full_view import WHOLE
from bot.forms.note import NOTE, told_form
from bot.forms.read_edit import FieldErrors
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Submission, read_submission
from bot.whole_call import record_answer, record_edit

NOT_RECORDED = "Not recorded"


def register(app: App, desk: Desk) -> None:
    """A listener for each form."""

    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        sent = read_submission(body)
        key = read_key(sent.key) if isinstance(sent, Submission) else None
        if not isinstance(sent, Submission) or key is None:
            ack(response_action="update", view=told_form(NOT_RECORDED, NOT_OURS))
            return
        said = _record(desk, key, sent)
        if isinstance(said, FieldErrors):
            ack(response_action="errors", errors=dict(said.by_block))
            return
        context[SAID] = said
        _answer(ack, said, desk.sentence(said, say_of(sent, said), sent.user_id), sent)

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        sent, said = read_submission(body), context.get(SAID)
        desk.wake(said)
        if isinstance(sent, Submission) and isinstance(said, Decided | Counted):
            desk.tell_sender(said.approval, sent.user_id, desk.sentence(said, say_of(sent, said), sent.user_id))
        desk.bring_in_line(said)
        if isinstance(sent, Submission):
            desk.refresh_home(sent.user_id)

    for callback_id in (*FORMS, EDIT, FILL_IN, WHOLE):
        app.view(callback_id)(ack=record, lazy=[carry_on])


def _record(desk: Desk, key: ApprovalKey, sent: Submission) -> Said | FieldErrors:
    who = Who(sent.user_id, sent.user_team_id)
    if sent.callback_id == EDIT:
        return record_edit(desk, key, who, sent)
    if sent.callback_id == FILL_IN:
        return record_answer(desk, key, who, sent)
    if sent.callback_id == WHOLE:
        return desk.record(key, Say.APPROVE, who, Door.MODAL, whole=True)
    return desk.record(key, FORMS[Press(sent.callback_id)], who, Door.MODAL, sent.values.get(NOTE))


def say_of(sent: Submission, said: Said) -> Say:
    """What it came to: arguments sent as they were are a plain yes."""
    if sent.callback_id == EDIT:
        key, approval = read_key(sent.key), said.approval if isinstance(said, Decided | Counted) else None
        changed = approval is None or key is None or approval.revision != key.revision
        return Say.EDIT if changed else Say.APPROVE
    if sent.callback_id == FILL_IN:
        return Say.RESPOND
    return Say.APPROVE if sent.callback_id == WHOLE else FORMS[Press(sent.callback_id)]


def _answer(ack: Ack, said: Said, words: str, sent: Submission) -> None:
    first_input = next(iter(sent.fields), None)
    if isinstance(said, Decided | Counted):
        ack()
    elif isinstance(said, Refused) or first_input is None:
        ack(response_action="update", view=told_form(NOT_RECORDED, words))
    else:
        # The form stays, with what was typed in it: sending it again is one press.
        ack(response_action="errors", errors={first_input: words})
