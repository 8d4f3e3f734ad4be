"""A report for a terminal and for programs. Pure."""

import re
from dataclasses import asdict
from html import unescape
from typing import Any

from approvals.ledger.report import Named, Report
from approvals.records import Approval
from approvals.rules.report import Times
from bot.cards.blocks import texts
from bot.cards.card import CardMessage
from bot.cards.report_lines import plain_summary


def as_text(message: CardMessage) -> str:
    """The words of a Slack message, without Slack's tokens."""
    return "\n\n".join(map(_plain, texts(message.blocks))) if message.blocks else _plain(message.text)


def report_json(report: Report) -> dict[str, Any]:
    """Durations in seconds, instants in ISO 8601."""
    return {
        "name": report.name,
        "since": report.period.start.isoformat(),
        "until": report.period.end.isoformat(),
        "next": report.period.following.isoformat(),
        "closed": {str(status): count for status, count in sorted(report.figures.count.items())},
        "decided": report.figures.decided,
        "expired": report.figures.expired,
        "expired_share": report.figures.expired_share,
        "approved_under_3s": report.figures.quick,
        "approved_under_3s_share": report.figures.quick_share,
        "by_tool": [_times(times) for times in report.figures.by_tool],
        "by_team": [_times(times) for times in report.figures.by_team],
        "by_day": [{**asdict(day), "day": day.day.isoformat()} for day in report.days],
        "suggestions": [{"kind": type(one).__name__, **asdict(one)} for one in report.suggestions],
        "expired_calls": _named(report.expired, report),
        "expiring_calls": _named(report.expiring, report),
        "unknown_calls": _named(report.unknown, report),
        "cut": report.cut,
    }


def _times(times: Times) -> dict[str, Any]:
    return {**asdict(times), "p50": times.p50.total_seconds(), "p95": times.p95.total_seconds()}


def _named(named: Named, report: Report) -> dict[str, Any]:
    return {"total": named.total, "first": [_call(approval, report) for approval in named.shown]}


def _call(approval: Approval, report: Report) -> dict[str, Any]:
    return {
        "id": approval.id,
        "tool": approval.tool,
        "summary": plain_summary(approval),
        "requesters": list(approval.requesters),
        "asked": [approvers.name for approvers in approval.approvers],
        "opened_at": approval.opened_at.isoformat(),
        "expires_at": approval.expires_at.isoformat(),
        "reminders": report.reminders.get(approval.id, 0),
    }


def _plain(text: str) -> str:
    dates = re.sub(r"<!date\^[^|>]*\|([^>]*)>", r"\1", text)
    people = re.sub(r"<([@#])([A-Z0-9]+)>", r"\1\2", dates)
    return unescape(people).replace("*", "")
