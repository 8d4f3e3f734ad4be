"""A due report in Slack: once, with its picture and its CSV, whatever Slack does in the middle."""

import csv
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import StringIO

import pytest

from approvals.rules.words import Status
from demo.slack.faults import DropAfter, Fault, RateLimited, Refuse, ServerError
from demo.slack.standin import StandIn
from tests.workers.report_place import ReportPlace, report_place, rule
from workers.reports.due import report

PNG = b"\x89PNG"


@pytest.fixture
def place(database_url: str, redis_url: str) -> Iterator[ReportPlace]:
    with StandIn() as slack, report_place(slack, database_url, redis_url) as made:
        yield made


def whole(place: ReportPlace) -> str:
    """The one report, of which nothing is missing; its words."""
    [message], [chart, table] = place.reports(), place.replies()
    assert chart.thread_ts == table.thread_ts == message.ts
    assert place.file(chart).startswith(PNG)
    assert place.file(table).startswith(b"\xef\xbb\xbfapproval,tool,")
    return str(message.blocks)


def test_a_report_has_its_picture_and_its_csv(place: ReportPlace) -> None:
    place.due()
    place.closed(Status.APPROVED, minutes=4)
    place.closed(Status.EXPIRED, tool="scale", rule=rule(redact=("token",)), args_json='{"token":"s3cr3t-token"}')
    assert place.steps() == 1

    words = whole(place)
    assert "*Catch-up.*" in words
    assert "*1* expired and was refused, nobody decided (50 %)" in words
    assert "Waited 30 min, no reminder." in words
    assert "Asked by <@U0ANA>, went to oncall." in words
    assert "s3cr3t" not in words
    assert "<@" not in place.reports()[0].text


def test_the_csv_has_a_row_for_each_call_in_the_reports_zone(place: ReportPlace) -> None:
    place.due()
    place.closed(Status.APPROVED, minutes=4)
    place.closed(Status.EXPIRED, tool="=cmd|'/c calc'!A1")
    place.closed(Status.EXPIRED, hours_ago=24 * 4)
    place.steps()

    text = place.file(place.replies()[1]).decode("utf-8-sig")
    first, second = csv.DictReader(StringIO(text))
    assert {first["status"], second["status"]} == {"approved", "expired"}
    approved = first if first["status"] == "approved" else second
    assert (approved["waited_seconds"], approved["asked"], approved["requested_by"]) == ("240.0", "oncall", "U0ANA")
    assert datetime.fromisoformat(approved["opened_at"]).utcoffset() in (timedelta(hours=1), timedelta(hours=2))
    assert "'=cmd" in text
    assert "U0BO" not in text


def test_three_clocks_post_one_report(place: ReportPlace) -> None:
    world = place.due()
    place.busy()
    barrier = threading.Barrier(3)

    def clock() -> int:
        done = 0
        for _ in range(10):
            barrier.wait(30)
            place.slack.advance(2)
            place.ledger.sql("UPDATE report_runs SET retry_at = now() WHERE done_at IS NULL")
            done += report(world)
        return done

    with ThreadPoolExecutor(3) as pool:
        assert sum(future.result() for future in [pool.submit(clock) for _ in range(3)]) == 1
    whole(place)


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("chat.postMessage", RateLimited(1)),
        ("chat.postMessage", ServerError(500)),
        ("chat.postMessage", Refuse("internal_error")),
        ("chat.postMessage", Refuse("not_in_channel")),
        ("files.getUploadURLExternal", RateLimited(1)),
        ("files.getUploadURLExternal", ServerError(502)),
        ("files.completeUploadExternal", ServerError(500)),
        ("files.completeUploadExternal", DropAfter()),
    ],
)
def test_what_slack_did_not_take_is_tried_again(place: ReportPlace, method: str, fault: Fault) -> None:
    place.due()
    place.busy()
    place.slack.inject(method, fault, times=2)
    assert place.steps() == 1
    assert place.slack.faults.waiting() == 0
    whole(place)


def test_a_report_whose_posting_nobody_heard_of_is_found_and_not_posted_again(place: ReportPlace) -> None:
    place.due(channel=place.ops)
    place.busy()
    place.slack.inject("chat.postMessage", DropAfter())
    assert place.steps() == 1
    whole(place)


def test_nor_where_the_channel_is_known_by_name_from_an_earlier_report(place: ReportPlace) -> None:
    place.due()
    place.busy()
    place.steps()
    place.ledger.sql("UPDATE report_runs SET period_end = period_end - interval '5 hours' WHERE ts IS NOT NULL")
    place.slack.inject("chat.postMessage", DropAfter())
    place.closed(Status.EXPIRED, hours_ago=4)
    assert place.steps() == 1
    assert len(place.reports()) == 2


@pytest.mark.parametrize("then", [None, ServerError(500), DropAfter()])
def test_a_file_is_in_the_thread_once_though_slack_did_not_say_so(place: ReportPlace, then: Fault | None) -> None:
    place.due()
    place.busy()
    place.slack.inject("files.completeUploadExternal", DropAfter(), times=2)
    if then:
        place.slack.inject("files.info", then, times=3)
    assert place.steps() == 1
    assert place.slack.faults.waiting() == 0
    whole(place)


def test_without_the_permission_for_files_words_take_their_place(place: ReportPlace) -> None:
    place.due()
    place.busy()
    place.slack.set_token(place.bot_token, scopes=frozenset({"chat:write"}))
    assert place.steps() == 1

    [chart, table] = place.replies()
    assert chart.text.startswith("Decisions and expiries by day. ")
    assert "1 decided, 1 expired" in chart.text
    assert "The CSV is not here: Slack did not take it (missing_scope)." in table.text


def test_a_file_that_slack_never_takes_does_not_hold_up_the_next_report(place: ReportPlace) -> None:
    place.due()
    place.busy()
    place.slack.inject("files.getUploadURLExternal", ServerError(500), times=40)
    assert place.steps(20) == 1
    assert ["Decisions and" in reply.text or "CSV is not here" in reply.text for reply in place.replies()] == [True] * 2


def test_what_died_in_the_middle_goes_on_from_there(place: ReportPlace) -> None:
    place.due()
    place.busy()
    done = 0
    for _ in range(8):
        # Whoever took it last is gone and has noted nothing more.
        place.ledger.sql("UPDATE report_runs SET lease_token = gen_random_uuid(), lease_until = now() WHERE ts IS NULL")
        done += place.steps(1)
    assert done == 1
    whole(place)


def test_a_period_in_which_nothing_happened_is_one_line(place: ReportPlace) -> None:
    place.due()
    assert place.steps() == 1
    [message] = place.messages()
    assert "nothing was decided, nothing expired" in message.text
    assert message.blocks == []
    assert place.slack.workspace.files == {}


def test_or_silence_if_the_configuration_says_so(place: ReportPlace) -> None:
    place.due(quiet=True)
    assert place.steps() == 1
    assert place.messages() == []
    assert place.row()["done_at"] is not None


def test_a_report_that_waits_for_its_channel_is_posted_once_the_bot_is_in_it(place: ReportPlace) -> None:
    place.due(channel="#later")
    place.busy()
    assert place.steps(4) == 0
    assert place.row()["failure"] == "channel_not_found"
    place.slack.workspace.add_channel("later", [place.ana])
    assert place.steps() == 1
