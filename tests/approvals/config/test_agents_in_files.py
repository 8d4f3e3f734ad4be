"""Where agents may be asked and by whom, as the file says it: what is wrong, what is odd, and what is read."""

from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import lint_config, load_config

# What a test adds stands in line 7.
HEAD = """\
approvers:
  dba: {usergroup: dba}
defaults: {approvers: [dba]}
agents:
  oncall: {factory: "m:f", model: "p:m"}
  db-agent: {factory: "m:f", model: "p:m",
    KEYS}
"""


def written(tmp_path: Path, keys: str) -> Path:
    file = tmp_path / "countersign.yml"
    file.write_text(HEAD.replace("KEYS", keys), encoding="utf-8")
    return file


def test_channels_and_people_are_read(tmp_path: Path) -> None:
    agents = load_config(written(tmp_path, 'channels: ["#db", C0123, direct], people: [dba]')).agents
    found = agents["db-agent"].askable
    assert found.channels == ("#db", "C0123", "direct")
    assert [one.usergroup for one in found.people or ()] == ["dba"]
    assert (agents["oncall"].askable.channels, agents["oncall"].askable.people) == (None, None)


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ("people: [dbas]", 'people: "dbas" is not defined under approvers; define it there, or use one of: dba.'),
        ("people: [requester]", 'people: "requester" is not defined under approvers; '),
        ("people: dba", "people: this must be a list of names from the section approvers, such as [oncall]: who may"),
        ('channels: ["db"]', 'channels: "db" does not fit here; this must be a list of channels, as "#name" in quotes'),
        ('channels: ["#DB"]', 'channels: "#DB" does not fit here; this must be a list of channels, as "#name" in '),
        ("channels: [D0123]", 'channels: "D0123" does not fit here; this must be a list of channels, as "#name" in '),
        ('channels: "#db"', 'channels: this must be a list of channels, as "#name" in quotes or by id'),
        ("channels: [direct, direct]", 'channels: "direct" stands here twice; keep one.'),
        ("model_timeout: 30", "model_timeout: the number 30 has no unit; write 30s, 30m or 30h, whichever you mean."),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path: Path, keys: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        load_config(written(tmp_path, keys))
    assert str(wrong.value).startswith(f"{tmp_path}/countersign.yml:7: agents.db-agent.{complaint}")
    assert len(str(wrong.value).splitlines()) == 1


def test_two_names_that_people_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "ungated: false")
    file.write_text(file.read_text() + '  DB-Agent: {factory: "m:f", model: "p:m"}\n')
    with pytest.raises(ConfigError) as wrong:
        load_config(file)
    said = ':8: agents.DB-Agent: people call agents by name, and "db-agent" differs from it in capitals only'
    assert said in str(wrong.value)


@pytest.mark.parametrize(("keys", "key"), [("channels: []", "channels"), ("people: []", "people")])
def test_an_agent_that_nobody_can_reach_is_a_warning(tmp_path: Path, keys: str, key: str) -> None:
    config, warnings = lint_config(written(tmp_path, keys))
    assert [(one.line, one.key) for one in warnings] == [(7, f"agents.db-agent.{key}")]
    assert "nobody can ask this agent" in warnings[0].message
    assert () in (config.agents["db-agent"].channels, config.agents["db-agent"].people)
