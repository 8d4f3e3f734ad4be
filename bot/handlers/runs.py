"""Cancel run, and Try again: the buttons on a run's status line."""

from collections.abc import Callable

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.end_run import Ended, GoesOn
from approvals.ledger.try_again import Left, TriedAgain
from approvals.rules.words import Door
from bot import ending, trying
from bot.cards.more_answers import cancel_answer, try_again_answer
from bot.cards.progress import CANCEL_RUN, TRY_AGAIN
from bot.desk import Desk, Who
from bot.handlers.clicks import place_of
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body, Click, read_click

Verb = Callable[[Desk, str, Who, Door], object]
SeesTo = Callable[[Desk, object], str]


def register(app: App, desk: Desk) -> None:
    register_button(app, desk, CANCEL_RUN, ending.end, seen_to_ended)
    register_button(app, desk, TRY_AGAIN, trying.have_tried_again, seen_to_tried)


def register_button(app: App, desk: Desk, action_id: str, verb: Verb, see_to: SeesTo) -> None:
    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            context[SAID] = verb(desk, click.value, Who(click.user_id, click.user_team_id), Door.CARD)
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click):
            # The wake-up before the answer: the agent waits for it, and Slack takes its time.
            desk.tell(place_of(click), see_to(desk, context.get(SAID)))

    app.action(action_id)(ack=record, lazy=[carry_on])


def seen_to_ended(desk: Desk, outcome: object) -> str:
    """What the one who pressed is told."""
    if isinstance(outcome, Ended):
        ending.see_to_ended(desk, outcome)
    if isinstance(outcome, GoesOn):
        ending.see_to_over(desk, outcome)
    return cancel_answer(outcome) if isinstance(outcome, Ended | GoesOn) else ending.NOT_KNOWN


def seen_to_tried(desk: Desk, outcome: object) -> str:
    """What the one who pressed is told."""
    if isinstance(outcome, TriedAgain):
        trying.see_to_tried(desk, outcome)
    return try_again_answer(outcome) if isinstance(outcome, TriedAgain | Left) else trying.NOT_KNOWN
