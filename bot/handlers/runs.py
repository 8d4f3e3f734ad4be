"""Cancel run: the button on a run's status line."""

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.end_run import Ended, GoesOn
from approvals.rules.words import Door
from bot.cards.more_answers import cancel_answer
from bot.cards.progress import CANCEL_RUN
from bot.desk import Desk, Who
from bot.ending import NOT_KNOWN, end, see_to_ended
from bot.handlers.clicks import place_of
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Click, read_click


def register(app: App, desk: Desk) -> None:
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
