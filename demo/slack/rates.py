"""Slack's rate tiers, when they are switched on. Counts calls; knows nothing of what they do."""

import math
from collections import deque
from dataclasses import dataclass

from demo.slack.workspace import Workspace


class TooMany(Exception):
    """Slack answers 429."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Allowance:
    calls: int
    seconds: float


TIERS = {tier: Allowance(calls, 60) for tier, calls in {1: 1, 2: 20, 3: 50, 4: 100, 5: 600}.items()}
# One message a second per channel; short bursts are tolerated, how long is not published.
POSTING = Allowance(5, 5)


class Rates:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: dict[str, deque[float]] = {}

    def count(self, method: str, tier: int, channel: str | None) -> None:
        if method == "chat.postMessage":
            self._count(f"{method} {channel}", POSTING)
        self._count(method, TIERS[tier])

    def _count(self, key: str, allowance: Allowance) -> None:
        now = self._workspace.now()
        seen = self._seen.setdefault(key, deque())
        while seen and seen[0] <= now - allowance.seconds:
            seen.popleft()
        if len(seen) >= allowance.calls:
            raise TooMany(max(1, math.ceil(seen[0] + allowance.seconds - now)))
        seen.append(now)
