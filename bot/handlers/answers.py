"""Somebody's message could answer several questions, and they pressed the one that they meant."""

import re
from typing import Final

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.find import find_approval
from approvals.ledger.hear import TakenAlready, answer_with
from approvals.rules.words import Door, Say
from bot.cards.answers import NOT_OURS
from bot.cards.which_question import ANSWER_ID, Chosen, read_choice
from bot.desk import Desk, Said, Who
from bot.handlers.clicks import place_of
from bot.handlers.edge import SAID, never_raises
from bot.messenger import Sent
from bot.payloads import Body, Click, read_click

TAKEN_ALREADY: Final = (
    "Not recorded: the agent has that message already. To answer a question, press Respond on its card."
)


def register(app: App, desk: Desk) -> None:
    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click) and (chosen := read_choice(click.value)):
            context[SAID] = _answer(desk, chosen, Who(click.user_id, click.user_team_id))
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click, said = read_click(body), context.get(SAID)
        if not isinstance(click, Click):
            return
        if read_choice(click.value) is None:
            desk.tell(place_of(click), NOT_OURS)
            return
        if isinstance(said, TakenAlready):
            _replace(desk, click, TAKEN_ALREADY)
            return
        desk.wake(said)
        _replace(desk, click, desk.sentence(said, Say.RESPOND, click.user_id))
        desk.bring_in_line(said)

    app.action(re.compile(ANSWER_ID))(ack=record, lazy=[carry_on])


def _answer(desk: Desk, chosen: Chosen, who: Who) -> Said | TakenAlready:
    key, message_id = chosen.key, chosen.message_id
    said = desk.in_time(
        lambda: answer_with(desk.db, key, message_id, desk.person(who, find_approval(desk.db, key.id)), Door.CARD), key
    )
    if not isinstance(said, TakenAlready):
        desk.note(said, Say.RESPOND, who, key)
    return said


def _replace(desk: Desk, click: Click, words: str) -> None:
    """In place of the question which one was meant: it has been answered."""
    url = click.response_url
    if url is None or not isinstance(desk.messenger.respond(url, words, click.thread_ts, replace=True), Sent):
        desk.tell(place_of(click), words)
