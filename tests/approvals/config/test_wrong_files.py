"""Every wrong file is one line: FILE:LINE: key.path: what is wrong and what to write."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import load_config

# Lines 1 to 6; what a test adds begins in line 7.
HEAD = """\
agents:
  a: {factory: "m:f", model: "p:m"}
approvers:
  leads: {users: [U1]}
defaults: {approvers: [leads]}
tools:
"""


def the_error(tmp_path: Path, text: str | bytes) -> ConfigError:
    file = tmp_path / "countersign.yml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


def the_line(tmp_path: Path, text: str | bytes) -> str:
    """Without the folder, so that it reads as it would in the user's own."""
    return str(the_error(tmp_path, text)).replace(f"{tmp_path}/", "")


KEYS = "agents, approvers, defaults, tools, pagers, freeze, reports, retention"
RULE_KEYS = (
    "gate, decisions, approvers, quorum, timeout, self_approval, summary, risk, redact, route, check, consequence, "
    "remind, escalate, on_timeout, extend, idempotency"
)
TIMEOUT = "this must be a duration such as 45s, 30m, 2h or 1d"
DECISIONS = "this must be a list of approve, edit, reject and respond, such as [approve, edit, reject]"
USERS = "this must be a list of Slack user ids (U… or W…), such as [U07LEAD]"
BRACES = "only the names of the tool's arguments may stand in braces"
NO_NAME = "it must be a tool's name, or a pattern with one * such as read_*; no other wildcard and no spaces"

IN_A_TOOL = [
    ("timout: 30m", f'timout: unknown key; did you mean "timeout"? allowed here: {RULE_KEYS}'),
    ("colour: red", f"colour: unknown key; allowed here: {RULE_KEYS}, when."),
    ("timeout: 30", "timeout: the number 30 has no unit; write 30s, 30m or 30h, whichever you mean."),
    ("timeout: 1.5", f"timeout: {TIMEOUT}."),
    ("timeout: true", f"timeout: {TIMEOUT}."),
    ("timeout: [30m]", f"timeout: {TIMEOUT}."),
    ("timeout: 2026-01-31", f"timeout: {TIMEOUT}."),
    ("timeout: 1h30m", 'timeout: "1h30m" is not a duration; write a whole number and a unit, such as 45s, '),
    ("timeout: 0m", 'timeout: "0m" is not a duration; '),
    ("timeout: 366d", 'timeout: "366d" is too long; the longest duration is 365d.'),
    ("timeout:", "timeout: this has no value; give it one, or remove the line."),
    ("self_approval: yes", "self_approval: this must be true or false (may the person who asked approve it "),
    ("self_approval: 1", "self_approval: this must be true or false ("),
    ("gate: no", 'gate: "no" is not allowed here; this must be always (a person must decide), never, or record ('),
    ("gate: false", "gate: the value false is not allowed here; this must be always (a person must decide), n"),
    ("gate: alway", 'gate: "alway" is not allowed here; did you mean "always"? this must be always ('),
    ("risk: medium", 'risk: "medium" is not allowed here; this must be low or high (how loud the card is).'),
    ("risk: 3", "risk: the number 3 is not allowed here; this must be low or high"),
    ("decisions: approve", f'decisions: {DECISIONS}, not "approve".'),
    ("decisions: []", f"decisions: this is empty; {DECISIONS.replace('this must', 'it must')}."),
    ("decisions: [aprove]", 'decisions: "aprove" is not allowed here; did you mean "approve"? this must be a list'),
    ("decisions: [approve, approve]", 'decisions: "approve" stands here twice; keep one.'),
    ("approvers: leads", "approvers: this must be a list of names from the section approvers, or requester, "),
    ("approvers: [1]", "approvers: the number 1 does not fit here; this must be a list of names from the "),
    ("approvers: [lead]", 'approvers: "lead" is not defined under approvers; define it there, or use one of: leads, '),
    ("approvers: [leads, leads]", 'approvers: "leads" stands here twice; keep one.'),
    ("approvers: []", "approvers: nobody may decide this tool: it is gated and its list of approvers is empty; "),
    ('summary: "{a.b}"', f"summary: {BRACES}"),
    ('summary: "{a[0]}"', f"summary: {BRACES}"),
    ('summary: "{0}"', f"summary: {BRACES}"),
    ('summary: "{}"', f"summary: {BRACES}"),
    ('summary: "{a!r}"', f"summary: {BRACES}"),
    ('summary: "{a:>9}"', f"summary: {BRACES}"),
    ('summary: "{{a}}"', f"summary: {BRACES}"),
    ('summary: "{a"', f"summary: {BRACES}"),
    ("summary: 5", "summary: this must be one line with argument names in braces, such as "),
    ('summary: ""', "summary: this is empty; it must be one line with argument names in braces, such as "),
]


