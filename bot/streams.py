"""Slack's streaming calls, beside messenger.py the only other Web API calls: a message that grows. Where they are not
to be had, that is remembered. Every outcome is a value."""

from datetime import datetime
from typing import Final

from bot.marks import Mark, Unmarked
from bot.messenger import MESSAGES_LOOKED_AT, Messenger, Never, Outcome, Trouble
from bot.refusals import data_of
from bot.replies import read_unmarked

# The app, its token or this Slack has no streams at all; whatever else is refused, is so for the place.
NOWHERE: Final = frozenset(
    {
        "unknown_method",
        "missing_scope",
        "feature_not_enabled",
        "not_allowed_token_type",
        "method_deprecated",
        "deprecated_endpoint",
        "access_denied",
        "no_permission",
    }
)
# Slack's own limit for one call.
MOST_WORDS: Final = 12_000


class Streams:
    """One token's streams. Safe to share between threads."""

    def __init__(self, messenger: Messenger) -> None:
        self._messenger = messenger
        self._nowhere = False
        self._not_in: set[str] = set()

    def available(self, channel_id: str) -> bool:
        """False once Slack has refused a stream there in this process's life."""
        return not self._nowhere and channel_id not in self._not_in

    def start(self, channel_id: str, thread_ts: str, words: str, recipient: tuple[str, str] | None) -> Outcome:
        """A message that is begun; it can carry no mark yet. `recipient`: team and user who asked, whom Slack wants to
        know of in channels."""
        team_id, user_id = recipient or (None, None)
        outcome = self._messenger.ask(
            lambda client: client.chat_startStream(
                channel=channel_id,
                thread_ts=thread_ts,
                markdown_text=words[:MOST_WORDS],
                recipient_team_id=team_id,
                recipient_user_id=user_id,
            )
        )
        if isinstance(outcome, Never):
            self._nowhere = self._nowhere or outcome.error in NOWHERE
            self._not_in.add(channel_id)
        return outcome

    def append(self, channel_id: str, ts: str, words: str) -> Outcome:
        """Some more words, behind those that are there."""
        return self._messenger.ask(
            lambda client: client.chat_appendStream(channel=channel_id, ts=ts, markdown_text=words[:MOST_WORDS])
        )

    def stop(self, channel_id: str, ts: str, words: str, mark: Mark) -> Outcome:
        """The end of it, with the last words. From then on it is a message like others, and has its mark."""
        return self._messenger.ask(
            lambda client: client.chat_stopStream(
                channel=channel_id, ts=ts, markdown_text=words[:MOST_WORDS] or None, metadata=mark.metadata()
            )
        )

    def unmarked(self, channel_id: str, thread_ts: str, since: datetime) -> tuple[Unmarked, ...] | Trouble:
        """Our own replies in a thread that carry no mark, oldest first: of streams, those that were never stopped."""
        me = self._messenger.identity()
        if isinstance(me, Trouble):
            return me
        return self._messenger.look(
            lambda client: client.conversations_replies(
                channel=channel_id,
                ts=thread_ts,
                oldest=f"{since.timestamp():.6f}",
                limit=MESSAGES_LOOKED_AT,
                include_all_metadata=True,
            ),
            lambda answer: read_unmarked(data_of(answer), me.user_id, f"{since.timestamp():.6f}"),
        )
