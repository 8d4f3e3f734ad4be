"""A report as one Slack message, made for a phone: short sections, no table, within Slack's limits. Pure.

Nobody's phone rings for it: the mentions are in the blocks, and none is in the text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from approvals.ledger.report import Named, Report
from approvals.records import Approval
from approvals.rules.report import Day, Times
from bot.cards.blocks import Block, context, header, mrkdwn, section, text_size
from bot.cards.card import CardMessage
from bot.cards.escape import escape
from bot.cards.report_lines import (
    expired_line,
    expiring_line,
    percent,
    suggestion_line,
    times_line,
    unknown_line,
)
from bot.cards.sizes import BLOCK_TEXT, size
from bot.cards.words import at

# A section holds 3,000 characters; a line that does not fit is counted, never cut in two.
SECTION: Final = 2_400
MOST_TIMES: Final = 6
MOST_SUGGESTIONS: Final = 5
CHART_TITLE: Final = "Decisions and expiries by day"


def report_message(report: Report, *, by_hand: bool = False) -> CardMessage:
    """What stands in the channel; chart and CSV follow in its thread."""
    if report.nothing_happened:
        return CardMessage(nothing_line(report), ())
    for room in (10, 5, 2, 0):
        blocks = [*_head(report, by_hand=by_hand), *_body(report, room), _foot(report)]
        if text_size(blocks) <= BLOCK_TEXT:
            break
    return CardMessage(lock_line(report), tuple(blocks))


def lock_line(report: Report) -> str:
    """What a locked phone shows, and a screen reader says first."""
    counted, days = report.figures, _plain_period(report)
    return (
        f"Report {escape(report.name)}, {days}: {counted.expired} expired, {counted.decided} decided, "
        f"{report.expiring.total} will expire before the next one, {report.unknown.total} unknown."
    )


def nothing_line(report: Report) -> str:
    return (
        f"Report {escape(report.name)}, {_plain_period(report)}: nothing was decided, nothing expired, "
        "nothing waits and no effect is unknown."
    )


def _head(report: Report, *, by_hand: bool) -> Iterator[Block]:
    yield header(f"{report.name}: {report.figures.expired} expired, {report.figures.decided} decided")
    yield context(mrkdwn(f"{_moment(report.period.start)} to {_moment(report.period.end)}"))
    if by_hand:
        yield context(mrkdwn("Posted by hand, beside the scheduled ones."))
    if missed := report.period.missed:
        reports = "1 earlier report was" if missed == 1 else f"{missed} earlier reports were"
        yield section(f"*Catch-up.* {reports} not posted. This one covers their time as well.")
    yield section(_summary(report))


def _summary(report: Report) -> str:
    counted = report.figures
    lines = [
        f"*{counted.expired}* expired and {_was(counted.expired)} refused, nobody decided"
        + (f" ({percent(counted.expired_share)})" if counted.expired else ""),
        f"*{counted.decided}* decided by people",
        f"*{report.expiring.total}* will expire before {at(report.period.following)}",
        f"*{report.unknown.total}* {'effect' if report.unknown.total == 1 else 'effects'} unknown",
    ]
    if counted.approved:
        lines.append(f"{percent(counted.quick_share)} approved in under 3 s ({counted.quick} of {counted.approved})")
    return "\n".join(lines)


def _body(report: Report, room: int) -> Iterator[Block]:
    def expired(approval: Approval) -> str:
        return expired_line(approval, report.reminders.get(approval.id, 0))

    yield from _listed("Unknown effects, still open", report.unknown, unknown_line, room)
    yield from _listed("Will expire before the next report", report.expiring, expiring_line, room)
    yield from _listed("Expired, did not run", report.expired, expired, room)
    yield from _times("Time to decide by tool", report.figures.by_tool)
    yield from _times("Time to decide by team", report.figures.by_team)
    if report.suggestions:
        lines = [suggestion_line(one) for one in report.suggestions[:MOST_SUGGESTIONS]]
        yield section(_joined("*Worth a look* (last 28 days)", lines, len(report.suggestions)))


def _listed(title: str, named: Named, line: Callable[[Approval], str], room: int) -> Iterator[Block]:
    if named.total:
        yield section(_joined(f"*{title}: {named.total}*", map(line, named.shown[:room]), named.total))


def _times(title: str, times: Sequence[Times]) -> Iterator[Block]:
    if times:
        heading = f"*{title}*: p50, p95 (count)"
        yield section(_joined(heading, map(times_line, times[:MOST_TIMES]), len(times)))


def _joined(heading: str, lines: Iterable[str], total: int) -> str:
    """As many whole lines as a section holds, and how many there are beside them."""
    text, shown = heading, 0
    for line in lines:
        if size(text) + size(line) > SECTION:
            break
        text, shown = f"{text}\n{line}", shown + 1
    left = total - shown
    return f"{text}\nand {left:,} more" if left else text


def chart_in_words(days: Sequence[Day]) -> str:
    """For whoever cannot see the picture."""
    busy = [_day_line(day) for day in days if day.decided + day.expired]
    return f"{CHART_TITLE}. {'; '.join(busy) or 'Nothing on any day'}."


def _day_line(day: Day) -> str:
    return f"{day.day:%a %d %b}: {day.decided} decided, {day.expired} expired"


def _foot(report: Report) -> Block:
    cut = " More was closed than a report looks at: the oldest is not in the figures." if report.cut else ""
    return context(mrkdwn(f"In the thread: the chart, and every call as CSV.{cut}"))


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _moment(moment: datetime) -> str:
    return at(moment, "{date_short_pretty} {time}")


def _plain_period(report: Report) -> str:
    """In the report's own zone: tokens of dates are not read in a notification."""
    zone = report.schedule.zone
    start, end = report.period.start.astimezone(zone), report.period.end.astimezone(zone)
    return f"{start:%d %b %H:%M} to {end:%d %b %H:%M %Z}"