@pytest.mark.parametrize(("entry", "complaint"), IN_A_TOOL)
def test_a_wrong_entry_of_a_tool(entry: str, complaint: str, tmp_path: Path) -> None:
    text = HEAD + f"  first: {{gate: never}}\n  second:\n    {entry}\n"
    assert the_line(tmp_path, text).startswith(f"countersign.yml:9: tools.second.{complaint}")


@pytest.mark.parametrize(("entry", "complaint"), IN_A_TOOL[:-1])
def test_the_same_entry_is_wrong_under_defaults(entry: str, complaint: str, tmp_path: Path) -> None:
    approvers = "" if entry.startswith("approvers") else "  approvers: [leads]\n"
    text = HEAD.replace("defaults: {approvers: [leads]}\ntools:\n", f"defaults:\n{approvers}  {entry}\n")
    line = the_line(tmp_path, text)
    key = complaint.partition(":")[0]
    assert line.startswith(f"countersign.yml:{7 if approvers else 6}: defaults.{key}: ")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("1", "tools: YAML reads this name as a number, not as text; put it in quotes."),
        ("true", "tools: YAML reads this name as true or false, not as text; put it in quotes."),
        ("null", "tools: YAML reads this name as nothing, not as text; put it in quotes."),
        ("2026-01-31", "tools: YAML reads this name as something else, not as text; put it in quotes."),
        ('"read logs"', f'tools.read logs: the name "read logs" cannot stand here; {NO_NAME}.'),
        ('"read_?"', f'tools.read_?: the name "read_?" cannot stand here; {NO_NAME}.'),
        ('"read_[ab]"', f'tools.read_[ab]: the name "read_[ab]" cannot stand here; {NO_NAME}.'),
        ('"a*b*"', f'tools.a*b*: the name "a*b*" cannot stand here; {NO_NAME}.'),
        ('"**"', f'tools.**: the name "**" cannot stand here; {NO_NAME}.'),
        ('""', 'tools.: the name "" cannot stand here; '),
        ("? [a]\n  ", "a list or a mapping cannot be a name; write a text."),
    ],
)
def test_a_name_that_no_tool_can_have(name: str, complaint: str, tmp_path: Path) -> None:
    assert the_line(tmp_path, HEAD + f"  {name}: {{gate: never}}\n").startswith(f"countersign.yml:7: {complaint}")


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ("{users: []}", f"approvers.leads.users: this is empty; {USERS.replace('this must', 'it must')}."),
        ("{users: U1}", f'approvers.leads.users: {USERS}, not "U1".'),
        ("{users: [u1]}", f'approvers.leads.users: "u1" does not fit here; {USERS}.'),
        ('{users: ["@bob"]}', f'approvers.leads.users: "@bob" does not fit here; {USERS}.'),
        ("{users: [U1, 7]}", f"approvers.leads.users: the number 7 does not fit here; {USERS}."),
        ("{users: [U1, U1]}", 'approvers.leads.users: "U1" stands here twice; keep one.'),
        ('{usergroup: "@sre"}', "approvers.leads.usergroup: this must be the user group's handle without @, or its id"),
        ('{usergroup: ""}', "approvers.leads.usergroup: this must be the user group's handle without @, or its id"),
        ("{usergroup: 5}", "approvers.leads.usergroup: this must be the user group's handle without @, or its id"),
        ("{}", "approvers.leads: this needs either usergroup, users or lookup, exactly one of the three."),
        ("{usergroup: sre, users: [U1]}", "approvers.leads: this needs either usergroup, users or lookup, exactly "),
        (
            "{user: [U1]}",
            'approvers.leads.user: unknown key; did you mean "users"? allowed here: usergroup, users, lo',
        ),
        ("[U1]", "approvers.leads: this must be a mapping with usergroup or users, such as {usergroup: oncall-sre}, "),
        ("U1", "approvers.leads: this must be a mapping with usergroup or users, such as {usergroup: oncall-sre}, "),
    ],
)
def test_wrong_approvers(section: str, complaint: str, tmp_path: Path) -> None:
    text = HEAD.replace("{users: [U1]}", section) + "  x: {}\n"
    assert the_line(tmp_path, text).startswith(f"countersign.yml:4: {complaint}")


