"""Each report once per period, however many clocks there are and however long none was."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from approvals.ledger.database import Database
from approvals.ledger.report_runs import ReportRun, claim_report, report_done, report_failed, report_posting
from approvals.rules.schedule import SETTLED, Schedule
from tests.approvals.ledger.report_world import set_clock, stop_clock
from tests.approvals.ledger.world import World

BERLIN = ZoneInfo("Europe/Berlin")
AT_NIGHT = Schedule("30 2 * * *", "Europe/Berlin")
DAILY = Schedule("0 9 * * *", "UTC")
# Rows have times of their own, so that a stopped clock must be ahead of the true one.
YEAR = datetime.now(UTC).year + 1
MONDAY = datetime(YEAR, 6, 1, 9, 0, tzinfo=UTC)
MOMENT = timedelta(minutes=1)


@pytest.fixture
def clock(own_world: World) -> Iterator[Callable[[datetime], Database]]:
    """Puts the database's clock somewhere and gives the database."""
    stopped: list[Database] = []

    def put(at: datetime) -> Database:
        if stopped:
            set_clock(stopped[0], at)
        else:
            stopped.append(stop_clock(own_world.db, at))
        return stopped[0]

    yield put
    for db in stopped:
        db.close()


def claimed(db: Database, schedule: Schedule = DAILY, channel: str = "#ops") -> ReportRun | None:
    return claim_report(db, "expiry", channel, schedule)


def posted(db: Database, schedule: Schedule = DAILY) -> tuple[datetime, datetime, int] | None:
    """What the report that is due covers, once it is done."""
    run = claimed(db, schedule)
    if run is None:
        return None
    report_done(db, run)
    return run.period.start, run.period.end, run.period.missed


def last_sunday(month: int) -> datetime:
    end = datetime(YEAR, month, 31, tzinfo=BERLIN)
    return end - timedelta(days=(end.weekday() + 1) % 7)


def test_a_new_report_begins_when_a_clock_first_reads_it(clock: Callable[[datetime], Database]) -> None:
    db = clock(MONDAY + timedelta(hours=5))
    assert posted(db) is None
    assert posted(clock(MONDAY + timedelta(hours=23))) is None
    tuesday = MONDAY + timedelta(days=1)
    assert posted(clock(tuesday + SETTLED)) == (MONDAY, tuesday, 0)
    assert posted(clock(tuesday + MOMENT)) is None


def test_after_three_days_down_one_report_covers_them(clock: Callable[[datetime], Database]) -> None:
    assert posted(clock(MONDAY + MOMENT)) is None
    thursday = MONDAY + timedelta(days=3)
    db = clock(thursday + timedelta(hours=4))
    assert posted(db) == (MONDAY, thursday, 2)
    assert posted(db) is None
    assert posted(clock(thursday + timedelta(days=1, minutes=1))) == (thursday, thursday + timedelta(days=1), 0)


def test_where_the_hour_does_not_exist_it_is_posted_once(clock: Callable[[datetime], Database]) -> None:
    gap = last_sunday(3).replace(hour=3).astimezone(UTC)
    assert posted(clock(gap - timedelta(hours=20)), AT_NIGHT) is None
    before = (last_sunday(3) - timedelta(days=1)).replace(hour=2, minute=30).astimezone(UTC)
    found = [posted(clock(gap + step * timedelta(minutes=10) - MOMENT), AT_NIGHT) for step in range(-6, 30)]
    assert [one for one in found if one] == [(before, gap, 0)]


def test_where_the_hour_comes_twice_it_is_posted_once(clock: Callable[[datetime], Database]) -> None:
    first = last_sunday(10).replace(hour=2, minute=30, fold=0).astimezone(UTC)
    assert posted(clock(first - timedelta(hours=20)), AT_NIGHT) is None
    found = [posted(clock(first + step * timedelta(minutes=10) + MOMENT), AT_NIGHT) for step in range(-6, 30)]
    assert [one for one in found if one] == [(first - timedelta(days=1), first, 0)]


def test_three_clocks_at_the_same_moment_take_one_report(clock: Callable[[datetime], Database]) -> None:
    db = clock(MONDAY)
    assert posted(db) is None
    for day in range(1, 21):
        clock(MONDAY + timedelta(days=day, minutes=1))
        barrier = threading.Barrier(3)

        def race(barrier: threading.Barrier = barrier) -> ReportRun | None:
            barrier.wait(10)
            return claimed(db)

        with ThreadPoolExecutor(3) as pool:
            runs = [run for future in [pool.submit(race) for _ in range(3)] if (run := future.result())]
        assert len(runs) == 1
        report_done(db, runs[0])


def test_a_clock_that_died_is_followed_by_another(clock: Callable[[datetime], Database]) -> None:
    claimed(clock(MONDAY))
    tuesday = MONDAY + timedelta(days=1)
    dead = claimed(clock(tuesday + MOMENT))
    assert dead is not None
    assert claimed(clock(tuesday + 2 * MOMENT)) is None
    heir = claimed(clock(tuesday + 10 * MOMENT))
    assert heir is not None
    assert (heir.id, heir.period.end) == (dead.id, tuesday)
    # And the dead one, should it wake up, may not post it as well.
    assert not report_posting(clock(tuesday + 10 * MOMENT), dead)


def test_one_that_slack_did_not_take_is_tried_again_when_its_time_comes(clock: Callable[[datetime], Database]) -> None:
    claimed(clock(MONDAY))
    tuesday = MONDAY + timedelta(days=1)
    db = clock(tuesday + MOMENT)
    run = claimed(db)
    assert run is not None
    report_failed(db, run, "ratelimited", timedelta(seconds=30))
    assert claimed(db) is None
    again = claimed(clock(tuesday + 2 * MOMENT))
    assert again is not None
    assert (again.id, again.failures) == (run.id, 1)


def test_one_that_could_not_be_posted_all_day_is_joined_by_the_next(clock: Callable[[datetime], Database]) -> None:
    claimed(clock(MONDAY))
    tuesday, wednesday = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)
    db = clock(tuesday + MOMENT)
    run = claimed(db)
    assert run is not None
    report_failed(db, run, "channel_not_found", timedelta(minutes=10))
    assert posted(clock(wednesday + MOMENT)) == (MONDAY, wednesday, 1)


def test_one_that_may_be_in_slack_keeps_its_period(clock: Callable[[datetime], Database]) -> None:
    claimed(clock(MONDAY))
    tuesday, wednesday = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)
    db = clock(tuesday + MOMENT)
    run = claimed(db)
    assert run is not None
    assert report_posting(db, run)
    assert posted(clock(wednesday + MOMENT)) == (MONDAY, tuesday, 0)
    assert posted(clock(wednesday + MOMENT)) == (tuesday, wednesday, 0)


def test_reports_of_several_names_are_counted_apart(clock: Callable[[datetime], Database]) -> None:
    db = clock(MONDAY)
    for name in ("a", "b"):
        assert claim_report(db, name, "#ops", DAILY) is None
    clock(MONDAY + timedelta(days=1, minutes=1))
    assert all(claim_report(db, name, "#ops", DAILY) for name in ("a", "b"))
