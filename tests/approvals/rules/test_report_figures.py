"""The figures of a report against values worked out by hand, and what must hold of any."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.report import DECIDED, Closed, Day, Times, by_day, figures, percentile
from approvals.rules.report_advice import (
    AlwaysApproved,
    ApprovedUnread,
    Expires,
    ExpiresAtNight,
    MostlyRejected,
    suggestions,
)
from approvals.rules.words import Risk, Status

NOON = datetime(2026, 10, 14, 12, tzinfo=UTC)
NIGHT = datetime(2026, 10, 14, 1, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def closed(
    status: Status,
    waited: float = 60,
    tool: str = "scale",
    opened: datetime = NOON,
    teams: tuple[str, ...] = ("oncall",),
    edited: bool = False,
    risk: Risk | None = None,
) -> Closed:
    return Closed(tool, teams, status, opened, opened + seconds(waited), edited, risk)


def test_shares_and_counts_by_hand() -> None:
    found = figures(
        [
            closed(Status.APPROVED, 2),
            closed(Status.APPROVED, 2.999),
            closed(Status.APPROVED, 3),
            closed(Status.APPROVED, 600),
            closed(Status.REJECTED, 1),
            closed(Status.ANSWERED, 30),
            closed(Status.EXPIRED, 1800),
            closed(Status.EXPIRED, 1800),
            closed(Status.CANCELLED, 5),
            closed(Status.SUPERSEDED, 5),
        ]
    )
    assert (found.decided, found.approved, found.expired) == (6, 4, 2)
    # Two of the eight that people could have decided; what was cancelled or superseded was taken from them.
    assert found.expired_share == 0.25
    assert (found.quick, found.quick_share) == (2, 0.5)


def test_times_by_tool_and_by_team_by_hand() -> None:
    rows = [closed(Status.APPROVED, n, "scale") for n in range(1, 21)]
    rows += [closed(Status.REJECTED, 100, "restart", teams=("oncall", "leads")), closed(Status.EXPIRED, 9_999)]
    found = figures(rows)
    assert found.by_tool == (
        Times("scale", 20, seconds(10), seconds(19)),
        Times("restart", 1, seconds(100), seconds(100)),
    )
    assert found.by_team == (
        Times("oncall", 21, seconds(11), seconds(20)),
        Times("leads", 1, seconds(100), seconds(100)),
    )


def test_a_period_without_anything_has_no_shares() -> None:
    found = figures([])
    assert (found.decided, found.expired_share, found.quick_share, found.by_tool) == (0, 0.0, 0.0, ())


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60), st.sampled_from([50, 95]))
def test_a_percentile_is_the_smallest_time_that_so_many_do_not_exceed(numbers: list[int], percent: int) -> None:
    times = [seconds(number) for number in numbers]
    found = percentile(times, percent)
    assert found in times
    assert sum(time <= found for time in times) * 100 >= percent * len(times)
    assert sum(time < found for time in times) * 100 < percent * len(times)


ROWS = st.lists(
    st.builds(
        closed,
        st.sampled_from(list(Status)),
        st.floats(0, 10**5),
        st.sampled_from(["scale", "restart", "page"]),
        st.datetimes(datetime(2026, 10, 5), datetime(2026, 10, 13)).map(lambda at: at.replace(tzinfo=UTC)),  # noqa: DTZ001
    ),
    max_size=40,
)


@given(ROWS)
def test_every_decision_is_counted_once_by_tool_once_by_team_and_on_one_day(rows: list[Closed]) -> None:
    found, count = figures(rows), Counter(row.status for row in rows)
    decided = sum(count[status] for status in DECIDED)
    days = by_day(rows, NOON - timedelta(days=13), NOON + timedelta(days=1), BERLIN)
    assert found.decided == sum(t.count for t in found.by_tool) == sum(t.count for t in found.by_team) == decided
    assert sum(day.decided for day in days) == decided
    assert sum(day.expired for day in days) == count[Status.EXPIRED] == found.expired
    assert all(times.p50 <= times.p95 for times in (*found.by_tool, *found.by_team))


def test_days_are_those_of_the_reports_zone() -> None:
    late = datetime(2026, 10, 14, 22, 30, tzinfo=UTC)
    days = by_day([closed(Status.APPROVED, 0, opened=late), closed(Status.EXPIRED, 0)], NOON, late, BERLIN)
    assert days[-2:] == (Day(late.date(), 0, 1), Day(late.astimezone(BERLIN).date(), 1, 0))
    assert len(days) == 14


def test_a_long_period_has_all_its_days_up_to_a_month() -> None:
    assert len(by_day([], NOON - timedelta(days=20), NOON, BERLIN)) == 21
    assert len(by_day([], NOON - timedelta(days=300), NOON, BERLIN)) == 31


def test_what_expires_at_night_is_told_from_what_expires_always() -> None:
    night = [closed(Status.EXPIRED, opened=NIGHT)] * 9 + [closed(Status.APPROVED, opened=NIGHT)] * 3
    day = [closed(Status.APPROVED)] * 29 + [closed(Status.EXPIRED)]
    assert suggestions(night + day, BERLIN) == (ExpiresAtNight("scale", 9, 12, 1, 30),)
    assert suggestions([closed(Status.EXPIRED)] * 3, BERLIN) == (Expires("scale", 3, 3),)
    assert suggestions([closed(Status.EXPIRED)] * 2, BERLIN) == ()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([closed(Status.APPROVED, tool="get_pods")] * 40, (AlwaysApproved("get_pods", 40),)),
        ([closed(Status.APPROVED)] * 19, ()),
        ([closed(Status.APPROVED)] * 40 + [closed(Status.REJECTED)], ()),
        ([closed(Status.APPROVED)] * 40 + [closed(Status.EXPIRED)], ()),
        ([closed(Status.APPROVED)] * 39 + [closed(Status.APPROVED, edited=True)], ()),
        ([closed(Status.APPROVED, risk=Risk.HIGH)] * 40, ()),
        ([closed(Status.REJECTED)] * 8 + [closed(Status.APPROVED)] * 2, (MostlyRejected("scale", 8, 10),)),
        ([closed(Status.REJECTED)] * 7 + [closed(Status.APPROVED)] * 3, ()),
        ([closed(Status.APPROVED, 1)] * 3 + [closed(Status.APPROVED)] * 7, (ApprovedUnread(3, 10),)),
        ([closed(Status.APPROVED, 1)] * 2 + [closed(Status.APPROVED)] * 8, ()),
    ],
)
def test_a_suggestion_needs_its_evidence(rows: list[Closed], said: tuple[object, ...]) -> None:
    assert suggestions(rows, BERLIN) == said
