"""What every handler works with, and the two things that all of them do: record a say, and see to the rest."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

import psycopg
import structlog

from approvals.failpoints import Point, reach
from approvals.ledger.cards import places_shown
from approvals.ledger.database import Database
from approvals.ledger.decide import LETS_IT_RUN, Counted, Decided, Outcome, Refused, decide
from approvals.ledger.find import find_approval, find_run
from approvals.ledger.freeze import find_freeze
from approvals.ledger.home_views import mark_home
from approvals.records import Approval, ApprovalKey
from approvals.rules.may_ask import Askable
from approvals.rules.may_decide import Person
from approvals.rules.places import is_direct
from approvals.rules.rule import Approvers
from approvals.rules.select_rule import Policy
from approvals.rules.words import Door, Say, Status
from approvals.wakeup import Wakeups
from bot.cards.answers import NOT_IN_TIME, TRY_AGAIN, answer
from bot.cards.argument_block import arguments_of
from bot.cards.words import Callers
from bot.channels import Channels
from bot.forms.note import told_form
from bot.marks import Kind, no_row
from bot.messenger import Blocks, Later, Messenger, Sent
from bot.metrics import Metrics
from bot.once import Once
from bot.patience import Patience, TooLate
from bot.people import People
from bot.show import Show

log = structlog.get_logger()
T = TypeVar("T")
TITLE: Final = "Countersign"


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The ledger was not reached: nothing happened."""


