"""What every handler works with, and the two things that all of them do: record a say, and see to the rest."""

from dataclasses import dataclass

import psycopg
import structlog

from approvals.ledger.database import Database
from approvals.ledger.decide import Counted, Decided, Outcome, Refused, decide
from approvals.ledger.find import find_approval
from approvals.records import Approval, ApprovalKey
from approvals.rules.words import Door, Say, Status
from approvals.wakeup import Wakeups
from bot.cards.answers import NOT_IN_TIME, TRY_AGAIN, answer
from bot.cards.arguments import show_arguments
from bot.cards.words import Callers
from bot.messenger import Later, Messenger, Sent
from bot.metrics import Metrics
from bot.patience import Patience, TooLate
from bot.people import People
from bot.show import Show

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The ledger was not reached: nothing happened."""


Said = Outcome | Unrecorded | TooLate


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is to be told something that only they see."""

    channel_id: str
    thread_ts: str | None
    user_id: str
    response_url: str | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """`messenger` and `people` are quick, for use while Slack waits; `show` has its own, patient ones."""

    db: Database
    messenger: Messenger
    people: People
    show: Show
    wakeups: Wakeups
    patience: Patience
    metrics: Metrics
    agent: str
    bot_user_id: str

    def record(self, key: ApprovalKey, say: Say, user_id: str, team_id: str, door: Door, note: str | None) -> Said:
        """Look the person up and record what they say, committed, in the time that Slack gives."""

        def work() -> Outcome:
            approval = find_approval(self.db, key.id)
            groups = [a.usergroup for a in approval.rule.approvers if a.usergroup] if approval else []
            person = self.people.look_up(user_id, team_id, groups)
            whole = approval is None or show_arguments(approval.args_json).whole
            return decide(self.db, key, say, person, door, note, shown_whole=whole)

        try:
            said: Said = self.patience.wait(work)
        except psycopg.Error as error:
            log.warning("say.unrecorded", approval_id=key.id, say=say, error=type(error).__name__)
            said = Unrecorded()
        self.metrics.says.labels(say, named(said)).inc()
        return said

    def sentence(self, said: Said | None, say: Say, user_id: str) -> str:
        """What the one who said it is told. None: nothing is known of what became of it."""
        match said:
            case Decided() | Counted() | Refused():
                return answer(said, say, user_id, self.callers(said.approval))
            case Unrecorded():
                return TRY_AGAIN
            case TooLate() | None:
                return NOT_IN_TIME

    def callers(self, approval: Approval | None) -> Callers:
        """Those who may decide, or nobody's names if Slack does not say."""
        if approval is None:
            return Callers(unread=True)
        callers = self.people.callers(approval.rule.approvers, approval.requesters)
        return Callers(unread=True) if isinstance(callers, Later) else callers

    def carry_on(self, said: Said | None) -> None:
        """After the commit: wake the run, then bring the card in line. A refusal may have found it expired."""
        approval = said.approval if isinstance(said, Decided | Counted | Refused) else None
        if approval is None:
            return
        if approval.status is not Status.PENDING:
            self.wakeups.wake(approval.run_id)
        self.show.card(approval.id)

    def tell(self, place: Place, words: str) -> None:
        """For this person's eyes, in the thread; by the click's own address where Slack does not take that."""
        outcome = self.messenger.whisper(place.channel_id, place.user_id, words, place.thread_ts)
        if isinstance(outcome, Sent):
            return
        if place.response_url:
            outcome = self.messenger.respond(place.response_url, words, place.thread_ts)
        if not isinstance(outcome, Sent):
            log.warning("answer.not_told", user_id=place.user_id, channel_id=place.channel_id, error=outcome.error)


def named(said: Said) -> str:
    """For counting."""
    match said:
        case Decided():
            return "decided"
        case Counted():
            return "counted"
        case Refused(because, _, why):
            return str(why or because)
        case Unrecorded():
            return "unrecorded"
        case TooLate():
            return "too_late"
