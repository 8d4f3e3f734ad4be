"""More time, and Ask again: one click each, committed before Slack is answered."""

from dataclasses import dataclass

from slack_bolt import Ack, App, BoltContext

from approvals.ledger.ask_again import Handed, Not, Reopened, ask_again
from approvals.ledger.extend import Extended, NoMoreTime, extend
from approvals.ledger.find import find_approval
from approvals.records import Approval, ApprovalKey
from approvals.rules.words import Door
from bot.cards.answers import NOT_IN_TIME, NOT_OURS, TRY_AGAIN
from bot.cards.buttons import Press
from bot.cards.keys import read_key
from bot.cards.more_answers import ask_again_answer, more_time_answer
from bot.desk import Desk, Unrecorded, Who
from bot.handlers.clicks import place_of
from bot.handlers.edge import SAID, never_raises
from bot.patience import TooLate
from bot.payloads import Body, Click, read_click

Outcome = Extended | NoMoreTime | Reopened | Handed | Not


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a press, and what it was about."""

    outcome: Outcome | Unrecorded | TooLate
    key: ApprovalKey


def register(app: App, desk: Desk) -> None:
    def record(ack: Ack, body: Body, context: BoltContext) -> None:
        click = read_click(body)
        if isinstance(click, Click) and (key := read_key(click.value)):
            context[SAID] = Done(desk.in_time(lambda: _record(desk, click, key), key), key)
        ack()

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        click, done = read_click(body), context.get(SAID)
        if not isinstance(click, Click):
            return
        desk.tell(place_of(click), words_for(desk, done, click.user_id) if isinstance(done, Done) else NOT_OURS)
        if isinstance(done, Done):
            _see_to(desk, done)
            desk.refresh_home(click.user_id)

    for press in (Press.EXTEND, Press.ASK_AGAIN):
        app.action(press)(ack=record, lazy=[carry_on])


def _record(desk: Desk, click: Click, key: ApprovalKey) -> Outcome:
    person = desk.person(Who(click.user_id, click.user_team_id), find_approval(desk.db, key.id))
    if click.action_id == Press.EXTEND:
        return extend(desk.db, key, person, Door.CARD)
    return ask_again(desk.db, key.id, person, Door.CARD)


def words_for(desk: Desk, done: Done, user_id: str) -> str:
    """The sentence for every outcome."""
    match done.outcome:
        case Extended(approval) | NoMoreTime(_, approval, _):
            return more_time_answer(done.outcome, user_id, desk.callers(approval))
        case Reopened(approval) | Not(_, approval, _):
            return ask_again_answer(done.outcome, user_id, desk.callers(approval))
        case Handed():
            return ask_again_answer(done.outcome, user_id, desk.callers(None))
        case Unrecorded():
            return TRY_AGAIN
        case TooLate():
            return NOT_IN_TIME


def _see_to(desk: Desk, done: Done) -> None:
    """The cards, old and new; and the agent, if it was told something."""
    if isinstance(done.outcome, Handed):
        desk.wakeups.wake(done.outcome.run.id)
    if isinstance(done.outcome, Reopened):
        desk.show.card(done.outcome.approval.id)
    found: Approval | None = getattr(done.outcome, "approval", None)
    if isinstance(done.outcome, NoMoreTime) and found is not None:
        # A late press may have found it expired.
        desk.wakeups.wake(found.run_id)
    desk.show.card(done.key.id)
