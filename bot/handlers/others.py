"""Whatever else Slack sends: acknowledged, answered in private where somebody pressed something, and no more."""

import re
from typing import Final

from slack_bolt import Ack, App

from bot.cards.answers import NOT_OURS
from bot.desk import Desk
from bot.forms.note import told_form
from bot.handlers.clicks import place_of
from bot.handlers.edge import never_raises
from bot.handlers.submissions import NOT_RECORDED
from bot.payloads import Body, Click, read_click

ANY: Final = re.compile(".*", re.DOTALL)


def register(app: App, desk: Desk) -> None:
    """To be registered last: Bolt asks its listeners in order."""

    def only_ack(ack: Ack) -> None:
        ack()

    def close_form(ack: Ack) -> None:
        ack(response_action="update", view=told_form(NOT_RECORDED, NOT_OURS))

    @never_raises
    def say_not_ours(body: Body) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            desk.tell(place_of(click), NOT_OURS)

    app.action(ANY)(ack=only_ack, lazy=[say_not_ours])
    app.view_submission(ANY)(ack=close_form, lazy=[])
    app.view_closed(ANY)(ack=only_ack, lazy=[])
    app.event(ANY)(ack=only_ack, lazy=[])
    app.shortcut(ANY)(ack=only_ack, lazy=[])
    app.command(ANY)(ack=only_ack, lazy=[])