def test_the_name_requester_cannot_be_defined(tmp_path: Path) -> None:
    text = HEAD.replace("  leads", "  requester: {users: [U2]}\n  leads") + "  x: {}\n"
    assert the_line(tmp_path, text) == (
        'countersign.yml:4: approvers.requester: the name "requester" always means the people who asked, '
        "so choose another name."
    )


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ('{factory: "m", model: "p:m"}', "agents.a.factory: this must be module:function, the function that builds"),
        ('{factory: "m.py:f", model: ""}', "agents.a.model: this must be provider:model, such as anthropic:claude-"),
        ('{factory: "./m:f", model: "p:m"}', "agents.a.factory: this must be module:function, "),
        ('{factory: "m:f:g", model: "p:m"}', "agents.a.factory: this must be module:function, "),
        ('{factory: "m:f", model: "claude"}', "agents.a.model: this must be provider:model, such as anthropic:claude"),
        ('{factory: "m:f", model: "p: m"}', "agents.a.model: this must be provider:model, "),
        ('{factory: "m:f", model: "python:x"}', 'agents.a.model: "python:x" does not name a function; write python:mo'),
        ('{model: "p:m"}', "agents.a.factory: this is missing; it must be module:function, the function that builds"),
        ('{factory: "m:f"}', "agents.a.model: this is missing; it must be provider:model, such as anthropic:claude-"),
        ('{factory: "m:f", modle: "p:m"}', 'agents.a.modle: unknown key; did you mean "model"? allowed here: factory'),
        ("5", "agents.a: this must be a mapping with factory and model, not the number 5."),
        ("", "agents.a: this has no value; give it one, or remove the line."),
    ],
)
def test_a_wrong_agent(agent: str, complaint: str, tmp_path: Path) -> None:
    text = HEAD.replace('{factory: "m:f", model: "p:m"}', agent) + "  x: {}\n"
    line = the_line(tmp_path, text)
    assert line.startswith("countersign.yml:2: agents.a")
    assert complaint in line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "countersign.yml:1: the file is empty; it needs at least one agent, see the example countersign.yml."),
        ("# soon\n", "countersign.yml:1: the file is empty; it needs at least one agent, see the example countersi"),
        (
            "- a\n",
            f"countersign.yml:1: the file must be a mapping with the keys {KEYS}.",
        ),
        (
            "hello\n",
            f"countersign.yml:1: the file must be a mapping with the keys {KEYS}.",
        ),
        ("\n\napprovers: {}\n", "countersign.yml:1: agents: this is missing; it must be a mapping from an agent's na"),
        ("\nagents: {}\n", "countersign.yml:2: agents: this is empty; it must be a mapping from an agent's name to "),
        ("\nagents:\n", "countersign.yml:2: agents: this has no value; give it one, or remove the line."),
        ("\nagents: []\n", "countersign.yml:2: agents: this must be a mapping from an agent's name to its factory and"),
        ("a: 1\na: 2\n", 'countersign.yml:2: the key "a" is here a second time; keep one of the two.'),
        ("a:\n  b: 1\n  c: 2\n  b: 3\n", 'countersign.yml:4: the key "b" is here a second time; keep one of the two.'),
        ("a: 1\n\tb: 2\n", "countersign.yml:2: this is not valid YAML (found character '\\t' that cannot start any "),
        ("a: [1, 2\n", "countersign.yml:2: this is not valid YAML ("),
        ("a: [#db]\nb: 1\n", "countersign.yml:1: YAML takes all behind a # as a comment; put what begins with # in"),
        ("a:\n  b: [direct, #db]\nc: 1\n", "countersign.yml:2: YAML takes all behind a # as a comment; put what"),
        ("a: [1, 2 # both of them\nb: 1\n", "countersign.yml:2: this is not valid YAML ("),
        ("a: b: c\n", "countersign.yml:1: this is not valid YAML (mapping values are not allowed here); correct "),
        ("a: 1\n---\nb: 2\n", "countersign.yml:2: this is not valid YAML (found another document); correct this line"),
        (
            "a: &x\n  b: *x\n",
            "countersign.yml:1: the value that begins here contains itself through an alias; write it out.",
        ),
        ("a: *x\n", "countersign.yml:1: this is not valid YAML (found undefined alias 'x'); correct this line or "),
        ("a: 1\nb: !!python/object:os.system {}\n", "countersign.yml:2: this is not valid YAML (could not determine"),
        ("a: 1\nb: 2026-02-31\n", 'countersign.yml:2: "2026-02-31" looks like a date or a number and is none; put it'),
        ("a: " + "[" * 5_000, "countersign.yml:1: the file is nested too deeply; write it flatter."),
        ("a: \x00\n", "countersign.yml:1: this is not YAML ("),
        (b"a: \xff\n", "countersign.yml: the file is not UTF-8 text; save it as UTF-8."),
    ],
)
def test_a_file_that_is_no_configuration(text: str | bytes, line: str, tmp_path: Path) -> None:
    assert the_line(tmp_path, text).startswith(line)


