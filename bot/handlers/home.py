"""The app's Home: drawn when it is opened, and turned page by page."""

from slack_bolt import Ack, App

from approvals.ledger.home_views import note_home
from bot.cards.home import HOME_NEXT, HOME_PREVIOUS
from bot.desk import Desk
from bot.handlers.edge import never_raises
from bot.payloads import Body, Click, read_click, read_home_opened

MOST_PAGES = 10_000


def register(app: App, desk: Desk) -> None:
    def only_ack(ack: Ack) -> None:
        ack()

    @never_raises
    def draw(body: Body) -> None:
        opened = read_home_opened(body)
        if opened is not None:
            note_home(desk.db, opened.user_id, opened.team_id)
            desk.show.home(opened.user_id)

    @never_raises
    def turn(body: Body) -> None:
        click = read_click(body)
        if isinstance(click, Click) and click.value.isascii() and click.value.isdigit():
            note_home(desk.db, click.user_id, click.user_team_id, min(int(click.value[:6]), MOST_PAGES))
            desk.show.home(click.user_id)

    app.event("app_home_opened")(ack=only_ack, lazy=[draw])
    for action_id in (HOME_PREVIOUS, HOME_NEXT):
        app.action(action_id)(ack=only_ack, lazy=[turn])
