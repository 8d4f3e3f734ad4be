"""A report that somebody asked for, posted now and to the end. It is no scheduled one, and leaves no row."""

import time
from typing import Final

from approvals.ledger.database import Database
from approvals.ledger.report import Report
from bot.cards.report import report_message
from bot.messenger import UNSHOWABLE, Later, Messenger, Never, Outcome, Sent, Trouble
from workers.reports.files import csv_title, upload_chart, upload_csv

CHART_PATIENCE_SECONDS: Final = 15.0
LOOK_SECONDS: Final = 0.5


def post_by_hand(messenger: Messenger, db: Database, report: Report, channel: str) -> tuple[Outcome, Trouble | None]:
    """What came of the message; and what of its CSV, which it can be without."""
    chart = None if report.nothing_happened else _chart(messenger, report)
    sent = _send(messenger, report, channel, chart)
    if not isinstance(sent, Sent) or report.nothing_happened:
        return sent, None
    csv = upload_csv(messenger, db, report)
    shared = messenger.share(csv.ts, csv_title(report), sent.channel_id, sent.ts) if isinstance(csv, Sent) else csv
    return sent, None if isinstance(shared, Sent) else shared


def _send(messenger: Messenger, report: Report, channel: str, chart: str | None) -> Outcome:
    message = report_message(report, chart, by_hand=True)
    sent = messenger.post(channel, None, message.text, message.blocks)
    if chart and isinstance(sent, Never) and sent.error in UNSHOWABLE:
        return _send(messenger, report, channel, None)
    return sent


def _chart(messenger: Messenger, report: Report) -> str | None:
    """The picture's id once Slack can show it; None if that takes too long or cannot be."""
    uploaded = upload_chart(messenger, report)
    end = time.monotonic() + CHART_PATIENCE_SECONDS
    while isinstance(uploaded, Sent) and time.monotonic() < end:
        file = messenger.file(uploaded.ts)
        if isinstance(file, Never):
            return None
        if not isinstance(file, Later) and file.ready:
            return uploaded.ts
        time.sleep(LOOK_SECONDS)
    return None
