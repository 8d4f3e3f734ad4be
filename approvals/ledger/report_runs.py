"""Which report is posted, by whom, and how far it has come: once per period, however many clocks run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from approvals.ledger.database import Database, Row, Tx, storable
from approvals.rules.schedule import Period, Schedule, due, following, latest

# Longer than all that one clock does before it notes it down: a few calls that Slack may let wait ten seconds each.
LEASE: Final = timedelta(seconds=120)


class Part(StrEnum):
    """What stands in the thread of a report; the columns of the table are named so."""

    CHART = "chart"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Attached:
    """How far a part has come: Slack's id of its file once that is uploaded, and whether it is done with."""

    file_id: str | None
    done: bool


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One report that is to be posted, taken by one clock. `posting_at` without `ts`: a clock asked Slack to post it
    and did not hear what came of it. `channel_id` is known once any report of this name reached the channel."""

    id: str
    name: str
    period: Period
    channel: str
    channel_id: str | None
    begun_at: datetime
    now: datetime
    posting_at: datetime | None
    ts: str | None
    chart: Attached
    csv: Attached
    failures: int
    lease_token: str


def claim_report(db: Database, name: str, channel: str, schedule: Schedule) -> ReportRun | None:
    """The report of this name that is due and that no other clock has; None if there is none.

    The first look at a name only notes when it was: a report begins with the period after that.
    """
    with db.transaction() as tx:
        # Two clocks that both found nothing would both write a row, and for periods that overlap.
        tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('report:' || %s, 0))", (name,))
        now = _now(tx)
        newest = _newest(tx, name)
        if newest is None:
            _begin(tx, name, latest(schedule, now))
            return None
        period = due(schedule, newest["period_end"], now)
        if newest["done_at"] is None:
            return _go_on(tx, newest, period, channel, schedule, now)
        if period is None:
            return None
        return _take(tx, _insert(tx, name, period, channel), channel, schedule, now)


def report_posting(db: Database, run: ReportRun) -> bool:
    """Noted before Slack is asked. False: another clock has it, and this one must not."""
    return _note(db, run, "posting_at = clock_timestamp(), lease_until = now() + %(value)s", LEASE)


def report_not_posted(db: Database, run: ReportRun) -> None:
    """Slack said no, so it is known not to be there."""
    _note(db, run, "posting_at = NULL", None)


def report_posted(db: Database, run: ReportRun, channel_id: str, ts: str, *, whole: bool) -> None:
    """Slack has it. Noted whoever holds the lease: it is true. Any clock may go on from here,
    unless the message is the `whole` of it."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE report_runs SET ts = %(ts)s, channel_id = %(channel)s, failures = 0, failure = NULL,"
            " done_at = CASE WHEN %(whole)s THEN clock_timestamp() END,"
            " lease_until = CASE WHEN lease_token = %(token)s THEN NULL ELSE lease_until END WHERE id = %(id)s",
            {"ts": ts, "channel": channel_id, "token": run.lease_token, "id": run.id, "whole": whole},
        )


def part_uploaded(db: Database, run: ReportRun, part: Part, file_id: str) -> None:
    """Slack has the bytes; they are in no thread yet."""
    _note(db, run, f"{part}_file = %(value)s", file_id)


def part_done(db: Database, run: ReportRun, part: Part, failure: str | None = None) -> None:
    """It is in the thread, or words are in its place. The next one may be tried at once, by any clock."""
    change = f"{part}_done = true, failures = 0, failure = %(value)s, lease_until = NULL, retry_at = now()"
    _note(db, run, change, storable(failure) if failure else None)


def report_done(db: Database, run: ReportRun) -> None:
    """All of it is there, or all that can be; or there was nothing to say."""
    _note(db, run, "done_at = clock_timestamp(), lease_until = NULL", None)