def test_a_misspelled_section_is_suggested(tmp_path: Path) -> None:
    assert the_line(tmp_path, HEAD + "  x: {}\nagent: {}\n") == (
        'countersign.yml:8: agent: unknown key; did you mean "agents"? '
        "allowed here: agents, approvers, defaults, tools, pagers, freeze, reports, retention."
    )


def test_without_defaults_the_tools_that_no_rule_names_need_somebody(tmp_path: Path) -> None:
    text = HEAD.replace("defaults: {approvers: [leads]}\n", "") + "  x: {approvers: [leads]}\n"
    assert the_line(tmp_path, text) == (
        "countersign.yml:1: defaults.approvers: nobody may decide the tools that no rule names: they are gated and "
        "this list is empty; name who may decide, or write gate: never under defaults."
    )


def test_a_tool_gated_against_the_defaults_needs_somebody(tmp_path: Path) -> None:
    text = HEAD.replace("{approvers: [leads]}", "{gate: never}") + "  x:\n    gate: always\n"
    assert the_line(tmp_path, text).startswith("countersign.yml:7: tools.x.approvers: nobody may decide this tool: ")


def test_several_problems_are_one_line_and_each_can_be_had(tmp_path: Path) -> None:
    text = HEAD + "  x:\n    risk: huge\n    timeout: 5\n  y: 7\n"
    error = the_error(tmp_path, text)
    assert str(error).endswith(" (and 2 more: tools.x.timeout in line 9, tools.y in line 10)")
    assert [(problem.line, problem.key) for problem in error.problems] == [
        (8, "tools.x.risk"),
        (9, "tools.x.timeout"),
        (10, "tools.y"),
    ]


def test_a_key_that_a_merge_brought_in_is_named_where_it_is_written(tmp_path: Path) -> None:
    text = HEAD + "  x: &x\n    gate: never\n    risk: huge\n  y:\n    <<: *x\n"
    assert {problem.line for problem in the_error(tmp_path, text).problems} == {9}
