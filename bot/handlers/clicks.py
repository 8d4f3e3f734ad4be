"""Approve, Reject, Run again: one click, one say, committed before Slack is answered."""

from slack_bolt import Ack, App, BoltContext

from approvals.rules.words import Door
from bot.cards.answers import NOT_OURS
from bot.cards.buttons import SAYS, Press
from bot.cards.keys import read_key
from bot.desk import Desk, Place, Who
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Click, Unreadable, read_click


def register(app: App, desk: Desk) -> None:
    """A listener for each button that decides at once."""

    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click) and (key := read_key(click.value)):
            say = SAYS[Press(click.action_id)]
            context[SAID] = desk.record(key, say, Who(click.user_id, click.user_team_id), Door.CARD)
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Unreadable):
            return
        if read_key(click.value) is None:
            desk.tell(place_of(click), NOT_OURS)
            return
        said = context.get(SAID)
        desk.wake(said)
        # The answer before the card: the clicker waits for it, and the card is written by whoever comes first.
        desk.tell(place_of(click), desk.sentence(said, SAYS[Press(click.action_id)], click.user_id))
        desk.bring_in_line(said)
        desk.refresh_home(click.user_id)

    for press in SAYS:
        app.action(press)(ack=record, lazy=[carry_on])


def place_of(click: Click) -> Place:
    return Place(click.channel_id, click.thread_ts, click.user_id, click.response_url, click.trigger_id)
