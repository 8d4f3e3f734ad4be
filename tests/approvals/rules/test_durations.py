from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.rules.durations import LONGEST, DurationError, format_duration, parse_duration

WHOLE_SECONDS = st.integers(1, int(LONGEST.total_seconds())).map(lambda seconds: timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("text", "seconds"), [("45s", 45), ("30m", 1_800), ("2h", 7_200), ("1d", 86_400), ("365d", 31_536_000)]
)
def test_the_four_units_are_read(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    ["", "30", "m", "0m", "-5m", "1.5h", "30 m", "30M", "1h30m", "030m", "30m\n", "30min", "٣m", "PT30M", "1w"],
)
def test_anything_else_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(DurationError, match="write a whole number and a unit, such as 45s, 30m, 2h or 1d"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["366d", "8761h", "99999999999999999999s", "9" * 5_000 + "d"])
def test_more_than_a_year_is_refused(text: str) -> None:
    with pytest.raises(DurationError, match="the longest duration is 365d"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(seconds=90), "90s"),
        (timedelta(minutes=90), "90m"),
        (timedelta(minutes=60), "1h"),
        (timedelta(hours=48), "2d"),
    ],
)
def test_the_largest_unit_that_fits_exactly_is_written(duration: timedelta, text: str) -> None:
    assert format_duration(duration) == text


@pytest.mark.parametrize("duration", [timedelta(0), timedelta(seconds=-1), timedelta(milliseconds=1_500)])
def test_what_is_not_whole_seconds_is_not_rounded(duration: timedelta) -> None:
    with pytest.raises(DurationError, match="whole seconds"):
        format_duration(duration)


@given(WHOLE_SECONDS)
def test_what_is_written_reads_back_the_same(duration: timedelta) -> None:
    assert parse_duration(format_duration(duration)) == duration
