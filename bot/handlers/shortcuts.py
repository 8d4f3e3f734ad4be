"""The message shortcut "Hand to an agent": a form with the message in it, and then a run in the message's thread."""

import structlog
from slack_bolt import Ack, App, BoltContext

from approvals.ledger.start_run import Started
from bot.cards.answers import NOT_OURS, PRESS_AGAIN
from bot.desk import Desk, Place, Who
from bot.forms.hand_over import HAND_OVER, MESSAGE, WORDS, hand_over_form, read_hand_over
from bot.forms.note import told_form
from bot.handed import Handed, read_handed
from bot.handing import NotHanded, hand_over, offer
from bot.handlers.edge import SAID, never_raises
from bot.hearing import told
from bot.messenger import Sent
from bot.payloads import Body, Submission, read_submission

NOTHING = "Please write what shall be done: there are no words to hand over."
NOT_HANDED = "Not handed over"
HANDED = "Handed over: the agent works in this thread."

log = structlog.get_logger()


def register(app: App, desk: Desk) -> None:
    register_form(app, desk)
    register_sent(app, desk)


def register_form(app: App, desk: Desk) -> None:
    def open_form(ack: Ack, body: Body, context: BoltContext) -> None:
        handed = read_handed(body)
        if isinstance(handed, Handed):
            offered = offer(desk, handed)
            form = (
                told_form(NOT_HANDED, offered.words)
                if isinstance(offered, NotHanded)
                else hand_over_form(handed, offered)
            )
            opened = desk.messenger.open_form(handed.trigger_id, form)
            context[SAID] = isinstance(opened, Sent)
        ack()

    @never_raises
    def say_if_not_opened(body: Body, context: BoltContext) -> None:
        handed = read_handed(body)
        if isinstance(handed, Handed) and context.get(SAID) is False:
            url = body.get("response_url")
            place = Place(handed.channel_id, None, handed.user_id, url if isinstance(url, str) else None)
            desk.tell(place, PRESS_AGAIN)

    app.message_shortcut(HAND_OVER)(ack=open_form, lazy=[say_if_not_opened])


def register_sent(app: App, desk: Desk) -> None:
    def keep(ack: Ack, body: Body, context: BoltContext) -> None:
        sent = read_submission(body)
        handed = read_hand_over(sent) if isinstance(sent, Submission) else None
        if not isinstance(sent, Submission) or handed is None:
            ack(response_action="update", view=told_form(NOT_HANDED, NOT_OURS))
        elif not handed.message and not handed.words:
            ack(response_action="errors", errors={WORDS: NOTHING})
        else:
            done = hand_over(desk, handed, Who(sent.user_id, sent.user_team_id), sent.team_id, sent.view_id)
            context[SAID] = done
            _answer(ack, done)

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        sent, done = read_submission(body), context.get(SAID)
        if isinstance(sent, Submission) and isinstance(done, Started):
            run = done.run
            log.info("mention.accepted", run_id=run.id, channel_id=run.channel_id, way="shortcut")
            desk.wakeups.wake(run.id)
            desk.tell(Place(run.channel_id, run.thread_ts, sent.user_id), told(desk, done) or HANDED)

    app.view(HAND_OVER)(ack=keep, lazy=[carry_on])


def _answer(ack: Ack, done: Started | NotHanded) -> None:
    if isinstance(done, Started):
        ack()
    elif done.again:
        # The form stays, with what was typed in it.
        ack(response_action="errors", errors={MESSAGE: done.words})
    else:
        ack(response_action="update", view=told_form(NOT_HANDED, done.words))
