"""A report that somebody asked for, posted now and to the end. It is no scheduled one, and leaves no row."""

from approvals.ledger.database import Database
from approvals.ledger.report import Report
from approvals.ledger.report_runs import Part
from bot.cards.report import report_message
from bot.messenger import Messenger, Outcome, Sent, Trouble
from workers.reports.files import title, upload


def post_by_hand(
    messenger: Messenger, db: Database, report: Report, channel: str
) -> tuple[Outcome, dict[Part, Trouble]]:
    """What came of the message; and which of its files Slack did not take."""
    message = report_message(report, by_hand=True)
    sent = messenger.post(channel, None, message.text, message.blocks)
    if not isinstance(sent, Sent) or report.nothing_happened:
        return sent, {}
    came = {part: _put(messenger, db, report, part, sent) for part in Part}
    return sent, {part: outcome for part, outcome in came.items() if not isinstance(outcome, Sent)}


def _put(messenger: Messenger, db: Database, report: Report, part: Part, message: Sent) -> Outcome:
    file = upload(messenger, db, report, part)
    if not isinstance(file, Sent):
        return file
    return messenger.share(file.ts, title(report, part), message.channel_id, message.ts)
