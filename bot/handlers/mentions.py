"""Somebody spoke to an agent: the message is kept before Slack is answered, or Slack is asked to bring it again."""

from dataclasses import dataclass

import psycopg
import structlog
from slack_bolt import Ack, App, BoltContext, BoltResponse

from approvals.ledger.start_run import NewMessage, Started, start_run
from approvals.ledger.turn_away import turn_away
from approvals.rules.may_decide import Standing
from approvals.rules.words import RunStatus
from bot.cards.escape import escape
from bot.desk import Desk, Place
from bot.handlers.edge import SAID, never_raises
from bot.patience import TooLate
from bot.payloads import Body, Mention, read_mention

HELP = (
    "Tell me in the same message what you need, for example: scale checkout to 5 replicas in staging. "
    "What needs a second pair of eyes I ask for here, before it runs."
)
NOT_KEPT = (
    "I could not take that down: my database does not answer. Slack hands it to me again within minutes; "
    "if I stay silent, please write it again."
)
STRANGER = (
    "I take messages from members of this workspace only, so I did not take yours. Please ask a member to write it."
)
WHO = "I could not read from Slack who you are, so I did not take your message. Please write it again."
KEPT = "Kept: the agent gets your message when the open request in this thread has been decided."
# Slack brings an event again after an answer like this one: at once, after a minute, after five.
BRING_IT_AGAIN = 503

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Nothing was kept; `words` says why."""

    words: str


@dataclass(frozen=True, slots=True)
class NotKept:
    """The ledger was not reached."""


Taken = Started | TurnedAway | NotKept


def register(app: App, desk: Desk) -> None:
    """The one event that starts or continues a run."""

    def take(ack: Ack, body: Body, context: BoltContext) -> BoltResponse | None:
        mention = read_mention(body, desk.bot_user_id)
        # What a bot writes is no instruction of a person, even where it names us.
        if not isinstance(mention, Mention) or mention.is_bot:
            ack()
            return None
        taken = keep(desk, mention)
        context[SAID] = taken
        desk.metrics.mentions.labels(type(taken).__name__).inc()
        if isinstance(taken, NotKept):
            return BoltResponse(status=BRING_IT_AGAIN, body="")
        ack()
        return None

    @never_raises
    def carry_on(body: Body, context: BoltContext) -> None:
        mention, taken = read_mention(body, desk.bot_user_id), context.get(SAID)
        if not isinstance(mention, Mention) or mention.is_bot:
            return
        if isinstance(taken, Started):
            desk.wakeups.wake(taken.run.id)
        if words := told(taken):
            # Beside the mention; in its thread only if it is in one, for nobody has opened one otherwise.
            desk.tell(Place(mention.channel_id, mention.thread_ts, mention.user_id), words)

    app.event("app_mention")(ack=take, lazy=[carry_on])


def keep(desk: Desk, mention: Mention) -> Taken:
    """Who is it, then one transaction, in the time that Slack gives."""
    if not mention.text:
        return TurnedAway(HELP)
    message = NewMessage(
        team_id=mention.team_id,
        channel_id=mention.channel_id,
        thread_ts=mention.thread_ts or mention.ts,
        ts=mention.ts,
        author_id=mention.user_id,
        text=mention.text,
    )

    def work() -> Taken:
        person = desk.people.look_up(mention.user_id, mention.user_team_id, ())
        if person.standing is not Standing.MEMBER:
            turn_away(desk.db, person, mention.channel_id, mention.ts)
            return TurnedAway(WHO if person.standing is Standing.UNKNOWN else STRANGER)
        return start_run(desk.db, desk.agent, message)

    try:
        taken = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("mention.not_kept", channel_id=mention.channel_id, ts=mention.ts, error=type(error).__name__)
        return NotKept()
    return NotKept() if isinstance(taken, TooLate) else taken


def told(taken: Taken | None) -> str | None:
    """What the author is told in private, if anything."""
    match taken:
        case TurnedAway(words):
            return words
        case NotKept() | None:
            return NOT_KEPT
        case Started(run, fresh=True) if run.status is RunStatus.STUCK:
            reason = f": {escape(run.reason)}" if run.reason else ""
            return f"I cannot go on in this thread{reason}. Please mention me outside it, and I begin afresh."
        case Started(run, fresh=True) if run.status is RunStatus.WAITING:
            return KEPT
        case Started():
            return None
