"""A post that grows in Slack before its words are all there, and how it is finished: as exactly what rendering its row
says, in the same message. By Slack's streams where they are to be had, else by edits. Raises nothing of Slack's."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog

from approvals.ledger.drafts import Draft
from approvals.ledger.posts import Begun, Post
from bot.cards.card import CardMessage
from bot.cards.says import grows
from bot.marks import Kind, Mark
from bot.messenger import Later, Messenger, Never, Outcome, Sent
from bot.posting import MARGIN, Posting, Spot
from bot.streams import Streams

# Refused before anything was done; of any other trouble nobody knows.
NOTHING_DONE: Final = frozenset({"ratelimited", "rate_limited"})
# Whoever must wait longer shows the whole when it is there.
LONGEST_WAIT: Final = 60.0
GONE: Final = Never("message_not_found")
# Slack repeats a Markdown link, a mention, an address, an emoji and `&` in a writing of its own.
WRITTEN_OTHERWISE: Final = re.compile(r"[\[\]<>&|:]|https?|www\.")
CUT_OFF: Final = "(This answer was cut off. The agent begins it again.)"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Growth:
    """How far a draft is. `over`: nothing more is shown before it is finished. `wait`: Slack wants to be left alone
    for so many seconds."""

    draft: Draft
    streaming: bool
    ts: str | None = None
    shown: str = ""
    over: bool = False
    wait: float = 0.0

    @property
    def mark(self) -> Mark:
        """By which the message is found again."""
        return Mark(Kind.POST, self.draft.post_id)


class Drafting:
    """One token's way to let a message grow. Safe to share between threads, one for each message."""

    def __init__(self, messenger: Messenger) -> None:
        self._messenger = messenger
        self._streams = Streams(messenger)
        self._posting = Posting(messenger)

    def streams_in(self, channel_id: str) -> bool:
        """Whether to try a stream there."""
        return self._streams.available(channel_id)

    def grow(self, growth: Growth, words: str) -> Growth:
        """Show so much: one call to Slack, and what it came to. `words` begin with those that are shown."""
        growth = replace(growth, wait=0.0)
        if growth.over or words == growth.shown:
            return growth
        if growth.ts is None:
            return self._begin(growth, words)
        return self._append(growth, words) if growth.streaming else self._edit(growth, words)

    def _begin(self, growth: Growth, words: str) -> Growth:
        draft = growth.draft
        if growth.streaming:
            recipient = (draft.team_id, draft.recipient) if draft.recipient else None
            in_channel = not draft.channel_id.startswith("D")
            outcome = self._streams.start(draft.channel_id, draft.thread_ts, words, recipient if in_channel else None)
            if isinstance(outcome, Never):
                log.info("stream.refused", channel_id=draft.channel_id, error=outcome.error)
                return replace(growth, streaming=False)
        else:
            message = grows(words)
            outcome = self._messenger.post(draft.channel_id, draft.thread_ts, message.text, message.blocks, growth.mark)
        return self._came_to(growth, words, outcome)

    def _append(self, growth: Growth, words: str) -> Growth:
        if not words.startswith(growth.shown) or growth.ts is None:
            return replace(growth, over=True)
        outcome = self._streams.append(growth.draft.channel_id, growth.ts, words[len(growth.shown) :])
        if isinstance(outcome, Sent) or outcome.error in NOTHING_DONE:
            return self._came_to(growth, words, outcome)
        # Slack ends streams by itself after a while; or the words may be there already. An edit says all of them once.
        log.info("stream.ended", channel_id=growth.draft.channel_id, error=outcome.error)
        stopped = self._streams.stop(growth.draft.channel_id, growth.ts, "", growth.mark)
        return replace(growth, streaming=False, over=isinstance(stopped, Later))

    def _edit(self, growth: Growth, words: str) -> Growth:
        message = grows(words)
        outcome = self._messenger.update(growth.draft.channel_id, growth.ts or "", message.text, message.blocks)
        if isinstance(outcome, Later) and outcome.error not in NOTHING_DONE:
            return replace(growth, wait=outcome.seconds)
        return self._came_to(growth, words, outcome)

    def _came_to(self, growth: Growth, words: str, outcome: Outcome) -> Growth:
        if isinstance(outcome, Sent):
            return replace(growth, ts=outcome.ts or growth.ts, shown=words)
        if isinstance(outcome, Later) and outcome.error in NOTHING_DONE and outcome.seconds <= LONGEST_WAIT:
            return replace(growth, wait=outcome.seconds)
        log.info("draft.stays", post_id=growth.draft.post_id, error=outcome.error)
        return replace(growth, over=True)

    def finish(self, post: Post, begun: Begun, message: CardMessage, known: frozenset[str]) -> Outcome:
        """Make the message that was begun the post, or take it away; where there is none, post it. `known`: messages
        that are something else."""
        there = (begun.ts,) if begun.ts else self._find(post, begun, known)
        if isinstance(there, Later):
            return there
        spot = spot_of_post(post)
        for ts in there:
            outcome = self._finish_at(spot, ts, begun, message)
            if outcome != GONE:
                return outcome
        return Sent("") if begun.withdrawn else self._posting.post(spot, message, tried=True)

    def _finish_at(self, spot: Spot, ts: str, begun: Begun, message: CardMessage) -> Outcome:
        if begun.streaming:
            # Who is rung by a stream's end reads there what it says: so the last words go with it.
            rest = "" if begun.withdrawn or not begun.ts else shown_by(message)[begun.shown :]
            stopped = self._streams.stop(spot.channel_id, ts, rest, spot.mark)
            if isinstance(stopped, Later) or stopped == GONE:
                return stopped
        if not begun.withdrawn:
            return self._messenger.update(spot.channel_id, ts, message.text, message.blocks)
        deleted = self._messenger.delete(spot.channel_id, ts)
        if isinstance(deleted, Never) and deleted != GONE:
            return self._messenger.update(spot.channel_id, ts, CUT_OFF, ())
        return deleted

    def _find(self, post: Post, begun: Begun, known: frozenset[str]) -> tuple[str, ...] | Later:
        """Slack's answer to the beginning got lost, or we died of it: then it may be there all the same."""
        spot = spot_of_post(post)
        marked = self._posting.there(spot)
        if isinstance(marked, Later) or marked or not begun.streaming or not post.thread_ts:
            return marked
        since: datetime = post.created_at - MARGIN
        plain = self._streams.unmarked(post.channel_id, post.thread_ts, since)
        if isinstance(plain, Later):
            return plain
        if isinstance(plain, Never):
            return ()
        # An unmarked message may be anybody's who has our token, or of an older version of ours: only what says what
        # we sent is what we sent.
        ours = [m.ts for m in plain if m.ts not in known and begins_alike(m.words, post.text)]
        return tuple(ours[:1])


def spot_of_post(post: Post) -> Spot:
    """Where a post is to be, and how it is found there."""
    return Spot(post.channel_id, post.thread_ts, Mark(Kind.POST, post.id), post.created_at)


def begins_alike(there: str, sent: str) -> bool:
    """Whether Slack repeats the beginning of what it was sent, or of what that has become: as much as both have, by
    letters and digits alone, up to where Slack writes things differently. Nothing begins like nothing."""
    ours, theirs = letters(sent), letters(there)
    least = min(len(ours), len(theirs))
    return least > 0 and ours[:least] == theirs[:least]


def letters(words: str) -> str:
    """The letters and digits before the first link, reference, emoji or escaped character."""
    return "".join(c for c in WRITTEN_OTHERWISE.split(words, maxsplit=1)[0] if c.isalnum())


def shown_by(message: CardMessage) -> str:
    """The words that an answer shows, as Slack is sent them."""
    return str(message.blocks[0]["text"]) if message.blocks else ""
