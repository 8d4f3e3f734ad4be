"""`countersign report`: one printed or posted by hand."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from demo.slack.standin import StandIn
from tests.ops.conftest import BO, Place

CONFIG = """\
agents: {oncall: {factory: "m:f", model: "p:m"}}
defaults: {gate: never}
reports:
  - {name: expiry, channel: "#ops", cron: "0 9 * * 1-5", timezone: UTC}
"""


@pytest.fixture(autouse=True)
def config(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "countersign.yml"
    file.write_text(CONFIG)
    place.environ["COUNTERSIGN_CONFIG"] = str(file)


@pytest.fixture
def expired(place: Place) -> str:
    """One that was decided a moment ago, and one that expired an hour ago; the id of the latter."""
    place.decide(place.approval(), "approve", BO)
    approval = place.approval()
    with place.db.transaction() as tx:
        tx.execute(
            "UPDATE approvals SET status = 'expired', opened_at = now() - interval '2 hours', expires_at = now() -"
            " interval '1 hour', decided_at = now() - interval '1 hour' WHERE id = %s",
            (approval.id,),
        )
    return approval.id


def test_a_dry_run_prints_it_and_needs_no_slack(place: Place, expired: str) -> None:
    ended = place.cli("report", "expiry", "--dry-run")
    assert ended.code == 0
    assert "expiry: 1 expired, 1 decided" in ended.out
    assert f"restart_service {expired}" in ended.out
    assert "Asked by @U1ANA, went to leads. Waited 1 h, no reminder." in ended.out
    assert "<" not in ended.out


def test_its_figures_are_for_programs_too(place: Place, expired: str) -> None:
    found = place.cli("report", "expiry", "--since", "2d", "--dry-run", "--json").json
    assert (found["decided"], found["expired"], found["expired_share"], found["approved_under_3s"]) == (1, 1, 0.5, 1)
    assert [call["id"] for call in found["expired_calls"]["first"]] == [expired]
    assert [times["name"] for times in found["by_team"]] == ["leads"]
    assert found["posted"] is None


def test_since_bounds_it(place: Place, expired: str) -> None:
    assert place.cli("report", "expiry", "--since", "30m", "--dry-run", "--json").json["expired"] == 0
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    found = place.cli("report", "expiry", "--since", yesterday, "--dry-run", "--json").json
    assert (found["expired"], found["since"][11:]) == (1, "00:00:00+00:00")


def test_it_is_posted_with_its_picture_and_its_csv_and_is_no_scheduled_one(
    place: Place, slack: StandIn, expired: str
) -> None:
    ops = slack.workspace.add_channel("ops", [slack.workspace.add_user("ana")])
    ended = place.cli("report", "expiry")
    assert (ended.code, ended.out) == (0, "Posted in #ops.\n")
    message, chart, table = slack.messages(ops)
    assert "Posted by hand" in str(message.blocks)
    assert chart.thread_ts == table.thread_ts == message.ts
    assert [file.name.rpartition(".")[2] for file in slack.workspace.files.values()] == ["png", "csv"]
    with place.db.transaction() as tx:
        assert tx.execute("SELECT * FROM report_runs").fetchall() == []


def test_a_channel_without_the_bot_is_one_line_and_exit_code_one(place: Place, slack: StandIn, expired: str) -> None:
    ended = place.cli("report", "expiry")
    assert ended.code == 1
    assert "Slack did not take the report for #ops (channel_not_found); is the bot in that channel" in ended.one_line


def test_a_period_without_anything_is_one_line(place: Place) -> None:
    ended = place.cli("report", "expiry", "--dry-run")
    assert "nothing was decided, nothing expired" in ended.out
    assert len(ended.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nightly",), "it has: expiry"),
        (("expiry", "--since", "yesterday"), "a duration such as 7d, or a date such as 2026-08-01"),
        (("expiry", "--since", "2999-01-01"), "in the past, at most 366 days back"),
    ],
)
def test_wrong_usage_is_exit_code_two(place: Place, args: tuple[str, ...], said: str) -> None:
    ended = place.cli("report", *args, "--dry-run")
    assert ended.code == 2
    assert said in " ".join(ended.err.split())
