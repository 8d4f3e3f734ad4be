"""How a channel is called, asked of Slack where the configuration names channels; kept for seconds."""

import time
from threading import Lock
from typing import Final

import structlog

from approvals.rules.may_ask import Spot
from approvals.rules.places import is_direct
from bot.messenger import Messenger, Never

# Slack lets us ask fifty times a minute; a channel that was renamed is another one soon.
CACHE_SECONDS: Final = 30.0
MOST: Final = 1024

log = structlog.get_logger()


class Channels:
    """Safe to share between threads."""

    def __init__(self, messenger: Messenger) -> None:
        self._messenger = messenger
        self._lock = Lock()
        self._kept: dict[str, tuple[float, str]] = {}

    def spot(self, channel_id: str) -> Spot:
        """The channel with its name. One that Slack does not let us see has none: it is on nobody's list."""
        if is_direct(channel_id):
            return Spot(channel_id)
        with self._lock:
            at, kept = self._kept.get(channel_id, (0.0, ""))
        if kept and time.monotonic() - at < CACHE_SECONDS:
            return Spot(channel_id, kept)
        name = self._messenger.channel_name(channel_id)
        if name == Never("channel_not_found"):
            return Spot(channel_id)
        if not isinstance(name, str):
            log.warning(
                "channel.unread", channel_id=channel_id, error=name.error, then="no agent of some channels is there"
            )
            return Spot(channel_id, None)
        with self._lock:
            if len(self._kept) >= MOST:
                self._kept.clear()
            self._kept[channel_id] = (time.monotonic(), name)
        return Spot(channel_id, name)
