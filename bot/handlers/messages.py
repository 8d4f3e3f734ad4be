"""Mentions, direct messages and replies: kept before Slack is answered, or Slack is asked to bring them again."""

from typing import assert_never

import structlog
from slack_bolt import Ack, App, BoltContext, BoltResponse

from approvals.ledger.hear import Answered, Choose, NoRun
from approvals.ledger.start_run import Started
from approvals.rules.words import Say
from bot.cards.which_question import which_question
from bot.desk import Desk, Place
from bot.handlers.edge import SAID, never_raises
from bot.hearing import NOT_KEPT, NotKept, Taken, TurnedAway, take, told
from bot.payloads import Body, Unreadable
from bot.spoken import Spoken, read_spoken

# Slack brings an event again after an answer like this one: at once, after a minute, after five.
BRING_IT_AGAIN = 503

log = structlog.get_logger()


def register(app: App, desk: Desk) -> None:
    """The events that start, continue and answer. Of `message` there is one per kind of channel."""

    def keep(ack: Ack, body: Body, context: BoltContext) -> BoltResponse | None:
        spoken = read_spoken(body, desk.bot_user_id)
        # What a bot writes is no instruction of a person, even where it names us.
        taken = NoRun() if isinstance(spoken, Unreadable) else take(desk, spoken)
        context[SAID] = taken
        if isinstance(spoken, Unreadable) or isinstance(taken, NoRun):
            ack()
            return None
        desk.metrics.mentions.labels(type(taken).__name__).inc()
        if isinstance(taken, NotKept):
            return BoltResponse(status=BRING_IT_AGAIN, body="")
        ack()
        return None

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        spoken, taken = read_spoken(body, desk.bot_user_id), context.get(SAID)
        if isinstance(spoken, Spoken) and taken is not None:
            see_to(desk, spoken, taken)

    app.event("app_mention")(ack=keep, lazy=[carry_on])
    app.event("message")(ack=keep, lazy=[carry_on])


def see_to(desk: Desk, spoken: Spoken, taken: Taken) -> None:
    """After the commit: the run is woken, and the author told what only they need to know."""
    # Beside the message; in its thread only if it is in one, for nobody has opened one otherwise.
    place = Place(spoken.channel_id, spoken.thread_ts, spoken.user_id)
    match taken:
        case Started(run, fresh):
            desk.wakeups.wake(run.id)
            if fresh:
                log.info("mention.accepted", run_id=run.id, channel_id=spoken.channel_id, user_id=spoken.user_id)
            words = told(desk, taken)
        case Answered(outcome):
            desk.wake(outcome)
            words = desk.sentence(outcome, Say.RESPOND, spoken.user_id)
            log.info("question.answered", approval_id=outcome.approval.id, user_id=spoken.user_id)
        case Choose(_, message_id, questions):
            asked = which_question(message_id, questions)
            desk.tell(place, asked.text, asked.blocks)
            return
        case TurnedAway(words):
            pass
        case NotKept():
            words = NOT_KEPT if spoken.to_us else None
        case NoRun():
            return
        case _:
            assert_never(taken)
    if words:
        desk.tell(place, words)
    if isinstance(taken, Answered):
        desk.bring_in_line(taken.outcome)