Said = Outcome | Unrecorded | TooLate


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at a door, as Slack named them; `team_id` is where they are at home."""

    user_id: str
    team_id: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is to be told something that only they see. On their Home (then `channel_id` is empty) nothing
    can be said but in a form, which `trigger_id` opens."""

    channel_id: str
    thread_ts: str | None
    user_id: str
    response_url: str | None = None
    trigger_id: str = ""


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
    policy: Policy
    agents: tuple[Askable, ...]
    channels: Channels
    bot_user_id: str
    freezers: tuple[Approvers, ...] = ()
    told_once: Once = field(default_factory=Once)

    def record(
        self, key: ApprovalKey, say: Say, who: Who, door: Door, note: str | None = None, *, whole: bool = False
    ) -> Said:
        """Look the person up and record what they say, committed, in the time that Slack gives. `whole`: they
        were shown all of the call; else they were if a card can hold it."""

        def work() -> Outcome:
            approval = find_approval(self.db, key.id)
            shown = whole or approval is None or on_the_card(approval)
            return decide(self.db, key, say, self.person(who, approval), door, note, shown_whole=shown)

        said = self.in_time(work, key)
        self.note(said, say, who, key)
        return said

    def in_time(self, work: Callable[[], T], key: ApprovalKey) -> T | Unrecorded | TooLate:
        """The work's own outcome, if the ledger is there and Slack still waits."""
        try:
            return self.patience.wait(work)
        except psycopg.Error as error:
            log.warning("say.unrecorded", approval_id=key.id, error=type(error).__name__)
            return Unrecorded()

    def person(self, who: Who, approval: Approval | None) -> Person:
        """Who this is, and in which of the groups that may decide the approval."""
        person = self.people.towards((who.user_id, who.team_id), approval.approvers if approval else ())
        if person.unknown_groups:
            log.warning("group.unknown", groups=sorted(person.unknown_groups), then="it lets nobody decide")
        return person

    def note(self, said: Said, say: Say, who: Who, key: ApprovalKey) -> None:
        """Count it, and log it by ids only."""
        self.metrics.says.labels(say, named(said)).inc()
        log.info("decision.recorded", approval_id=key.id, say=say, outcome=named(said), user_id=who.user_id)

    def sentence(self, said: Said | None, say: Say, user_id: str) -> str:
        """What the one who said it is told. None: nothing is known of what became of it."""
        match said:
            case Decided() | Counted() | Refused():
                frozen = isinstance(said, Decided) and say in LETS_IT_RUN and self._frozen()
                return answer(said, say, user_id, self.callers(said.approval), frozen=frozen)
            case Unrecorded():
                return TRY_AGAIN
            case TooLate() | None:
                return NOT_IN_TIME

    def _frozen(self) -> bool:
        try:
            return find_freeze(self.db) is not None
        except psycopg.Error:
            # What is said about the time of running is no reason to say nothing about the decision.
            return False

    def callers(self, approval: Approval | None) -> Callers:
        """Those who may decide, or nobody's names if Slack does not say."""
        if approval is None:
            return Callers(unread=True)
        callers = self.people.callers(approval.approvers, approval.requesters)
        return Callers(unread=True) if isinstance(callers, Later) else callers

    def wake(self, said: Said | None) -> None:
        """After the commit, before anything that asks Slack: the effect waits for this, people for the rest."""
        reach(Point.AFTER_ACK)
        approval = approval_of(said)
        if approval is not None and approval.status is not Status.PENDING:
            self.wakeups.wake(approval.run_id)

    def bring_in_line(self, said: Said | None) -> None:
        """The card, also after a refusal, which may have found it expired; and the calls that a vote makes."""
        approval = approval_of(said)
        if approval is None:
            return
        self.show.card(approval.id)
        if isinstance(said, Counted):
            self.show.posts(approval.run_id)

    def tell(self, place: Place, words: str, blocks: Blocks = ()) -> None:
        """For this person's eyes, in the thread; by the click's own address where Slack does not take that."""
        if not place.channel_id:
            self._tell_at_home(place, words)
            return
        outcome = self.messenger.whisper(place.channel_id, place.user_id, words, place.thread_ts, blocks)
        if place.response_url and not isinstance(outcome, Sent):
            outcome = self.messenger.respond(place.response_url, words, place.thread_ts)
        if not isinstance(outcome, Sent):
            log.warning("answer.not_told", user_id=place.user_id, channel_id=place.channel_id, error=outcome.error)

    def refresh_home(self, user_id: str) -> None:
        """Of whoever did something just now: they look at it."""
        mark_home(self.db, user_id)
        self.show.home(user_id)

    def _tell_at_home(self, place: Place, words: str) -> None:
        """In a form; where it is too late for one, in a direct message."""
        opened = self.messenger.open_form(place.trigger_id, told_form(TITLE, words))
        if not isinstance(opened, Sent):
            opened = self.messenger.post(place.user_id, None, words, mark=no_row(Kind.DIRECT))
        if not isinstance(opened, Sent):
            log.warning("answer.not_told", user_id=place.user_id, error=opened.error)

    def tell_sender(self, approval: Approval, user_id: str, words: str) -> None:
        """The one who sent a form, which does not say on which card it was opened: in the run's thread, else under
        the card of a channel, else directly, for they need not be where the run is."""
        for channel_id, thread_ts in self._threads_of(approval):
            if isinstance(self.messenger.whisper(channel_id, user_id, words, thread_ts), Sent):
                return
        outcome = self.messenger.post(user_id, None, words, mark=no_row(Kind.DIRECT))
        if not isinstance(outcome, Sent):
            log.warning("answer.not_told", user_id=user_id, approval_id=approval.id, error=outcome.error)

    def _threads_of(self, approval: Approval) -> Iterator[tuple[str, str | None]]:
        run = find_run(self.db, approval.run_id)
        if run is not None:
            yield run.channel_id, run.thread_ts
        for card in places_shown(self.db, approval.id):
            if not is_direct(card.channel_id) and (run is None or card.channel_id != run.channel_id):
                yield card.channel_id, card.thread_ts


def on_the_card(approval: Approval) -> bool:
    """Whether a card holds the whole call."""
    return arguments_of(approval).whole


def approval_of(said: Said | None) -> Approval | None:
    """What was said something about, if it is known."""
    return said.approval if isinstance(said, Decided | Counted | Refused) else None


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
