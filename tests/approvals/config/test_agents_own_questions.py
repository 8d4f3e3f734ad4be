"""What an agent's own questions are answered with, as the file says it."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.config.values import AgentConfig

AGENT = "agents:\n  a:\n    factory: ours:build\n    model: anthropic:claude-sonnet-5\n"
REST = "approvers:\n  oncall: {usergroup: oncall-sre}\ndefaults: {approvers: [oncall]}\n"


def agent(folder: Path, more: str) -> AgentConfig:
    path = folder / "countersign.yml"
    path.write_text(AGENT + more + REST, encoding="utf-8")
    return load_config(path).agents["a"]


def test_an_agent_has_the_gate_and_no_answers_unless_the_file_says_so(tmp_path: Path) -> None:
    found = agent(tmp_path, "")
    assert (found.ungated, found.interrupts, found.unmapped) == (False, {}, {})


def test_a_type_has_its_own_value_for_silence_or_the_agents(tmp_path: Path) -> None:
    found = agent(
        tmp_path,
        "    ungated: true\n    nobody_answered: {ok: false}\n    interrupts:\n"
        '      one: {approve: true, reject: {ok: false, reason: "{reason}"}}\n'
        '      two: {respond: "{response}", nobody_answered: silence}\n',
    )
    assert found.ungated
    assert found.unmapped == {"nobody_answered": {"ok": False}}
    assert found.interrupts["one"] == {
        "approve": True,
        "reject": {"ok": False, "reason": "{reason}"},
        "nobody_answered": {"ok": False},
    }
    assert found.interrupts["two"] == {"respond": "{response}", "nobody_answered": "silence"}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("    interrupts: {one: {nobody_answered: 1}}\n", "agents.a.interrupts.one: this needs one of approve"),
        ("    interrupts: {one: {aprove: 1}}\n", "aprove"),
        ("    interrupts: {one: {approve: }}\n", "agents.a.interrupts.one.approve: this has no value"),
        ("    ungated: perhaps\n", "agents.a.ungated: this must be true or false"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_stands(tmp_path: Path, more: str, says: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        agent(tmp_path, more)
    assert says in str(wrong.value)
