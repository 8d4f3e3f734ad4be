"""The figures of a report, from what was closed. Pure.

A decision is a person's: approved, rejected or answered. Its time is that from the opening of the call to the last
vote that it needed.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from approvals.rules.words import Risk, Status

DECIDED: Final = frozenset({Status.APPROVED, Status.REJECTED, Status.ANSWERED})
# Nobody reads a card, its arguments and its warnings in less.
QUICK: Final = timedelta(seconds=3)
DAYS_AT_LEAST: Final = 14
DAYS_AT_MOST: Final = 31


@dataclass(frozen=True, slots=True)
class Closed:
    """One approval that waits no more. `teams` are the names of the sets of approvers that were asked."""

    tool: str
    teams: tuple[str, ...]
    status: Status
    opened_at: datetime
    closed_at: datetime
    edited: bool = False
    risk: Risk | None = None

    @property
    def waited(self) -> timedelta:
        return self.closed_at - self.opened_at


@dataclass(frozen=True, slots=True)
class Times:
    """How long decisions took: half of them at most `p50`, 95 of 100 at most `p95`."""

    name: str
    count: int
    p50: timedelta
    p95: timedelta


@dataclass(frozen=True, slots=True)
class Day:
    """One calendar day of the report's zone."""

    day: date
    decided: int
    expired: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one period; `quick` of the approved ones took less than `QUICK`, all together."""

    count: Mapping[Status, int]
    quick: int
    by_tool: tuple[Times, ...]
    by_team: tuple[Times, ...]

    @property
    def decided(self) -> int:
        return sum(self.count.get(status, 0) for status in DECIDED)

    @property
    def approved(self) -> int:
        return self.count.get(Status.APPROVED, 0)

    @property
    def expired(self) -> int:
        return self.count.get(Status.EXPIRED, 0)

    @property
    def expired_share(self) -> float:
        """Of what people could have decided."""
        asked = self.decided + self.expired
        return self.expired / asked if asked else 0.0

    @property
    def quick_share(self) -> float:
        return self.quick / self.approved if self.approved else 0.0


def figures(closed: Iterable[Closed]) -> Figures:
    rows = list(closed)
    decided = [row for row in rows if row.status in DECIDED]
    return Figures(
        count=Counter(row.status for row in rows),
        quick=sum(row.status is Status.APPROVED and row.waited < QUICK for row in rows),
        by_tool=_times((row.tool, row.waited) for row in decided),
        by_team=_times((team, row.waited) for row in decided for team in row.teams),
    )


def percentile(times: Sequence[timedelta], percent: int) -> timedelta:
    """By nearest rank: the smallest time that at least `percent` of 100 do not exceed. It is one of them."""
    return sorted(times)[max(math.ceil(len(times) * percent / 100), 1) - 1]


def by_day(closed: Iterable[Closed], start: datetime, end: datetime, zone: ZoneInfo) -> tuple[Day, ...]:
    """Every day up to the period's last: those of the period, and as many before as make a picture."""
    last = end.astimezone(zone).date()
    days = min(max((last - start.astimezone(zone).date()).days + 1, DAYS_AT_LEAST), DAYS_AT_MOST)
    counts: dict[date, Counter[bool]] = defaultdict(Counter)
    for row in closed:
        if row.status in DECIDED or row.status is Status.EXPIRED:
            counts[row.closed_at.astimezone(zone).date()][row.status is Status.EXPIRED] += 1
    every = (last - timedelta(days=back) for back in reversed(range(days)))
    return tuple(Day(day, counts[day][False], counts[day][True]) for day in every)


def _times(named: Iterable[tuple[str, timedelta]]) -> tuple[Times, ...]:
    """The most used first."""
    by_name: dict[str, list[timedelta]] = defaultdict(list)
    for name, time in named:
        by_name[name].append(time)
    every = (Times(name, len(t), percentile(t, 50), percentile(t, 95)) for name, t in by_name.items())
    return tuple(sorted(every, key=lambda times: (-times.count, times.name)))
