"""The CSV of a report: a row for each approval that was closed in its period, times in the report's own zone."""

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Final
from zoneinfo import ZoneInfo

from approvals.ledger.report import CsvRow
from bot.cards.escape import visible_line

COLUMNS: Final = (
    "approval",
    "tool",
    "agent",
    "status",
    "effect",
    "risk",
    "requested_by",
    "asked",
    "opened_at",
    "closed_at",
    "waited_seconds",
    "reminders",
)
# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULA: Final = ("=", "+", "-", "@")


def csv_file(rows: Iterable[CsvRow], zone: ZoneInfo) -> bytes:
    """UTF-8 with the mark that Excel needs to see that it is."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([harmless(str(value)) for value in cells(row, zone)])
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def cells(row: CsvRow, zone: ZoneInfo) -> tuple[object, ...]:
    return (
        row.id,
        row.tool,
        row.agent,
        row.status,
        row.effect,
        row.risk,
        " ".join(row.requesters),
        " ".join(row.asked),
        row.opened_at.astimezone(zone).isoformat(timespec="seconds"),
        row.closed_at.astimezone(zone).isoformat(timespec="seconds"),
        round((row.closed_at - row.opened_at).total_seconds(), 1),
        row.reminders,
    )


def harmless(text: str) -> str:
    """The text, which is no formula and one line."""
    line = visible_line(text)
    return f"'{line}" if line.startswith(FORMULA) else line
