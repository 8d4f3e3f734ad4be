"""What stands in the thread of a report: its chart and its CSV, as files or as the words in their place."""

from importlib import import_module
from typing import Final, assert_never

import structlog

from approvals.ledger.database import Database
from approvals.ledger.report import Report, csv_rows
from approvals.ledger.report_runs import Part
from bot.cards.report import CHART_TITLE, chart_in_words
from bot.cards.sizes import cut_bytes
from bot.messenger import Messenger, Never, Outcome
from workers.reports.csv_file import csv_file

ALT_TEXT: Final = 1_000

log = structlog.get_logger()


def upload(messenger: Messenger, db: Database, report: Report, part: Part) -> Outcome:
    """The bytes are made and sent; `Sent.ts` is the file's id. It is in no thread yet."""
    match part:
        case Part.CHART:
            picture = _drawn(report)
            if picture is None:
                return Never("not_drawn")
            return messenger.upload(f"{_file_name(report)}.png", picture, chart_in_words(report.days)[:ALT_TEXT])
        case Part.CSV:
            content = csv_file(csv_rows(db, report.period.start, report.period.end), report.schedule.zone)
            return messenger.upload(f"{_file_name(report)}.csv", content)
        case other:
            assert_never(other)


def title(report: Report, part: Part) -> str:
    return CHART_TITLE if part is Part.CHART else f"{report.name}: every call of the period"


def words_in_place(report: Report, part: Part, error: str) -> str:
    """Where the file cannot be had: of the chart all that it says, of the CSV why it is not there."""
    if part is Part.CHART:
        return cut_bytes(chart_in_words(report.days))
    return (
        f"The CSV is not here: Slack did not take it ({error}). "
        f"`countersign report {report.name} --since … --json` has the figures."
    )


def _drawn(report: Report) -> bytes | None:
    try:
        picture: bytes = import_module("workers.reports.chart").draw(report.days)
    except Exception as error:  # noqa: BLE001 - an edge: a picture that cannot be drawn must not hold up the report
        log.warning("report.chart_not_drawn", report=report.name, error=type(error).__name__)
        return None
    return picture


def _file_name(report: Report) -> str:
    return f"{report.name}-{report.period.end.astimezone(report.schedule.zone):%Y-%m-%d-%H%M}"
