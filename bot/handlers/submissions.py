"""A form was sent: the same say as a click, with a note; refused in the form itself."""

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.decide import Counted, Decided, Refused
from approvals.ledger.find import find_run
from approvals.rules.words import Door
from bot.cards.answers import NOT_OURS
from bot.cards.buttons import FORMS, Press
from bot.cards.keys import read_key
from bot.desk import Desk, Place, Said
from bot.forms.note import NOTE, told_form
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Submission, Unreadable, read_submission

NOT_RECORDED = "Not recorded"


def register(app: App, desk: Desk) -> None:
    """A listener for each form."""

    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        sent = read_submission(body)
        key = read_key(sent.key) if isinstance(sent, Submission) else None
        if isinstance(sent, Unreadable) or key is None:
            ack(response_action="update", view=told_form(NOT_RECORDED, NOT_OURS))
            return
        say = FORMS[Press(sent.callback_id)]
        said = desk.record(key, say, sent.user_id, sent.user_team_id, Door.MODAL, sent.values.get(NOTE))
        context[SAID] = said
        _answer(ack, said, desk.sentence(said, say, sent.user_id))

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        sent, said = read_submission(body), context.get(SAID)
        if isinstance(sent, Submission) and isinstance(said, Decided | Counted):
            run = find_run(desk.db, said.approval.run_id)
            if run is not None:
                words = desk.sentence(said, FORMS[Press(sent.callback_id)], sent.user_id)
                desk.tell(Place(run.channel_id, run.thread_ts, sent.user_id), words)
        desk.carry_on(said)

    for press in FORMS:
        app.view(press)(ack=record, lazy=[carry_on])


def _answer(ack: Ack, said: Said, words: str) -> None:
    if isinstance(said, Decided | Counted):
        ack()
    elif isinstance(said, Refused):
        ack(response_action="update", view=told_form(NOT_RECORDED, words))
    else:
        # The form stays, with what was typed in it: sending it again is one press.
        ack(response_action="errors", errors={NOTE: words})
