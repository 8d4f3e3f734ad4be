"""docs/configuration.md has every key, its default and an example that is read; and none that is not there."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from approvals.config.agent_section import AgentSection
from approvals.config.load import LARGEST
from approvals.config.mcp_section import McpSection
from approvals.config.people_section import ApproverSection
from approvals.config.report_section import ReportSection
from approvals.config.retention_section import RetentionSection
from approvals.config.sections import FileSections, RuleSection, ToolRuleSection
from approvals.config.silence_section import EscalationSection, PagerSection
from approvals.rules.condition import ADDED, DEEPEST, MOST_CHARACTERS, MOST_VALUES
from approvals.rules.durations import format_duration
from approvals.rules.when import VARIABLES

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")
# Key -> its default and its example, as the tables have them.
ROWS = {
    cells[0].strip("`"): (cells[2], cells[3].strip("`"))
    for line in PAGE.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in line[1:-1].split("|")]]
}
RULES = {key: row for key, row in ROWS.items() if "." not in key and key != "freeze"}


# Defaults that stand in the file otherwise than in the code.
SPELLED = {"escalate": "none", "extend": "max 0x"}


SECTIONS = {"approvers": ApproverSection, "pagers": PagerSection, "escalate": EscalationSection, "mcp": McpSection}


def a_value(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def test_the_tables_have_every_key_and_no_other() -> None:
    sections = {"agents": AgentSection, "approvers": ApproverSection, "pagers": PagerSection}
    named = {f"{name}.NAME.{key}" for name, model in sections.items() for key in model.model_fields}
    steps = {f"escalate.{key}" for key in EscalationSection.model_fields}
    steps |= {f"mcp.{key}" for key in McpSection.model_fields}
    steps |= {f"reports.{key}" for key in ReportSection.model_fields}
    steps |= {f"retention.{key}" for key in RetentionSection.model_fields}
    assert set(ROWS) == named | steps | set(ToolRuleSection.model_fields) | {"freeze"}
    assert set(FileSections.model_fields) == {*sections, "defaults", "tools", "freeze", "reports", "retention"}


@pytest.mark.parametrize("key", RuleSection.model_fields)
def test_the_default_in_the_table_is_the_default(key: str) -> None:
    default = getattr(RuleSection(), key)
    said = RULES[key][0].strip("`")
    if isinstance(default, timedelta):
        assert said == format_duration(default)
    elif key in SPELLED:
        assert said == SPELLED[key]
        assert getattr(RuleSection.model_validate({key: said}), key) == default
    elif default in (None, ""):
        assert not RULES[key][0].startswith("`")
    else:
        assert a_value(said) == (list(default) if isinstance(default, tuple) else default)


@pytest.mark.parametrize("key", RULES)
def test_the_example_of_a_rules_key_is_read(key: str) -> None:
    assert ToolRuleSection.model_validate({key: a_value(RULES[key][1])}).model_fields_set == {key}


@pytest.mark.parametrize("key", [key for key in ROWS if key.startswith(("approvers.", "pagers.", "escalate.", "mcp."))])
def test_the_example_of_a_key_of_a_section_is_read(key: str) -> None:
    section, name = SECTIONS[key.partition(".")[0]], key.rpartition(".")[2]
    schema = section.model_json_schema()["properties"][name]
    assert Draft202012Validator(schema).is_valid(a_value(ROWS[key][1]))


@pytest.mark.parametrize("key", [key for key in ROWS if key.startswith("agents.")])
def test_the_example_of_a_key_of_an_agent_is_read(key: str) -> None:
    name = key.rpartition(".")[2]
    least = {"factory": "ours:build", "model": "anthropic:claude-sonnet-5"}
    assert name in AgentSection.model_validate(least | {name: a_value(ROWS[key][1])}).model_fields_set


def test_the_examples_and_defaults_of_a_report_are_read() -> None:
    report = {key.rpartition(".")[2]: row for key, row in ROWS.items() if key.startswith("reports.")}
    read = ReportSection.model_validate({key: a_value(example) for key, (_, example) in report.items()})
    assert read.model_fields_set == set(report)
    for key, (default, _) in report.items():
        if default:
            assert a_value(default.strip("`")) == ReportSection.model_fields[key].default


def test_the_numbers_and_names_on_the_page_are_those_of_the_code() -> None:
    assert f"{LARGEST // 1024} KB" in PAGE
    assert f"{MOST_CHARACTERS:,} characters, {MOST_VALUES:,} values and {DEEPEST} levels" in " ".join(PAGE.split())
    assert all(f"`{name}`" in PAGE for name in VARIABLES)
    assert set(re.findall(r"`(\w+)\(\)`", PAGE)) == set(ADDED)
