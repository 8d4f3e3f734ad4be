"""`countersign report`: a scheduled report, printed or posted by hand."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final
from zoneinfo import ZoneInfo

import typer

from approvals.config.load import load_config
from approvals.config.values import Config, ReportConfig
from approvals.ledger.database import Database
from approvals.ledger.report import Report, database_now, read_report
from approvals.rules.durations import DurationError, parse_duration
from approvals.rules.schedule import Period, following
from approvals.settings import Need
from bot.cards.report import report_message
from bot.messenger import Messenger, Sent, connect
from ops.lazy import alone
from ops.output import complain, say, say_json
from ops.place import database_of, settings_for
from ops.report_words import as_text, report_json
from workers.reports.by_hand import post_by_hand

FARTHEST: Final = timedelta(days=366)

app = alone()


@app.command()
def report_it(
    name: Annotated[str, typer.Argument(help="Its name under `reports` in the configuration.")],
    since: Annotated[str, typer.Option(help="How far back: 7d, 12h, or a date such as 2026-08-01.")] = "7d",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print it, and post nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: its figures.")] = False,
) -> None:
    """Post a report now, in its channel; it does not count as the scheduled one.

    It covers the time from --since to now. Exit code 1: Slack did not take it, or not all of it.
    """
    settings = settings_for(Need.DATABASE_URL, *(() if dry_run else (Need.SLACK_BOT_TOKEN,)))
    wanted = the_report(load_config(settings.countersign_config), name)
    with database_of(settings) as db:
        report = read(db, wanted, since)
        posted = None if dry_run else post(db, report, wanted, connect(settings))
    if as_json:
        say_json({**report_json(report), "posted": posted and {"channel": posted.channel_id, "ts": posted.ts}})
    elif posted:
        say(f"Posted in {wanted.channel}.")
    else:
        say(as_text(report_message(report)))


def the_report(config: Config, name: str) -> ReportConfig:
    found = next((report for report in config.reports if report.name == name), None)
    if found is None:
        names = ", ".join(report.name for report in config.reports)
        known = f"it has: {names}" if names else "it has none; write one under `reports`"
        raise typer.BadParameter(f"there is no such report in {config.path}; {known}", param_hint="NAME")
    return found


def read(db: Database, wanted: ReportConfig, since: str) -> Report:
    now = database_now(db)
    start = moment_of(since, now, wanted.schedule.zone)
    return read_report(db, wanted.name, wanted.schedule, Period(start, now, following(wanted.schedule, now)))


def moment_of(since: str, now: datetime, zone: ZoneInfo) -> datetime:
    """A duration before now, or the beginning of a day in the report's own zone."""
    try:
        start = now - parse_duration(since)
    except DurationError:
        try:
            day = date.fromisoformat(since)
        except ValueError:
            raise typer.BadParameter("this must be a duration such as 7d, or a date such as 2026-08-01") from None
        start = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
    if not now - FARTHEST <= start < now:
        raise typer.BadParameter(f"this must be in the past, at most {FARTHEST.days} days back")
    return start


def post(db: Database, report: Report, wanted: ReportConfig, messenger: Messenger) -> Sent:
    """Or exit code 1 and what Slack said."""
    outcome, lost = post_by_hand(messenger, db, report, wanted.channel)
    if not isinstance(outcome, Sent):
        complain(
            f"Slack did not take the report for {wanted.channel} ({outcome.error}); "
            "is the bot in that channel, and does its token have the scopes of manifest.yml?"
        )
        raise typer.Exit(1)
    if lost:
        files = " and ".join(f"its {part} ({trouble.error})" for part, trouble in lost.items())
        complain(f"the report is posted in {wanted.channel}, but Slack did not take {files}.")
        raise typer.Exit(1)
    return outcome
