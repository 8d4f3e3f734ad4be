"""A report as a message: within Slack's limits whatever is in it, and nothing in it means anything to Slack."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals.ledger.report import Named, Report
from approvals.records import Approval, ApprovalId
from approvals.rules.report import Closed, Day, figures
from approvals.rules.report_advice import AlwaysApproved, ExpiresAtNight
from approvals.rules.rule import Approvers
from approvals.rules.schedule import Period, Schedule
from approvals.rules.words import Status
from bot.cards.blocks import text_size, texts
from bot.cards.report import report_message
from bot.cards.report_lines import how_long_about, percent
from bot.cards.sizes import BLOCK_TEXT
from demo.slack.blocks.validator import check_message
from tests.bot.values import OPENED, a_rule, an_approval

START, END = datetime(2026, 10, 12, 7, tzinfo=UTC), datetime(2026, 10, 13, 7, tzinfo=UTC)
HOSTILE = "<!channel> *bold* <https://evil.example|click> \u202egnp.exe & <@U1BO>"


def a_report(**more: Any) -> Report:
    closed = [Closed("scale", ("oncall",), Status.APPROVED, START, START + timedelta(minutes=n)) for n in range(1, 11)]
    values: dict[str, Any] = {
        "name": "expiry",
        "schedule": Schedule("0 9 * * *", "Europe/Berlin"),
        "period": Period(START, END, END + timedelta(days=1)),
        "now": END,
        "figures": figures(closed),
        "days": tuple(Day(date(2026, 10, day), day, day % 3) for day in range(1, 14)),
        "suggestions": (),
        "expired": Named(0, ()),
        "expiring": Named(0, ()),
        "unknown": Named(0, ()),
        "reminders": {},
        "cut": False,
    }
    return Report(**{**values, **more})


def expired(**more: Any) -> Approval:
    return an_approval(status=Status.EXPIRED, decided_at=OPENED, **more)


def every_text(report: Report) -> str:
    message = report_message(report)
    check_message(list(message.blocks))
    assert text_size(message.blocks) <= BLOCK_TEXT
    assert len(message.text.encode()) <= 3_800
    return "\n".join((message.text, *texts(message.blocks)))


def test_it_says_what_expired_and_who_was_asked() -> None:
    approval = expired()
    text = every_text(a_report(expired=Named(1, (approval,)), reminders={approval.id: 2}))
    assert "*Expired, did not run: 1*" in text
    assert "HIGH RISK *restart_service* A-9Q2M7F3K\nprod - Restart checkout" in text
    assert "Asked by <@U1ANA>, went to oncall. Waited 15 min, 2 reminders." in text


def test_times_have_the_tools_name_and_how_many() -> None:
    assert "• scale: 5 min, 10 min (10)\n" in every_text(a_report()) + "\n"


def test_a_catch_up_report_says_so() -> None:
    text = every_text(a_report(period=Period(START, END, END + timedelta(days=1), missed=2)))
    assert "*Catch-up.* 2 earlier reports were not posted." in text
    assert "<!date^1791788400^{date_short_pretty} {time}|2026-10-12 07:00:00 UTC> to <!date^" in text


def test_suggestions_have_their_evidence() -> None:
    advice = (ExpiresAtNight("scale", 9, 12, 1, 30), AlwaysApproved("get_pods", 40))
    text = every_text(a_report(suggestions=advice))
    assert "*scale* expired 9 of 12 times at night (22-07 h), 1 of 30 by day." in text
    assert "*get_pods* was approved 40 of 40 times, never edited. Consider `gate: never`" in text


def test_five_hundred_expired_calls_stay_within_slacks_limits() -> None:
    one = expired(
        tool="t" * 300,
        args_json='{"environment":"' + "&" * 500 + '"}',
        rule=a_rule(summary="{environment}" * 3, approvers=tuple(Approvers(name="<" * 70) for _ in range(9))),
    )
    shown = tuple(replace(one, id=ApprovalId(f"A-{number}")) for number in range(10))
    named = Named(500, shown)
    text = every_text(a_report(expired=named, expiring=named, unknown=named))
    assert "more" in text
    assert text.count("*Expired, did not run: 500*") == 1


def test_hostile_text_means_nothing() -> None:
    hostile = expired(
        tool=HOSTILE,
        args_json=f'{{"environment":"{HOSTILE}"}}',
        rule=a_rule(summary="{environment}", approvers=(Approvers(name=HOSTILE),)),
        requesters=(HOSTILE,),
    )
    closed = [Closed(HOSTILE, (HOSTILE,), Status.APPROVED, START, END)]
    named = Named(1, (hostile,))
    report = a_report(
        name="expiry",
        expired=named,
        expiring=named,
        unknown=named,
        figures=figures(closed),
        suggestions=(AlwaysApproved(HOSTILE, 20),),
    )
    text = every_text(report)
    for token in ("<!channel>", "<https", "<@U1BO>", "\u202e"):
        assert token not in text
    assert "&lt;!channel&gt;" in text


@given(st.text(max_size=300), st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_accepted_by_slack(tool: str, team: str) -> None:
    one = expired(tool=tool or "t", rule=a_rule(approvers=(Approvers(name=team or "x"),)))
    closed = [Closed(tool or "t", (team,), Status.APPROVED, START, END)] * 3
    every_text(a_report(expired=Named(10, (one,) * 10), figures=figures(closed)))


def test_what_the_policy_hides_is_hidden_wherever_it_stands() -> None:
    secret = "hunter2-hunter2"
    args = f'{{"token":"{secret}","url":"https://x/?t={secret}"}}'
    text = every_text(
        a_report(expired=Named(1, (expired(args_json=args, rule=a_rule(summary="{url} {token}", redact=("token",))),)))
    )
    assert secret not in text
    assert "[hidden]" in text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (12_000, "3 h 20 min"),
        (187_200, "2 d 4 h"),
    ],
)
def test_times_are_short(seconds: int, said: str) -> None:
    assert how_long_about(timedelta(seconds=seconds)) == said


@pytest.mark.parametrize(
    ("share", "said"), [(0, "0 %"), (0.001, "under 1 %"), (0.5, "50 %"), (0.999, "over 99 %"), (1, "100 %")]
)
def test_shares_are_honest_at_their_ends(share: float, said: str) -> None:
    assert percent(share) == said