def report_failed(db: Database, run: ReportRun, failure: str, retry_in: timedelta) -> None:
    """Slack did not take it; another try later, by any clock."""
    with db.transaction() as tx:
        tx.execute(
            "UPDATE report_runs SET failures = failures + 1, failure = %s, retry_at = now() + %s, lease_until = NULL"
            " WHERE id = %s AND lease_token = %s",
            (storable(failure), retry_in, run.id, run.lease_token),
        )


def _note(db: Database, run: ReportRun, change: str, value: object) -> bool:
    """Only by whoever holds the lease; False if that is another one."""
    with db.transaction() as tx:
        found = tx.execute(
            f"UPDATE report_runs SET {change} WHERE id = %(id)s AND lease_token = %(token)s RETURNING id",
            {"value": value, "id": run.id, "token": run.lease_token},
        ).fetchone()
    return found is not None


def _now(tx: Tx) -> datetime:
    moment: datetime = _row(tx, "SELECT clock_timestamp() AS now", {})["now"]
    return moment


def _row(tx: Tx, statement: str, values: Mapping[str, object]) -> Row:
    """Of a statement that has one."""
    (row,) = tx.execute(statement, values).fetchall()
    return row


def _newest(tx: Tx, name: str) -> Row | None:
    return tx.execute(
        "SELECT *, retry_at <= now() AND (lease_until IS NULL OR lease_until < now()) AS free FROM report_runs"
        " WHERE name = %s ORDER BY period_end DESC LIMIT 1",
        (name,),
    ).fetchone()


def _begin(tx: Tx, name: str, reported_until: datetime) -> None:
    tx.execute(
        "INSERT INTO report_runs (name, period_start, period_end, done_at) VALUES (%(name)s, %(at)s, %(at)s, now())",
        {"name": name, "at": reported_until},
    )


def _insert(tx: Tx, name: str, period: Period, channel: str) -> str:
    row = _row(
        tx,
        "INSERT INTO report_runs (name, period_start, period_end, missed, channel, channel_id)"
        " VALUES (%(name)s, %(start)s, %(end)s, %(missed)s, %(channel)s, (SELECT channel_id FROM report_runs"
        " WHERE name = %(name)s AND channel = %(channel)s ORDER BY period_end DESC LIMIT 1)) RETURNING id",
        {"name": name, "start": period.start, "end": period.end, "missed": period.missed, "channel": channel},
    )
    return str(row["id"])


def _go_on(tx: Tx, row: Row, later: Period | None, channel: str, schedule: Schedule, now: datetime) -> ReportRun | None:
    """With one that was begun. If the next is due before Slack was asked for this one, it covers both."""
    if not row["free"]:
        return None
    if later and row["posting_at"] is None:
        tx.execute(
            "UPDATE report_runs SET period_end = %s, missed = missed + %s WHERE id = %s",
            (later.end, later.missed + 1, row["id"]),
        )
    return _take(tx, str(row["id"]), channel, schedule, now)


def _take(tx: Tx, run_id: str, channel: str, schedule: Schedule, now: datetime) -> ReportRun:
    row = _row(
        tx,
        "UPDATE report_runs SET lease_token = gen_random_uuid(), lease_until = now() + %(lease)s,"
        " channel = CASE WHEN ts IS NULL THEN %(channel)s ELSE channel END,"
        " channel_id = CASE WHEN ts IS NULL AND channel <> %(channel)s THEN NULL ELSE channel_id END"
        " WHERE id = %(id)s RETURNING *",
        {"lease": LEASE, "channel": channel, "id": run_id},
    )
    period = Period(row["period_start"], row["period_end"], following(schedule, now), row["missed"])
    return ReportRun(
        id=str(row["id"]),
        name=row["name"],
        period=period,
        channel=row["channel"],
        channel_id=row["channel_id"],
        begun_at=row["begun_at"],
        now=now,
        posting_at=row["posting_at"],
        ts=row["ts"],
        chart=Attached(row["chart_file"], row["chart_done"]),
        csv=Attached(row["csv_file"], row["csv_done"]),
        failures=row["failures"],
        lease_token=str(row["lease_token"]),
    )
