"""Reject with reason…, It happened, It did not happen: opening the form, before anything else is done."""

from slack_bolt import Ack, App, BoltContext

from bot.cards.answers import NOT_OURS, PRESS_AGAIN
from bot.cards.buttons import FORMS, Press
from bot.cards.keys import read_key
from bot.desk import Desk
from bot.forms.note import note_form
from bot.handlers.clicks import place_of
from bot.handlers.edge import never_raises
from bot.messenger import Sent
from bot.payloads import Body, Click, read_click

TOLD = "countersign_told"


def register(app: App, desk: Desk) -> None:
    """A listener for each button that opens a form. Who may send it is asked when it is sent."""

    def open_form(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            context[TOLD] = _open(desk, click)
        ack()

    @never_raises
    def say_if_not_opened(body: Body, context: BoltContext) -> None:
        click, words = read_click(body), context.get(TOLD)
        if isinstance(click, Click) and isinstance(words, str):
            desk.tell(place_of(click), words)

    for press in FORMS:
        app.action(press)(ack=open_form, lazy=[say_if_not_opened])


def _open(desk: Desk, click: Click) -> str | None:
    """None if the form is open, else what the clicker is to be told."""
    key = read_key(click.value)
    if key is None:
        return NOT_OURS
    opened = desk.messenger.open_form(click.trigger_id, note_form(Press(click.action_id), key))
    return None if isinstance(opened, Sent) else PRESS_AGAIN
