"""When a report is due: a cron line, read in a zone. Pure: `now` comes in.

cronsim reads the line as Debian's cron does: at a time that the clock skips it is due when the clock has skipped it,
at one that comes twice it is due the first time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

FIELDS: Final = 5
# What was decided in the last moment of a period is committed by then.
SETTLED: Final = timedelta(seconds=15)
MOST_MISSED: Final = 100
# More than any clock is ever put back.
SET_BACK: Final = timedelta(hours=4)
OLDEST: Final = datetime(2000, 1, 1, tzinfo=UTC)


class ScheduleError(ValueError):
    """The text is no cron line."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A cron line of five fields, and the IANA zone in which it is read."""

    cron: str
    timezone: str

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


@dataclass(frozen=True, slots=True)
class Period:
    """What one report covers: after `start`, up to and with `end`. `following` is when the next one is due;
    `missed` counts the reports that should have been posted in between (never more than `MOST_MISSED`)."""

    start: datetime
    end: datetime
    following: datetime
    missed: int = 0


def check_cron(text: str) -> str:
    """The line itself, or ScheduleError."""
    if len(text.split()) != FIELDS:
        raise ScheduleError(f'"{text}" is not a cron line; it needs {FIELDS} fields, such as "0 9 * * 1-5"')
    try:
        # Read to the end: whether a day exists (29 February) is only found by looking for it.
        next(CronSim(text, OLDEST))
    except (CronSimError, StopIteration) as error:
        what = f" ({str(error).lower()})" if isinstance(error, CronSimError) else ""
        raise ScheduleError(f'"{text}" is not a cron line{what}; write one such as "0 9 * * 1-5"') from None
    return text


def latest(schedule: Schedule, now: datetime) -> datetime:
    """The last moment at which it was due, `now` included."""
    # Begun later than now, because the hour that comes twice is one hour to whoever counts backwards.
    begin = (now + SET_BACK).astimezone(schedule.zone)
    back = CronSim(schedule.cron, begin, reverse=True)
    return next(moment for found in back if (moment := found.astimezone(UTC)) <= now)


def following(schedule: Schedule, after: datetime) -> datetime:
    """The first moment after that one."""
    return next(moments(schedule, after))


def moments(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    begin = (after - SET_BACK).astimezone(schedule.zone)
    found = (moment.astimezone(UTC) for moment in CronSim(schedule.cron, begin))
    return (moment for moment in found if moment > after)


def due(schedule: Schedule, reported_until: datetime, now: datetime) -> Period | None:
    """The one period that a report has to cover now, however many reports should have been posted meanwhile."""
    end = latest(schedule, now - SETTLED)
    if end <= reported_until:
        return None
    passed = sum(1 for _ in islice(_until(moments(schedule, reported_until), end), MOST_MISSED))
    return Period(reported_until, end, following(schedule, now), passed)


def _until(found: Iterator[datetime], end: datetime) -> Iterator[datetime]:
    for moment in found:
        if moment >= end:
            return
        yield moment
