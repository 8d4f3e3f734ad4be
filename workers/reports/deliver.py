"""One report on its way to Slack, a step at a time: its message, its chart, its CSV. Each step is noted before the
next, so that any clock can go on from there, and no sweep waits for more than one of them."""

from datetime import timedelta
from typing import Final

import structlog

from approvals.ledger.database import Database
from approvals.ledger.report import Report
from approvals.ledger.report_runs import (
    Part,
    ReportRun,
    part_done,
    part_uploaded,
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
from workers.reports.files import title, upload, words_in_place

AGAIN: Final = timedelta(seconds=2)
LONGEST_AGAIN: Final = timedelta(minutes=5)
# The bot invited to the channel, the token renewed: what an operator does takes a while.
NEVER_AGAIN: Final = timedelta(minutes=10)
# About four minutes; then words take the place of a file, so that the next report is not held up.
MOST_TRIES: Final = 7
# Slack says of these that it did nothing; of every other trouble on the way nobody knows.
NOT_DONE: Final = frozenset({"ratelimited", "rate_limited"})

log = structlog.get_logger()


class Delivery:
    """Of one report by one clock. `step` returns whether the report is whole now."""

    def __init__(self, db: Database, messenger: Messenger, run: ReportRun, report: Report) -> None:
        self._db, self._messenger, self._run, self._report = db, messenger, run, report

    def step(self, *, quiet: bool) -> bool:
        run, nothing = self._run, self._report.nothing_happened
        if run.ts is None:
            return self._done() if nothing and quiet else self._post()
        if not run.chart.done:
            return self._attach(Part.CHART, run.chart.file_id, run.ts)
        return self._attach(Part.CSV, run.csv.file_id, run.ts)

    def _post(self) -> bool:
        run = self._run
        if not report_posting(self._db, run):
            return False
        outcome = self._send()
        if isinstance(outcome, Sent):
            whole = self._report.nothing_happened
            report_posted(self._db, run, outcome.channel_id or self._channel, outcome.ts, whole=whole)
            return whole
        if isinstance(outcome, Never) or outcome.error in NOT_DONE:
            report_not_posted(self._db, run)
        return self._failed(outcome)

    def _send(self) -> Outcome:
        """Whole, or else the one line of it that always fits."""
        run, whole = self._run, report_message(self._report)
        spot, posting = report_spot(self._channel, run.id, run.begun_at), Posting(self._messenger)
        outcome = posting.post(spot, whole, tried=run.posting_at is not None)
        if isinstance(outcome, Never) and outcome.error in UNSHOWABLE:
            log.error("report.unshowable", report=run.name, error=outcome.error)
            return posting.post(spot, CardMessage(whole.text, ()), tried=False)
        return outcome

    def _attach(self, part: Part, file_id: str | None, ts: str) -> bool:
        trouble = self._put(part, file_id, ts)
        if isinstance(trouble, Later) and self._run.failures < MOST_TRIES:
            return self._failed(trouble)
        if trouble:
            log.warning("report.without_file", report=self._run.name, part=part, error=trouble.error)
            self._messenger.post(self._channel, ts, words_in_place(self._report, part, trouble.error))
        part_done(self._db, self._run, part, trouble.error if trouble else None)
        return part is Part.CSV and self._done()

    def _put(self, part: Part, file_id: str | None, ts: str) -> Trouble | None:
        """None: it is in the thread."""
        if file_id:
            # Slack was asked to put it there, and the file tells whether it did.
            file = self._messenger.file(file_id)
            if isinstance(file, Later):
                return file
            if not isinstance(file, Never) and not file.ready:
                return Later(AGAIN.total_seconds(), "not_ready")
            if not isinstance(file, Never) and file.shared:
                return None
        else:
            sent = upload(self._messenger, self._db, self._report, part)
            if not isinstance(sent, Sent):
                return sent
            file_id = sent.ts
            part_uploaded(self._db, self._run, part, file_id)
        shared = self._messenger.share(file_id, title(self._report, part), self._channel, ts)
        return None if isinstance(shared, Sent) else shared

    @property
    def _channel(self) -> str:
        """Its id, or its name until Slack has told its id."""
        return self._run.channel_id or self._run.channel

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
