"""`agents.NAME.mcp`: how servers are named and reached, and one clear line for each mistake."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import lint_config, load_config
from approvals.config.values import HttpServer, StdioServer
from approvals.rules.durations import parse_duration

FILE = """\
agents:
  ops:
    factory: m:f
    model: p:m
    mcp:
      {entry}
approvers: {{leads: {{users: [U1]}}}}
defaults: {{approvers: [leads]}}
"""


def line_about(tmp_path: Path, entry: str, more: str = "") -> str:
    file = tmp_path / "countersign.yml"
    file.write_text(FILE.format(entry=entry) + more)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    return str(caught.value).replace(str(file), "FILE")


def test_servers_are_read_with_their_defaults(tmp_path: Path) -> None:
    file = tmp_path / "countersign.yml"
    entry = (
        "k8s: {transport: stdio, command: kubectl-mcp, args: [--ro], env: [KUBECONFIG], cwd: /srv}\n"
        "      it-desk: {transport: streamable_http, url: 'http://h:1/mcp', timeout: 5m,"
        " headers: {Authorization: TOKEN}}"
    )
    file.write_text(FILE.format(entry=entry))
    config = load_config(file)
    assert config.agents["ops"].mcp == (
        StdioServer("k8s", "kubectl-mcp", ("--ro",), ("KUBECONFIG",), "/srv"),
        HttpServer("it-desk", "http://h:1/mcp", (("Authorization", "TOKEN"),), parse_duration("5m")),
    )
    assert config.mcp_variables == {"KUBECONFIG", "TOKEN"}


@pytest.mark.parametrize("name", ["a.b", "a__b", "a_", "_a", "a b", "x" * 33])
def test_a_name_that_could_be_taken_for_another_is_refused(tmp_path: Path, name: str) -> None:
    said = line_about(tmp_path, f"{name}: {{transport: stdio, command: x}}")
    assert said.startswith(f"FILE:6: agents.ops.mcp.{name}: the name ")
    assert "letters, digits, - and single _" in said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{command: x}", "transport: this is missing; it must be stdio"),
        ("{transport: sse, command: x}", 'transport: "sse" is not allowed here'),
        ("{transport: stdio}", "command: transport: stdio needs it, and it is missing: the program to start"),
        ("{transport: streamable_http}", "url: transport: streamable_http needs it, and it is missing: an address"),
        ("{transport: stdio, command: x, url: 'http://h/'}", "url: url is for transport: streamable_http"),
        ("{transport: streamable_http, url: 'http://h/', cwd: /}", "cwd: cwd is for transport: stdio"),
        ("{transport: streamable_http, url: 'http://u:p@h/'}", "url: this must be an address"),
        ("{transport: streamable_http, url: 'file:///x'}", "url: this must be an address"),
        ("{transport: streamable_http, url: 'http://h/', headers: {A: Bearer x}}", "headers.A: this must be the name"),
        ("{transport: stdio, command: x, env: [A, A]}", 'env: "A" stands here twice'),
        ("{transport: stdio, command: x, env: {A: secret}}", "env: this must be a list of names"),
        ("{transport: stdio, command: x, timeout: 60}", "timeout: the number 60 has no unit"),
        ("{transport: stdio, command: x, argz: []}", 'argz: unknown key; did you mean "args"?'),
        ("kubectl-mcp", "this must be a mapping with transport, and command or url"),
    ],
)
def test_a_mistake_is_one_line_with_its_key(tmp_path: Path, entry: str, said: str) -> None:
    line = line_about(tmp_path, f"k8s: {entry}")
    assert line.startswith("FILE:6: agents.ops.mcp.k8s")
    assert said in line


def test_an_ungated_agent_has_none(tmp_path: Path) -> None:
    file = FILE.replace("    mcp:", "    ungated: true\n    mcp:")
    path = tmp_path / "countersign.yml"
    path.write_text(file.format(entry="k8s: {transport: stdio, command: x}"))
    with pytest.raises(ConfigError, match="come with the gate, which an ungated agent does not carry"):
        load_config(path)


K8S = "k8s: {transport: stdio, command: x}"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("k8s__drain", 'did you mean "k8s.drain"?'),
        ("K8s__*", 'did you mean "k8s.*"?'),
        ("k9s.drain", 'no agent has k9s; did you mean "k8s.drain"?'),
        ("K8s.drain", 'no agent has K8s; did you mean "k8s.drain"?'),
        ("tickets.close", "no agent has tickets; define tickets under mcp, or correct the name"),
    ],
)
def test_a_rule_that_no_call_of_a_server_can_come_under_is_refused(tmp_path: Path, name: str, meant: str) -> None:
    line = line_about(tmp_path, K8S, f"tools:\n  drain: {{gate: never}}\n  {name}: {{gate: always}}\n")
    assert line.startswith(f"FILE:11: tools.{name}: ")
    assert meant in line


@pytest.mark.parametrize("name", ["k8s.drain", "k8s.*", "k*.drain", "'*.drain'", "my__tool", "cost.limit", "'cost.*'"])
def test_a_rule_that_a_call_or_a_question_can_come_under_is_not(tmp_path: Path, name: str) -> None:
    path = tmp_path / "countersign.yml"
    asks = "\n    interrupts: {cost.limit: {approve: 1}}"
    path.write_text(FILE.format(entry=K8S + asks) + f"tools:\n  {name}: {{gate: always}}\n")
    assert load_config(path).policy.tools[0].pattern == name.strip("'")


@pytest.mark.parametrize(
    ("entry", "key", "said"),
    [
        ("{transport: stdio, command: x, timeout: 2h}", "timeout", "one call may take 2h"),
        ("{transport: stdio, command: x, env: [A, DATABASE_URL]}", "env", "DATABASE_URL is Countersign's own"),
        ("{transport: stdio, command: x, env: [SLACK_BOT_TOKEN]}", "env", "SLACK_BOT_TOKEN is Countersign's own"),
        ("{transport: streamable_http, url: 'http://h/?api_key=1'}", "url", '"api_key" in the address looks like'),
        ("{transport: streamable_http, url: 'http://h/', headers: {Host: A}}", "headers.Host", "by itself"),
        (
            "{transport: streamable_http, url: 'http://h/', headers: {X-A: A, x-a: B}}",
            "headers.x-a",
            '"X-A" is the same',
        ),
    ],
)
def test_what_is_probably_not_meant_is_said(tmp_path: Path, entry: str, key: str, said: str) -> None:
    path = tmp_path / "countersign.yml"
    path.write_text(FILE.format(entry=f"k8s: {entry}"))
    (doubt,) = lint_config(path)[1]
    assert (doubt.line, doubt.key) == (6, f"agents.ops.mcp.k8s.{key}")
    assert said in doubt.message
