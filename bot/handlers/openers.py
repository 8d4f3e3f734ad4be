"""The buttons behind which there is a form: opening it, before anything else is done."""

from slack_bolt import Ack, App, BoltContext

from bot.cards.answers import NOT_OURS, PRESS_AGAIN
from bot.cards.buttons import FORMS, Press
from bot.cards.keys import read_key
from bot.desk import Desk, Who
from bot.forms.note import note_form
from bot.handlers.clicks import place_of
from bot.handlers.edge import never_raises
from bot.messenger import Sent
from bot.payloads import Body, Click, read_click
from bot.spoken import unescaped
from bot.whole_call import FORM_SAYS, NoForm, form_of

TOLD = "countersign_told"


def register(app: App, desk: Desk) -> None:
    """A listener for each button that opens a form. Who may send it is asked again when it is sent."""

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

    for press in (*FORMS, *FORM_SAYS):
        app.action(press)(ack=open_form, lazy=[say_if_not_opened])


def _open(desk: Desk, click: Click) -> str | None:
    """None if the form is open, else what the clicker is to be told."""
    key, press = read_key(click.value), Press(click.action_id)
    if key is None:
        return NOT_OURS
    # A form for a note needs no look at the row: it opens even while the database is slow.
    view = (
        note_form(press, key, unescaped(click.heading), click.shown)
        if press in FORMS
        else form_of(desk, press, key, Who(click.user_id, click.user_team_id))
    )
    if isinstance(view, NoForm):
        return view.words
    opened = desk.messenger.open_form(click.trigger_id, view)
    return None if isinstance(opened, Sent) else PRESS_AGAIN
