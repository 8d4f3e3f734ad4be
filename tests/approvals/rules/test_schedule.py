"""When a report is due, also where the clock changes and after an outage."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals.rules.schedule import (
    MOST_MISSED,
    SETTLED,
    Period,
    Schedule,
    ScheduleError,
    check_cron,
    due,
    following,
    latest,
    moments,
)

BERLIN = ZoneInfo("Europe/Berlin")
AT_NIGHT = Schedule("30 2 * * *", "Europe/Berlin")
CRONS = ["30 2 * * *", "0 * * * *", "*/20 * * * *", "0 9 * * 1-5", "15 1,2,3 * * *", "0 0 1 * *", "0 9 * * MON"]
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC", "America/Sao_Paulo"]


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type]


def test_a_time_that_the_clock_skips_is_due_when_it_was_skipped() -> None:
    found = list(islice(moments(AT_NIGHT, utc(2026, 3, 27, 12)), 3))
    # On the 29th two o'clock is three o'clock.
    assert found == [utc(2026, 3, 28, 1, 30), utc(2026, 3, 29, 1, 0), utc(2026, 3, 30, 0, 30)]


def test_a_time_that_comes_twice_is_due_the_first_time() -> None:
    first, again = utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30)
    assert first.astimezone(BERLIN).strftime("%H:%M") == again.astimezone(BERLIN).strftime("%H:%M") == "02:30"
    assert list(islice(moments(AT_NIGHT, utc(2026, 10, 24, 12)), 2)) == [first, utc(2026, 10, 26, 1, 30)]
    assert latest(AT_NIGHT, again) == latest(AT_NIGHT, again - timedelta(minutes=10)) == first
    assert following(AT_NIGHT, again - timedelta(minutes=15)) == utc(2026, 10, 26, 1, 30)


@given(
    cron=st.sampled_from(CRONS),
    zone=st.sampled_from(ZONES),
    now=st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001 - made aware below
)
@settings(max_examples=150, deadline=None)
def test_every_moment_is_met_once_from_either_side(cron: str, zone: str, now: datetime) -> None:
    schedule, now = Schedule(cron, zone), now.replace(tzinfo=UTC)
    before, after = latest(schedule, now), following(schedule, now)
    assert before <= now < after
    assert following(schedule, before) == after
    assert latest(schedule, after) == after
    assert latest(schedule, after - timedelta(seconds=1)) == before


def test_it_is_due_once_what_was_decided_in_its_last_moment_is_written() -> None:
    schedule = Schedule("0 9 * * 1-5", "UTC")
    monday, tuesday, wednesday = utc(2026, 10, 12, 9), utc(2026, 10, 13, 9), utc(2026, 10, 14, 9)
    assert due(schedule, monday, tuesday + SETTLED - timedelta(seconds=1)) is None
    assert due(schedule, monday, tuesday + SETTLED) == Period(monday, tuesday, wednesday)
    assert due(schedule, tuesday, tuesday + SETTLED) is None


def test_after_an_outage_one_period_covers_all_that_were_missed() -> None:
    schedule = Schedule("0 9 * * 1-5", "UTC")
    friday, monday, wednesday = utc(2026, 10, 9, 9), utc(2026, 10, 12, 9), utc(2026, 10, 14, 9)
    assert due(schedule, friday, monday + timedelta(hours=1)) == Period(friday, monday, utc(2026, 10, 13, 9))
    assert due(schedule, friday, wednesday + timedelta(hours=5)) == Period(friday, wednesday, utc(2026, 10, 15, 9), 2)


def test_missed_reports_are_counted_only_so_far() -> None:
    found = due(Schedule("* * * * *", "UTC"), utc(2026, 1, 1), utc(2026, 6, 1))
    assert found is not None
    assert found.missed == MOST_MISSED


def test_a_cron_line_that_was_moved_back_reports_nothing_twice() -> None:
    assert due(Schedule("0 2 * * *", "UTC"), utc(2026, 10, 12, 9), utc(2026, 10, 12, 15)) is None


@pytest.mark.parametrize("text", ["", "@daily", "0 9 * *", "* * * * * *", "0 24 * * *", "0 9 31 2 *", "0 9 * * MON#9"])
def test_what_is_no_cron_line(text: str) -> None:
    with pytest.raises(ScheduleError, match="is not a cron line"):
        check_cron(text)


@pytest.mark.parametrize("text", ["0 9 * * 1-5", "*/5 8-18 * * MON-FRI", "0 9 29 2 *", "0 9 L * *"])
def test_what_is_one(text: str) -> None:
    assert check_cron(text) == text
