"""The one writer of cards and of what a run says: lease, render from the row, send, note, look again.
Slack being in trouble is noted on the row and tried again by the sweep; it raises nothing here."""

from dataclasses import replace
from datetime import timedelta
from typing import Final, assert_never

import structlog

from approvals.failpoints import Point, reach
from approvals.ledger.cards import (
    Card,
    bring_back,
    call_directly,
    card_failed,
    card_shown,
    lease_card,
)
from approvals.ledger.database import Database
from approvals.ledger.drafts import messages_of
from approvals.ledger.find import find_approval, secrets_of_run
from approvals.ledger.posts import Post, lease_posts, post_failed, post_said
from approvals.ledger.status_line import StatusLine, lease_status_line, status_line_failed, status_line_shown
from approvals.records import Approval, ApprovalId, RunId
from approvals.rules.places import CardKind
from approvals.rules.redact import hide_text
from bot.cards.calling import calling
from bot.cards.card import CardMessage, render, render_short
from bot.cards.progress import progress
from bot.cards.says import says
from bot.cards.words import barred
from bot.drafting import Drafting, spot_of_post
from bot.homes import Homes
from bot.marks import Kind, Mark
from bot.messenger import UNSHOWABLE, Later, Messenger, Never, Outcome, Sent
from bot.people import People
from bot.posting import Posting, Spot, spot_of
from bot.surroundings import Surroundings

# Whatever Slack will not take now, an operator may put right meanwhile: the bot invited, the token renewed.
NEVER_RETRY: Final = timedelta(minutes=10)
LEAST_RETRY_SECONDS: Final = 2.0
# Far more versions than an approval can go through; a loop that does not end would hold a thread.
MOST_WRITES: Final = 50
# Who has more people on call than this gives the rule a `route`.
MOST_CALLED: Final = 50
# In place of a Slack ts, for a post that was never needed.
NOTHING_TO_SAY: Final = "-"

log = structlog.get_logger()


