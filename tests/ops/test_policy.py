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
        ("read_secret_key", "exactly this name applies; it beats read_secret*, read_*, because an exact name"),
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


LISTED = (
    GOOD
    + """\
  restart:
    - {when: 'args.environment == "dev"', gate: never}
    - {when: "requester == 'U1'", gate: record}
    - {summary: "{environment} - Restart {service} with {token}", quorum: 2, redact: [token], route: "#prod",
       check: "look at {service}", consequence: "roll it back", risk: high}
"""
)
PROD = '{"environment": "prod", "service": "checkout", "token": "hunter22"}'


@pytest.fixture
def listed(file: Path) -> Path:
    file.write_text(LISTED)
    return file


def test_what_became_of_every_rule_of_a_list_is_told(listed: Path) -> None:
    out = explain(listed, "restart", "--args", PROD, "--requester", "U2").out
    assert '1. when args.environment == "dev": does not hold.\n' in out
    assert "2. when requester == 'U1': does not hold.\n3. without a when: this rule applies.\n" in out
    assert "not reached" in explain(listed, "restart", "--args", '{"environment": "dev"}').out
    assert "record: it runs unasked" in explain(listed, "restart", "--args", PROD, "--requester", "U1").out


def test_what_means_nothing_under_its_gate_is_left_out_and_lines_are_parted_once(listed: Path) -> None:
    free = explain(listed, "restart", "--args", '{"environment": "dev"}').out
    assert "never: it runs unasked" in free
    assert not [word for word in ("approvers", "quorum", "decisions", "timeout", "redact") if word in free]
    assert "\n\n\n" not in free + explain(listed, "deploy").out
    assert "nothing by this rule; what the tool's schema calls secret is hidden" in explain(listed, "deploy").out


def test_both_take_the_file_in_both_ways_and_not_two_files(file: Path) -> None:
    assert command({}, "policy", "lint", "--config", str(file)).out == command({}, "policy", "lint", str(file)).out
    assert command({}, "policy", "explain", "deploy", str(file)).out == explain(file, "deploy").out
    assert command({}, "policy", "lint", str(file), "--config", "other.yml").code == 2


def test_an_error_in_a_condition_is_told_with_what_follows_from_it(listed: Path) -> None:
    out = explain(listed, "restart", "--args", "{}", "--requester", "U1").out
    assert 'has no answer (there is no "environment" in what it looks at); this rule would let the call through' in out
    assert "Because of the error the call is gated" in out
    assert "always: a person must decide" in out


def test_everything_about_the_card_is_told_and_nothing_that_is_hidden(listed: Path) -> None:
    ended = explain(listed, "restart", "--args", PROD)
    for words in (
        "2 different people must approve",
        "token: shown to nobody",
        "#prod: the card goes there",
        "look at {service}",
        "roll it back",
        "prod - Restart checkout with hidden",
    ):
        assert words in ended.out
    assert "hunter22" not in ended.out


def test_without_arguments_it_says_that_it_depends(listed: Path) -> None:
    out = explain(listed, "restart").out
    assert '1. when args.environment == "dev": gate never\n' in out
    assert "Which one it is depends on the call: give --args" in out
    found = explain(listed, "restart", "--json").json
    assert (found["rule"], found["applies"], found["rules"][0]["held"]) == (None, "restart", None)


def test_as_json_it_has_every_rule_and_its_fate(listed: Path) -> None:
    found = explain(listed, "restart", "--args", "{}", "--requester", "U1", "--json").json
    assert [rule["held"] for rule in found["rules"]] == ["erred", "holds", "not reached"]
    assert found["rules"][0]["reason"] == 'there is no "environment" in what it looks at'
    assert (found["gated_by_error"], found["rule"]["gate"]) == (True, "always")


@pytest.mark.parametrize("text", ["[1]", "{", "x", '"a"', "[" * 100_000])
def test_arguments_that_are_no_object_are_refused(listed: Path, text: str) -> None:
    ended = explain(listed, "restart", "--args", text)
    assert ended.code == 2
    assert "this must be a JSON object" in ended.err


def test_warnings_are_told_and_count_only_when_strict(listed: Path) -> None:
    ended = command({}, "policy", "lint", str(listed))
    first, last = ended.out.splitlines()
    assert first.startswith(f"{listed}:14: tools.restart.summary: warning: the summary names {{token}}, which redact")
    assert last.endswith("There is 1 warning.")
    assert ended.code == 0
    assert command({}, "policy", "lint", "--strict", str(listed)).code == 1
    (problem,) = command({}, "policy", "lint", str(listed), "--json").json
    assert (problem["severity"], problem["line"]) == ("warning", 14)


@pytest.mark.parametrize("tool", ["k8s.get_pods", "k8s__get_pods"])
def test_an_mcp_tool_is_explained_by_the_policys_name_and_by_the_models(tmp_path: Path, tool: str) -> None:
    path = tmp_path / "countersign.yml"
    server = "{k8s: {transport: stdio, command: kubectl-mcp}}"
    path.write_text(GOOD.replace('model: "p:m"', f'model: "p:m", mcp: {server}') + "  k8s.get_*: {gate: never}\n")
    ended = explain(path, tool, "--args", '{"namespace": "web"}')
    assert ended.out.startswith("k8s.get_pods: the pattern k8s.get_* under tools applies")
    assert explain(path, "k9s__get_pods").out.startswith("k9s__get_pods: the defaults apply")
    assert "the defaults apply" in explain(path, "get_pods").out
