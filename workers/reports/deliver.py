"""One report on its way to Slack, a step at a time: picture, message, CSV. Each step is noted before the next, so that
any clock can go on from there, and nothing waits for Slack longer than one call takes."""

from datetime import timedelta
from typing import Final

import structlog

from approvals.ledger.database import Database
from approvals.ledger.report import Report
from approvals.ledger.report_runs import (
    ReportRun,
    chart_settled,
    chart_uploaded,
    chart_waits,
    csv_uploaded,
    report_done,
    report_failed,
    report_not_posted,
    report_posted,
    report_posting,
)
from bot.cards.card import CardMessage
from bot.cards.report import report_message
from bot.messenger import UNSHOWABLE, Later, Messenger, Never, Outcome, Sent, Trouble
from bot.posting import Posting, report_spot
from workers.reports.files import csv_title, upload_chart, upload_csv

AGAIN: Final = timedelta(seconds=2)
LONGEST_AGAIN: Final = timedelta(minutes=5)
# The bot invited to the channel, the token renewed: what an operator does takes a while.
NEVER_AGAIN: Final = timedelta(minutes=10)
# About half a minute until the report goes without its picture.
MOST_CHART_TRIES: Final = 15
MOST_CSV_TRIES: Final = 5
# Slack says of these that it did nothing; of every other trouble on the way nobody knows.
NOT_DONE: Final = frozenset({"ratelimited", "rate_limited"})

log = structlog.get_logger()


class Delivery:
    """Of one report by one clock. `step` returns whether the report is whole now."""

    def __init__(self, db: Database, messenger: Messenger, run: ReportRun, report: Report) -> None:
        self._db, self._messenger, self._run, self._report = db, messenger, run, report

    def step(self, *, quiet: bool) -> bool:
        if self._run.ts:
            return self._csv(self._run.channel_id or self._run.channel, self._run.ts)
        if self._report.nothing_happened and quiet:
            return self._done()
        if self._report.nothing_happened:
            return self._post(None)
        return self._with_chart()

    def _with_chart(self) -> bool:
        run = self._run
        if run.chart_done:
            return self._post(run.chart_file)
        if run.chart_file is None:
            return self._upload_chart()
        file = self._messenger.file(run.chart_file)
        if not isinstance(file, Later | Never) and file.ready:
            chart_settled(self._db, run, shown=True)
            return self._post(run.chart_file)
        return self._wait_for_chart(file if isinstance(file, Later | Never) else Later(2, "not_ready"))

    def _upload_chart(self) -> bool:
        sent = upload_chart(self._messenger, self._report)
        if isinstance(sent, Sent):
            chart_uploaded(self._db, self._run, sent.ts)
            chart_waits(self._db, self._run, AGAIN)
            return False
        return self._wait_for_chart(sent)

    def _wait_for_chart(self, trouble: Trouble) -> bool:
        if isinstance(trouble, Later) and self._run.chart_tries < MOST_CHART_TRIES:
            chart_waits(self._db, self._run, timedelta(seconds=max(trouble.seconds, AGAIN.total_seconds())))
            return False
        log.warning("report.without_chart", report=self._run.name, error=trouble.error)
        chart_settled(self._db, self._run, shown=False)
        return self._post(None)

    def _post(self, chart: str | None) -> bool:
        if not report_posting(self._db, self._run):
            return False
        outcome = self._send(chart)
        if isinstance(outcome, Sent):
            channel_id = outcome.channel_id or self._run.channel_id or self._run.channel
            report_posted(self._db, self._run, channel_id, outcome.ts)
            return self._after(channel_id, outcome.ts)
        if isinstance(outcome, Never) or outcome.error in NOT_DONE:
            report_not_posted(self._db, self._run)
        return self._failed(outcome)

    def _send(self, chart: str | None) -> Outcome:
        """With the picture, else without, else the one line: something of it always fits."""
        run, posting = self._run, Posting(self._messenger)
        spot = report_spot(run.channel_id or run.channel, run.id, run.begun_at)
        words = report_message(self._report, None)
        outcome: Outcome = Never("nothing_to_send")
        for message in (report_message(self._report, chart), words, CardMessage(words.text, ())):
            outcome = posting.post(spot, message, tried=run.posting_at is not None)
            if not (isinstance(outcome, Never) and outcome.error in UNSHOWABLE):
                return outcome
            log.error("report.unshowable", report=self._run.name, error=outcome.error)
        return outcome

    def _after(self, channel_id: str, ts: str) -> bool:
        return self._done() if self._report.nothing_happened else self._csv(channel_id, ts)

    def _csv(self, channel_id: str, ts: str) -> bool:
        if self._run.csv_file:
            return self._share_again(self._run.csv_file, channel_id, ts)
        sent = upload_csv(self._messenger, self._db, self._report)
        if not isinstance(sent, Sent):
            return self._no_csv(sent, channel_id, ts)
        csv_uploaded(self._db, self._run, sent.ts)
        return self._share(sent.ts, channel_id, ts)

    def _share_again(self, file_id: str, channel_id: str, ts: str) -> bool:
        """Slack was asked to put it into the thread, and the file tells whether it did."""
        file = self._messenger.file(file_id)
        match file:
            case Later():
                return self._no_csv(file, channel_id, ts)
            case Never():
                return self._share(file_id, channel_id, ts)
            case _ if file.ready:
                return self._done()
            case _:
                return self._no_csv(Later(2, "not_ready"), channel_id, ts)

    def _share(self, file_id: str, channel_id: str, ts: str) -> bool:
        shared = self._messenger.share(file_id, csv_title(self._report), channel_id, ts)
        return self._done() if isinstance(shared, Sent) else self._no_csv(shared, channel_id, ts)

    def _no_csv(self, trouble: Trouble, channel_id: str, ts: str) -> bool:
        if isinstance(trouble, Later) and self._run.failures < MOST_CSV_TRIES:
            return self._failed(trouble)
        words = f"The CSV is not here: Slack did not take it ({trouble.error})."
        self._messenger.post(channel_id, ts, words)
        log.warning("report.without_csv", report=self._run.name, error=trouble.error)
        report_done(self._db, self._run, trouble.error)
        return True

    def _done(self) -> bool:
        report_done(self._db, self._run)
        return True

    def _failed(self, trouble: Trouble) -> bool:
        """The longer it lasts, the longer until the next try."""
        again = NEVER_AGAIN
        if isinstance(trouble, Later):
            growing = AGAIN * 2 ** min(self._run.failures, 10)
            again = max(timedelta(seconds=trouble.seconds), min(growing, LONGEST_AGAIN))
        report_failed(self._db, self._run, trouble.error, again)
        log.warning("report.not_posted", report=self._run.name, channel=self._run.channel, error=trouble.error)
        return False