class Show:
    """Brings Slack in line with the rows. Any number of processes may do so at once."""

    def __init__(self, db: Database, messenger: Messenger, people: People, *, several_agents: bool = False) -> None:
        self._several_agents = several_agents
        self._db = db
        self._messenger = messenger
        self._people = people
        self._posting = Posting(messenger)
        self._drafting = Drafting(messenger)
        self._surroundings = Surroundings(db, people)
        self._homes = Homes(db, messenger, people)

    def card(self, approval_id: ApprovalId) -> None:
        """Write every card of the approval that shows less than its row, until none does."""
        for _ in range(MOST_WRITES):
            card = lease_card(self._db, approval_id)
            if card is None:
                return
            approval = find_approval(self._db, approval_id)
            if approval is None or not self._write(card, approval):
                return
        log.warning("card.keeps_lagging", approval_id=approval_id)

    def posts(self, run_id: RunId | None = None) -> None:
        """Say what waits to be said, of one run or of all, each run's in order."""
        held: set[RunId] = set()
        for post in lease_posts(self._db, run_id):
            if post.run_id in held:
                post_failed(self._db, post.id, "waits for an earlier message", timedelta(seconds=LEAST_RETRY_SECONDS))
            elif not self._say(post):
                held.add(post.run_id)

    def home(self, user_id: str) -> None:
        """Draw one person's Home, if they have one and it may show less than there is."""
        self._homes.one(user_id)

    def homes(self, most: int) -> int:
        """Draw at most so many that may; how many."""
        return self._homes.some(most)

    def status_line(self, run_id: RunId) -> None:
        """Bring one run's line up to date, unless it was written a moment ago: then the sweep does it."""
        self._status_lines(run_id)

    def status_lines(self) -> None:
        """Bring every line up to date that lags."""
        self._status_lines(None)

    def _status_lines(self, run_id: RunId | None) -> None:
        for _ in range(MOST_WRITES):
            line = lease_status_line(self._db, run_id)
            if line is None:
                return
            message = progress(self._hiding(line), named=self._several_agents)
            outcome = (
                self._messenger.update(line.channel_id, line.ts, message.text, message.blocks)
                if line.ts
                else self._posting.post(
                    Spot(line.channel_id, line.thread_ts, Mark(Kind.STATUS_LINE, line.id), line.began_at),
                    message,
                    tried=line.tried,
                )
            )
            if isinstance(outcome, Sent):
                status_line_shown(self._db, line, outcome.ts)
            else:
                status_line_failed(self._db, line, retry_in(outcome))

    def _hiding(self, line: StatusLine) -> StatusLine:
        """A tool may have written anything into it."""
        return replace(line, doing=hide_text(line.doing, secrets_of_run(self._db, line.run_id))) if line.note else line

    def _write(self, card: Card, approval: Approval) -> bool:
        if card.kind is CardKind.CALLS:
            return self._call_directly(card, approval)
        outcome = self._send_card(card, approval)
        match outcome:
            case Sent(ts, channel_id):
                if not card_shown(self._db, card, ts or card.ts or "", approval.version, channel_id or None):
                    self._posting.take_back(channel_id or card.channel_id, ts)
                return True
            case Never(error) if card.ts is None and bring_back(self._db, card, error):
                log.warning("card.brought_back", approval_id=approval.id, error=error)
                return True
            case Later() | Never():
                return self._failed(card, outcome)
            case _:
                assert_never(outcome)

    def _failed(self, card: Card, trouble: Later | Never) -> bool:
        card_failed(self._db, card, trouble.error, retry_in(trouble))
        log.warning("card.not_shown", approval_id=card.approval_id, error=trouble.error)
        return False

    def _call_directly(self, calls: Card, approval: Approval) -> bool:
        """Nobody but the one who asked sees the run's channel: a card for each of those who may decide."""
        found = self._people.deciders(approval.approvers, approval.requesters)
        if isinstance(found, Later):
            return self._failed(calls, found)
        able = [user_id for user_id in found if user_id not in barred(approval)]
        if not able:
            bring_back(self._db, calls, "nobody can be asked")
            return True
        call_directly(self._db, calls, able[:MOST_CALLED])
        return True

    def _send_card(self, card: Card, approval: Approval) -> Outcome:
        around = self._surroundings.of(card, approval)
        if isinstance(around, Later):
            return around
        reach(Point.BEFORE_CARD_SENT)
        outcome = self._send(card, approval, render(approval, around, card.kind))
        reach(Point.AFTER_CARD_SENT)
        if isinstance(outcome, Never) and outcome.error in UNSHOWABLE:
            log.error("card.unshowable", approval_id=approval.id, error=outcome.error)
            return self._send(card, approval, render_short(approval, around))
        return outcome

    def _send(self, card: Card, approval: Approval, message: CardMessage) -> Outcome:
        if card.ts is not None:
            outcome = self._messenger.update(card.channel_id, card.ts, message.text, message.blocks)
            if not (isinstance(outcome, Never) and outcome.error == "message_not_found"):
                return outcome
        return self._posting.post(spot_of(card, approval), message, tried=card.tried)

    def _say(self, post: Post) -> bool:
        reach(Point.BEFORE_POST_SENT)
        outcome = self._send_post(post)
        reach(Point.AFTER_POST_SENT)
        match outcome:
            case Sent(ts):
                post_said(self._db, post.id, ts)
                return True
            case Later() | Never():
                post_failed(self._db, post.id, outcome.error, retry_in(outcome))
                log.warning("post.not_said", run_id=post.run_id, error=outcome.error)
                return False
            case _:
                assert_never(outcome)

    def _send_post(self, post: Post) -> Outcome:
        message = self._worded(post)
        if message is None:
            return Sent(NOTHING_TO_SAY)
        if isinstance(message, Later):
            return message
        outcome = self._send_worded(post, message)
        if message.blocks and isinstance(outcome, Never) and outcome.error in UNSHOWABLE:
            return self._send_worded(replace(post, tried=False), CardMessage(message.text, ()))
        return outcome

    def _send_worded(self, post: Post, message: CardMessage) -> Outcome:
        if post.begun is None:
            return self._posting.post(spot_of_post(post), message, tried=post.tried)
        outcome = self._drafting.finish(post, post.begun, message, messages_of(self._db, post.run_id))
        return Sent(NOTHING_TO_SAY) if post.begun.withdrawn and isinstance(outcome, Sent) else outcome

    def _worded(self, post: Post) -> CardMessage | Later | None:
        """None: what it would have said is no longer so."""
        if post.approval_id is None:
            return says(post.kind, hide_text(post.text, secrets_of_run(self._db, post.run_id)))
        approval = find_approval(self._db, post.approval_id)
        if approval is None:
            return None
        if post.thread_ts is None:
            return Later(LEAST_RETRY_SECONDS, "its card has not been posted")
        callers = self._people.callers(approval.approvers, approval.requesters)
        if isinstance(callers, Later):
            return callers
        words = calling(post.kind, approval, callers)
        return CardMessage(words, ()) if words else None


def retry_in(trouble: Later | Never) -> timedelta:
    """When the sweep tries again."""
    match trouble:
        case Later(seconds, _):
            return timedelta(seconds=max(seconds, LEAST_RETRY_SECONDS))
        case Never():
            return NEVER_RETRY
        case _:
            assert_never(trouble)
