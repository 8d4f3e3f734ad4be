"""Posting what must appear once. Slack takes a message and the answer gets lost, or we die before we note it:
so before a second try we look whether the first one is there, and afterwards that there is only one."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from approvals.ledger.cards import Card
from approvals.records import Approval
from bot.cards.card import CardMessage
from bot.marks import Kind, Mark
from bot.messenger import Later, Messenger, Never, Outcome, Sent
from bot.replies import Identity

# Slack's clock names the messages, ours says since when we look.
MARGIN: Final = timedelta(minutes=10)
# Before Slack has said otherwise, a place may be named `#ops`, or be a person; only these can be read.
READABLE: Final = ("C", "G", "D")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message is to be, under which mark, and since when it can be there."""

    channel_id: str
    thread_ts: str | None
    mark: Mark
    since: datetime


def spot_of(card: Card, approval: Approval) -> Spot:
    """Where a card is to be, and how it is found there."""
    return Spot(card.channel_id, card.thread_ts, Mark(Kind.CARD, approval.id), approval.opened_at)


def report_spot(channel: str, report_id: str, since: datetime) -> Spot:
    """Where a scheduled report is to be."""
    return Spot(channel, None, Mark(Kind.REPORT, report_id), since)


class Posting:
    """Posts, and reads what it posted."""

    def __init__(self, messenger: Messenger) -> None:
        self._messenger = messenger

    def post(self, spot: Spot, message: CardMessage, *, tried: bool) -> Outcome:
        """Post it; if it was `tried` before, bring the one that got there up to date instead."""
        if not tried:
            return self._post(spot, message)
        there = self.there(spot)
        if isinstance(there, Later):
            return there
        for ts in there:
            outcome = self._messenger.update(spot.channel_id, ts, message.text, message.blocks)
            if outcome != Never("message_not_found"):
                log.info("message.found_again", channel_id=spot.channel_id, ts=ts)
                return self._alone(spot, outcome)
        return self._alone(spot, self._post(spot, message))

    def take_back(self, channel_id: str, ts: str) -> None:
        """Another writer was first: theirs is the one that counts."""
        self._messenger.delete(channel_id, ts)
        log.info("message.taken_back", channel_id=channel_id, ts=ts)

    def _post(self, spot: Spot, message: CardMessage) -> Outcome:
        return self._messenger.post(spot.channel_id, spot.thread_ts, message.text, message.blocks, spot.mark)

    def _alone(self, spot: Spot, outcome: Outcome) -> Outcome:
        """Delete its doubles: nobody shall press a button on a card that is not kept up to date."""
        if isinstance(outcome, Sent):
            where = outcome.channel_id or spot.channel_id
            there = self.there(replace(spot, channel_id=where))
            for ts in there if isinstance(there, tuple) else ():
                if ts != outcome.ts:
                    self.take_back(where, ts)
        return outcome

    def there(self, spot: Spot) -> tuple[str, ...] | Later:
        """Our messages with this mark. What cannot be read (a scope is missing, the bot is not in the channel) is
        taken for nothing: a card that might be there twice is better than one that might not be there."""
        me = self._messenger.identity()
        if isinstance(me, Later):
            return me
        if not isinstance(me, Identity) or not spot.channel_id.startswith(READABLE):
            return ()
        marked = self._messenger.marked(spot.channel_id, spot.thread_ts, spot.since - MARGIN)
        if isinstance(marked, Later):
            return marked
        if isinstance(marked, Never):
            log.warning("messages.unreadable", channel_id=spot.channel_id, error=marked.error)
            return ()
        return tuple(m.ts for m in marked if m.user_id == me.user_id and m.metadata == spot.mark.metadata())
