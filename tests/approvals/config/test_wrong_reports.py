"""What is wrong in a report is said with its line, before a clock starts."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import load_config

HEAD = """\
agents: {a: {factory: "m:f", model: "p:m"}}
defaults: {gate: never}
reports:
"""
GOOD = '- {name: first, channel: "#ops", cron: "0 9 * * *"}\n'


def the_line(tmp_path: Path, text: str) -> str:
    file = tmp_path / "countersign.yml"
    file.write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    return str(caught.value).removeprefix(f"{tmp_path}/countersign.yml:")


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (
            'cron: "61 9 * * *"',
            '5: reports.cron: "61 9 * * *" is not a cron line (bad minute); write one such as "0 9 * * 1-5".',
        ),
        (
            'cron: "0 0 9 * * *"',
            '5: reports.cron: "0 0 9 * * *" is not a cron line; it needs 5 fields, such as "0 9 * * 1-5".',
        ),
        (
            'cron: "0 9 30 2 *"',
            '5: reports.cron: "0 9 30 2 *" is not a cron line (bad day-of-month); write one such as "0 9 * * 1-5".',
        ),
        (
            "timezone: Europe/Berlim",
            '5: reports.timezone: "Europe/Berlim" is not an IANA time zone; write Europe/Berlin if',
        ),
        (
            "timezone: /etc/passwd",
            '5: reports.timezone: "/etc/passwd" is not an IANA time zone; write one such as Europe/Berlin or UTC.',
        ),
        ("channel: ops", "5: reports.channel: this must be a channel as #name, in quotes, or by its id"),
        ("quiet: sometimes", "5: reports.quiet: this must be true or false"),
        ("to: ops", "5: reports.to: unknown key; allowed here: name, channel, cron, timezone, quiet."),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(entry: str, complaint: str, tmp_path: Path) -> None:
    key = entry.partition(":")[0]
    good = {"name": "expiry", "channel": '"#ops"', "cron": '"0 9 * * *"'}
    rest = "".join(f"  {name}: {value}\n" for name, value in good.items() if name != key)
    assert the_line(tmp_path, f"- # one\n  {entry}\n{rest}").startswith(complaint)


def test_a_report_needs_a_time(tmp_path: Path) -> None:
    assert the_line(tmp_path, '- {name: a, channel: "#ops"}\n').startswith(
        "4: reports.cron: this is missing; it must be when it is posted, as a cron line of five fields"
    )


def test_two_reports_cannot_have_one_name(tmp_path: Path) -> None:
    assert the_line(tmp_path, GOOD + GOOD) == (
        '5: reports.name: a report before this one is called "first" already; each is kept by its name, '
        "so choose another."
    )


@pytest.mark.parametrize("text", ["  daily: {}\n", "- daily\n"])
def test_reports_are_a_list_of_mappings(text: str, tmp_path: Path) -> None:
    assert "must be a list of reports, each a mapping with name, channel, cron and timezone" in the_line(tmp_path, text)
