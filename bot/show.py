"""The one writer of cards and of what a run says: lease, render from the row, send, note, look again.
Slack being in trouble is noted on the row and tried again by the sweep; it raises nothing here."""

from datetime import timedelta
from typing import Final, assert_never

import structlog

from approvals.ledger.cards import Card, card_failed, card_shown, lease_card
from approvals.ledger.database import Database
from approvals.ledger.find import find_approval, replaced_by
from approvals.ledger.posts import Post, lease_posts, post_failed, post_said
from approvals.records import Approval, ApprovalId, RunId
from bot.cards.card import CardMessage, render, render_short
from bot.cards.says import says
from bot.cards.stage import Stage, stage_of
from bot.cards.words import Callers
from bot.messenger import UNSHOWABLE, Later, Messenger, Never, Outcome, Sent
from bot.people import People

# Whatever Slack will not take now, an operator may put right meanwhile: the bot invited, the token renewed.
NEVER_RETRY: Final = timedelta(minutes=10)
LEAST_RETRY_SECONDS: Final = 2.0
# Far more versions than an approval can go through; a loop that does not end would hold a thread.
MOST_WRITES: Final = 50

log = structlog.get_logger()


class Show:
    """Brings Slack in line with the rows. Any number of processes may do so at once."""

    def __init__(self, db: Database, messenger: Messenger, people: People) -> None:
        self._db = db
        self._messenger = messenger
        self._people = people

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

    def _write(self, card: Card, approval: Approval) -> bool:
        outcome = self._send_card(card, approval)
        match outcome:
            case Sent(ts):
                card_shown(self._db, card, ts or card.ts or "", approval.version)
                return True
            case Later() | Never():
                card_failed(self._db, card, outcome.error, retry_in(outcome))
                log.warning("card.not_shown", approval_id=approval.id, error=outcome.error)
                return False
            case _:
                assert_never(outcome)

    def _send_card(self, card: Card, approval: Approval) -> Outcome:
        callers = self._people.callers(approval.rule.approvers, approval.requesters)
        if isinstance(callers, Later):
            if stage_of(approval) in (Stage.WAITING, Stage.UNKNOWN):
                # Posted without its mentions it would ring nobody's phone, and nothing would ring it later.
                return callers
            callers = Callers(unread=True)
        heir = replaced_by(self._db, approval.id) if stage_of(approval) is Stage.SUPERSEDED else None
        outcome = self._send(card, render(approval, callers, heir))
        if isinstance(outcome, Never) and outcome.error in UNSHOWABLE:
            log.error("card.unshowable", approval_id=approval.id, error=outcome.error)
            return self._send(card, render_short(approval, callers))
        return outcome

    def _send(self, card: Card, message: CardMessage) -> Outcome:
        if card.ts is not None:
            outcome = self._messenger.update(card.channel_id, card.ts, message.text, message.blocks)
            if not (isinstance(outcome, Never) and outcome.error == "message_not_found"):
                return outcome
        return self._messenger.post(
            card.channel_id, card.thread_ts, message.text, message.blocks, approval_id=card.approval_id
        )

    def _say(self, post: Post) -> bool:
        outcome = self._send_post(post)
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
        message = says(post.kind, post.text)
        outcome = self._messenger.post(post.channel_id, post.thread_ts, message.text, message.blocks)
        if message.blocks and isinstance(outcome, Never) and outcome.error in UNSHOWABLE:
            return self._messenger.post(post.channel_id, post.thread_ts, message.text)
        return outcome


def retry_in(trouble: Later | Never) -> timedelta:
    """When the sweep tries again."""
    match trouble:
        case Later(seconds, _):
            return timedelta(seconds=max(seconds, LEAST_RETRY_SECONDS))
        case Never():
            return NEVER_RETRY
        case _:
            assert_never(trouble)
