"""A report as a value, and the rows that it needs: read by index, and never more than a bounded number of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, LiteralString

from approvals.ledger.database import Database, Row, Tx
from approvals.ledger.rows import to_approval
from approvals.records import Approval, ApprovalId
from approvals.rules.report import Closed, Day, Figures, by_day, figures
from approvals.rules.report_advice import WINDOW, Suggestion, suggestions
from approvals.rules.schedule import Period, Schedule
from approvals.rules.words import Risk, Status

MOST_CLOSED: Final = 20_000
MOST_NAMED: Final = 10
MOST_IN_CSV: Final = 10_000

# What nobody decided in time has expired, also where the sweep has not come to it yet. Every reader gives the period
# as (start, end].
CLOSED: Final = """
SELECT id, tool, agent, status, rule, escalated, requesters, revision, effect, opened_at, decided_at AS closed_at
FROM approvals WHERE status <> 'pending' AND decided_at > %(start)s AND decided_at <= %(end)s
UNION ALL
SELECT id, tool, agent, 'expired', rule, escalated, requesters, revision, effect, opened_at, expires_at
FROM approvals WHERE status = 'pending' AND expires_at > %(start)s AND expires_at <= %(end)s
"""
EXPIRED: Final = """
(status = 'expired' AND decided_at > %(start)s AND decided_at <= %(end)s
 OR status = 'pending' AND expires_at > %(start)s AND expires_at <= %(end)s)
"""
EXPIRING: Final = "status = 'pending' AND expires_at > %(now)s AND expires_at <= %(following)s"
UNKNOWN: Final = "effect = 'unknown'"
# The audit log has one row for each.
REMINDERS: Final = "(SELECT count(*) FROM audit_log WHERE approval_id = {id} AND action = 'remind')"


@dataclass(frozen=True, slots=True)
class Named:
    """Some approvals by name, and how many there are in all."""

    total: int
    shown: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one report says. `cut`: there was more than is looked at, and the oldest was left out.
    `reminders` are those of the approvals that are shown."""

    name: str
    schedule: Schedule
    period: Period
    now: datetime
    figures: Figures
    days: tuple[Day, ...]
    suggestions: tuple[Suggestion, ...]
    expired: Named
    expiring: Named
    unknown: Named
    reminders: dict[ApprovalId, int]
    cut: bool

    @property
    def nothing_happened(self) -> bool:
        return not (sum(self.figures.count.values()) or self.expiring.total or self.unknown.total)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One approval that was closed in the period. No argument values, and nobody who decided."""

    id: str
    tool: str
    agent: str
    status: str
    effect: str
    risk: str
    requesters: tuple[str, ...]
    asked: tuple[str, ...]
    opened_at: datetime
    closed_at: datetime
    reminders: int


def database_now(db: Database) -> datetime:
    """The only clock there is."""
    with db.transaction() as tx:
        now: datetime = _value(tx, "SELECT clock_timestamp() AS value", {})
    return now


def read_report(db: Database, name: str, schedule: Schedule, period: Period) -> Report:
    """All of it as of one moment."""
    zone, since = schedule.zone, period.end - max(WINDOW, period.end - period.start)
    with db.transaction() as tx:
        tx.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        now: datetime = _value(tx, "SELECT now() AS value", {})
        every = _closed(tx, since, period.end)
        bounds = {"start": period.start, "end": period.end, "now": now, "following": period.following}
        expired = _named(tx, EXPIRED, "closed_at DESC", bounds)
        expiring = _named(tx, EXPIRING, "expires_at", bounds)
        unknown = _named(tx, UNKNOWN, "effect_started_at", bounds)
        reminders = _reminders(tx, [a.id for named in (expired, expiring) for a in named.shown])
    return Report(
        name=name,
        schedule=schedule,
        period=period,
        now=now,
        figures=figures(row for row in every if row.closed_at > period.start),
        days=by_day(every, max(period.start, period.end - WINDOW), period.end, zone),
        suggestions=suggestions((row for row in every if row.closed_at > period.end - WINDOW), zone),
        expired=expired,
        expiring=expiring,
        unknown=unknown,
        reminders=reminders,
        cut=len(every) == MOST_CLOSED,
    )


def csv_rows(db: Database, start: datetime, end: datetime) -> Iterator[CsvRow]:
    """What was closed in the period, oldest first, at most `MOST_IN_CSV` of the newest."""
    with db.transaction() as tx:
        rows = tx.execute(
            f"SELECT *, {REMINDERS.format(id='period.id')} AS reminders FROM (SELECT * FROM ({CLOSED}) AS closed"
            " ORDER BY closed_at DESC, id LIMIT %(limit)s) AS period ORDER BY closed_at, id",
            {"start": start, "end": end, "limit": MOST_IN_CSV},
        ).fetchall()
    return map(_csv_row, rows)


def asked_of(row: Row) -> tuple[str, ...]:
    """The names of the sets of approvers that were asked: those of the rule, and those that escalations added."""
    return tuple(dict.fromkeys(approvers["name"] for approvers in (*row["rule"]["approvers"], *row["escalated"])))


def _closed(tx: Tx, start: datetime, end: datetime) -> list[Closed]:
    rows = tx.execute(
        f"SELECT * FROM ({CLOSED}) AS closed ORDER BY closed_at DESC, id LIMIT %(limit)s",
        {"start": start, "end": end, "limit": MOST_CLOSED},
    )
    return [
        Closed(
            tool=row["tool"],
            teams=asked_of(row),
            status=Status(row["status"]),
            opened_at=row["opened_at"],
            closed_at=row["closed_at"],
            edited=row["revision"] > 1,
            risk=Risk(row["rule"]["risk"]) if row["rule"].get("risk") else None,
        )
        for row in rows
    ]


def _named(tx: Tx, which: LiteralString, order: LiteralString, bounds: dict[str, Any]) -> Named:
    """What is risky first: not all of it is shown."""
    total = _value(tx, f"SELECT count(*) AS value FROM approvals WHERE {which}", bounds)
    rows = tx.execute(
        f"SELECT *, coalesce(decided_at, expires_at) AS closed_at FROM approvals WHERE {which}"
        f" ORDER BY coalesce(rule->>'risk', '') = 'high' DESC, {order}, id LIMIT %(limit)s",
        {**bounds, "limit": MOST_NAMED},
    ).fetchall()
    return Named(total, tuple(map(to_approval, rows)))


def _reminders(tx: Tx, ids: list[ApprovalId]) -> dict[ApprovalId, int]:
    rows = tx.execute(
        f"SELECT id, {REMINDERS.format(id='asked.id')} AS reminders FROM unnest(%s::text[]) AS asked (id)", (ids,)
    )
    return {ApprovalId(row["id"]): row["reminders"] for row in rows}


def _value(tx: Tx, query: LiteralString, bounds: dict[str, Any]) -> Any:
    row = tx.execute(query, bounds).fetchone()
    return row["value"] if row else None


def _csv_row(row: Row) -> CsvRow:
    return CsvRow(
        id=row["id"],
        tool=row["tool"],
        agent=row["agent"],
        status=row["status"],
        effect=row["effect"],
        risk=row["rule"].get("risk") or "",
        requesters=tuple(row["requesters"]),
        asked=asked_of(row),
        opened_at=row["opened_at"],
        closed_at=row["closed_at"],
        reminders=row["reminders"],
    )
