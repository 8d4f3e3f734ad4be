"""`countersign policy`: what is wrong with a file, and which rule a tool falls under."""

from pathlib import Path

import pytest

from tests.ops.conftest import Ended, command

GOOD = """\
agents:
  a: {factory: "m:f", model: "p:m"}
approvers:
  oncall: {usergroup: oncall-sre}
  leads: {users: [U1, W2]}
defaults: {approvers: [oncall], timeout: 2h}
tools:
  read_*: {gate: never}
  read_secret*: {approvers: [leads]}
  read_secret_key: {approvers: [requester], self_approval: true}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "countersign.yml"
    path.write_text(GOOD)
    return path


def explain(file: Path, tool: str, *more: str) -> Ended:
    return command({}, "policy", "explain", tool, "--config", str(file), *more)


def test_a_good_file_is_one_line(file: Path) -> None:
    ended = command({"COUNTERSIGN_CONFIG": str(file)}, "policy", "lint")
    assert ended == Ended(0, f"{file} is fine: 1 agent, 3 rules for tools, and for every other tool the defaults "
                          "(gate: always).\n", "")  # fmt: skip


def test_every_problem_is_a_line_that_says_where(file: Path) -> None:
    file.write_text(GOOD.replace("2h", "2 hours").replace("[leads]", "[bosses]"))
    ended = command({}, "policy", "lint", str(file))
    assert ended.code == 2
    assert [line.split(": ")[0] for line in ended.out.splitlines()] == [f"{file}:6"]
    file.write_text(GOOD.replace("never", "maybe").replace("[oncall]", "oncall"))
    ended = command({}, "policy", "lint", str(file))
    assert [line.split(": ")[0] for line in ended.out.splitlines()] == [f"{file}:6", f"{file}:8"]
    problems = command({}, "policy", "lint", str(file), "--json").json
    assert [(problem["id"], problem["line"]) for problem in problems] == [("1", 6), ("2", 8)]


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert command({}, "policy", "lint", str(tmp_path / "no.yml")).code == 2
    assert "there is no such file" in explain(tmp_path / "no.yml", "x").one_line


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("deploy", "deploy: the defaults apply"),
        ("read_logs", "read_logs: the pattern read_* under tools applies. "),
        ("read_secrets", "the pattern read_secret* under tools applies; it beats read_*, because a longer pattern"),
        ("read_secret_key", "exactly this name applies; it beats read_*, read_secret*, because an exact name"),
        ("vault.read_x", "vault.read_x: the defaults apply"),
    ],
)
def test_it_says_which_rule_applies_and_why(file: Path, tool: str, words: str) -> None:
    assert words in explain(file, tool).out


def test_every_field_of_the_rule_is_told(file: Path) -> None:
    out = explain(file, "read_secrets").out
    for words in (
        "always: a person must decide",
        "approve, reject",
        "leads (U1, W2)",
        "2h: if nobody",
        "false: whoever",
    ):
        assert words in out


def test_as_json_it_names_the_entry(file: Path) -> None:
    found = explain(file, "read_secrets", "--json").json
    assert (found["id"], found["applies"], found["rule"]["timeout"]) == ("read_secrets", "read_secret*", "2h")
    assert explain(file, "deploy", "--json").json["applies"] is None
