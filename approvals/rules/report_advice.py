"""What the figures suggest, each with its evidence. Pure; the words are the card's."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from approvals.rules.report import DECIDED, QUICK, Closed
from approvals.rules.words import Risk, Status

# How far back the evidence goes, however short the report's own period is.
WINDOW: Final = timedelta(days=28)
NIGHT_BEGINS: Final = time(22)
NIGHT_ENDS: Final = time(7)
# An expiry now and then is nobody's fault.
FEWEST_EXPIRED: Final = 3
OFTEN_EXPIRED: Final = 0.5
# At night so much more often than by day that it is the hour and not the tool.
NIGHT_OVER_DAY: Final = 2.0
FEWEST_APPROVED: Final = 20
FEWEST_REJECTED: Final = 5
OFTEN_REJECTED: Final = 0.8
FEWEST_TO_CALL_QUICK: Final = 10
OFTEN_QUICK: Final = 0.3


@dataclass(frozen=True, slots=True)
class ExpiresAtNight:
    """Asked at night it expires, asked by day it does not: escalate to people who are awake."""

    tool: str
    expired: int
    asked: int
    expired_by_day: int
    asked_by_day: int


@dataclass(frozen=True, slots=True)
class Expires:
    """It often expires at any hour: give it more time, more people, or an escalation."""

    tool: str
    expired: int
    asked: int


@dataclass(frozen=True, slots=True)
class AlwaysApproved:
    """Nobody ever said no to it or changed it: consider not to ask."""

    tool: str
    approved: int


@dataclass(frozen=True, slots=True)
class MostlyRejected:
    """People hardly ever want it: tell the agent, or take the tool away."""

    tool: str
    rejected: int
    decided: int


@dataclass(frozen=True, slots=True)
class ApprovedUnread:
    """Many approvals, of all tools together, are faster than anybody reads."""

    quick: int
    approved: int


Suggestion = ExpiresAtNight | Expires | AlwaysApproved | MostlyRejected | ApprovedUnread


def suggestions(closed: Iterable[Closed], zone: ZoneInfo) -> tuple[Suggestion, ...]:
    """The tools with the most evidence first; what concerns all of them last."""
    by_tool: dict[str, list[Closed]] = defaultdict(list)
    for row in closed:
        if row.status in DECIDED or row.status is Status.EXPIRED:
            by_tool[row.tool].append(row)
    ordered = sorted(by_tool.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    everything = [row for rows in by_tool.values() for row in rows]
    return (*(one for tool, rows in ordered for one in _of_a_tool(tool, rows, zone)), *_unread(everything))


def at_night(moment: datetime, zone: ZoneInfo) -> bool:
    clock = moment.astimezone(zone).time()
    return clock >= NIGHT_BEGINS or clock < NIGHT_ENDS


def _of_a_tool(tool: str, rows: Sequence[Closed], zone: ZoneInfo) -> Iterator[Suggestion]:
    yield from _expires(tool, rows, zone)
    decided = [row for row in rows if row.status in DECIDED]
    approved = [row for row in decided if row.status is Status.APPROVED]
    rejected = sum(row.status is Status.REJECTED for row in decided)
    # What the policy calls risky is asked for its own sake, however often the answer is yes.
    plain = not any(row.edited or row.risk is Risk.HIGH for row in approved)
    if len(approved) >= FEWEST_APPROVED and len(approved) == len(rows) and plain:
        yield AlwaysApproved(tool, len(approved))
    if rejected >= FEWEST_REJECTED and rejected >= OFTEN_REJECTED * len(decided):
        yield MostlyRejected(tool, rejected, len(decided))


def _expires(tool: str, rows: Sequence[Closed], zone: ZoneInfo) -> Iterator[Suggestion]:
    night = [row for row in rows if at_night(row.opened_at, zone)]
    night_expired, expired = _expired(night), _expired(rows)
    day, day_expired = len(rows) - len(night), expired - night_expired
    if _often(night_expired, len(night)) and night_expired * day >= NIGHT_OVER_DAY * day_expired * len(night):
        yield ExpiresAtNight(tool, night_expired, len(night), day_expired, day)
    elif _often(expired, len(rows)):
        yield Expires(tool, expired, len(rows))


def _expired(rows: Sequence[Closed]) -> int:
    return sum(row.status is Status.EXPIRED for row in rows)


def _often(expired: int, asked: int) -> bool:
    return expired >= FEWEST_EXPIRED and expired >= OFTEN_EXPIRED * asked


def _unread(rows: Sequence[Closed]) -> Iterator[Suggestion]:
    approved = [row for row in rows if row.status is Status.APPROVED]
    quick = sum(row.waited < QUICK for row in approved)
    if len(approved) >= FEWEST_TO_CALL_QUICK and quick >= OFTEN_QUICK * len(approved):
        yield ApprovedUnread(quick, len(approved))
