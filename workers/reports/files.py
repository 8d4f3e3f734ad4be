"""The two files of a report, on their way to Slack."""

from importlib import import_module
from typing import Final

import structlog

from approvals.ledger.database import Database
from approvals.ledger.report import Report, csv_rows
from bot.cards.report import CHART_TITLE, chart_in_words
from bot.messenger import Messenger, Never, Outcome, Sent
from workers.reports.csv_file import csv_file

ALT_TEXT: Final = 1_000

log = structlog.get_logger()


def upload_chart(messenger: Messenger, report: Report) -> Outcome:
    """Drawn, sent and completed, but in no message; `Sent.ts` is the file's id."""
    try:
        picture: bytes = import_module("workers.reports.chart").draw(report.days)
    except Exception as error:  # noqa: BLE001 - an edge: a picture that cannot be drawn must not hold up the report
        log.warning("report.chart_not_drawn", report=report.name, error=type(error).__name__)
        return Never("not_drawn")
    sent = messenger.upload(f"{file_name(report)}.png", picture, chart_in_words(report.days)[:ALT_TEXT])
    if not isinstance(sent, Sent):
        return sent
    completed = messenger.share(sent.ts, CHART_TITLE)
    return sent if isinstance(completed, Sent) else completed


def upload_csv(messenger: Messenger, db: Database, report: Report) -> Outcome:
    """Sent, but not completed; `Sent.ts` is the file's id."""
    content = csv_file(csv_rows(db, report.period.start, report.period.end), report.schedule.zone)
    return messenger.upload(f"{file_name(report)}.csv", content)


def csv_title(report: Report) -> str:
    return f"{report.name}: every call of the period"


def file_name(report: Report) -> str:
    return f"{report.name}-{report.period.end.astimezone(report.schedule.zone):%Y-%m-%d-%H%M}"
