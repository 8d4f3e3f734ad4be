"""Cancel run, and Try again: the buttons on a run's status line."""

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.end_run import Ended, GoesOn
from approvals.ledger.try_again import Left, TriedAgain
from approvals.rules.words import Door
from bot.cards.more_answers import cancel_answer, try_again_answer
from bot.cards.progress import CANCEL_RUN, TRY_AGAIN
from bot.desk import Desk, Who
from bot.ending import NOT_KNOWN, end, see_to_ended
from bot.handlers.clicks import place_of
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Click, read_click
from bot.trying import NOT_KNOWN as NOT_KNOWN_OF_TRYING
from bot.trying import have_tried_again, see_to_tried


def register(app: App, desk: Desk) -> None:
    register_cancel(app, desk)
    register_try_again(app, desk)


def register_cancel(app: App, desk: Desk) -> None:
    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            context[SAID] = end(desk, click.value, Who(click.user_id, click.user_team_id), Door.CARD)
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click, ended = read_click(body), context.get(SAID)
        if not isinstance(click, Click):
            return
        desk.tell(place_of(click), cancel_answer(ended) if isinstance(ended, Ended | GoesOn) else NOT_KNOWN)
        if isinstance(ended, Ended):
            see_to_ended(desk, ended)

    app.action(CANCEL_RUN)(ack=record, lazy=[carry_on])


def register_try_again(app: App, desk: Desk) -> None:
    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            context[SAID] = have_tried_again(desk, click.value, Who(click.user_id, click.user_team_id), Door.CARD)
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click, tried = read_click(body), context.get(SAID)
        if not isinstance(click, Click):
            return
        # The wake-up before the answer: the agent waits for it, and Slack takes its time.
        if isinstance(tried, TriedAgain):
            see_to_tried(desk, tried)
        words = try_again_answer(tried) if isinstance(tried, TriedAgain | Left) else NOT_KNOWN_OF_TRYING
        desk.tell(place_of(click), words)

    app.action(TRY_AGAIN)(ack=record, lazy=[carry_on])
