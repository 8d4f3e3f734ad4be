"""docs/configuration.md has every key, its default and an example that is read; and none that is not there."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from approvals.config.load import LARGEST
from approvals.config.sections import AgentSection, ApproverSection, FileSections, RuleSection, ToolRuleSection
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
RULES = {key: row for key, row in ROWS.items() if "." not in key}


def a_value(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def test_the_tables_have_every_key_and_no_other() -> None:
    sections = {"agents": AgentSection, "approvers": ApproverSection}
    named = {f"{name}.NAME.{key}" for name, model in sections.items() for key in model.model_fields}
    assert set(ROWS) == named | set(ToolRuleSection.model_fields)
    assert set(FileSections.model_fields) == {*sections, "defaults", "tools"}


@pytest.mark.parametrize("key", RuleSection.model_fields)
def test_the_default_in_the_table_is_the_default(key: str) -> None:
    default = getattr(RuleSection(), key)
    said = RULES[key][0].strip("`")
    if isinstance(default, timedelta):
        assert said == format_duration(default)
    elif default in (None, ""):
        assert not RULES[key][0].startswith("`")
    else:
        assert a_value(said) == (list(default) if isinstance(default, tuple) else default)


@pytest.mark.parametrize("key", RULES)
def test_the_example_of_a_rules_key_is_read(key: str) -> None:
    assert ToolRuleSection.model_validate({key: a_value(RULES[key][1])}).model_fields_set == {key}


@pytest.mark.parametrize("key", [key for key in ROWS if key.startswith("approvers.")])
def test_the_example_of_a_key_of_approvers_is_read(key: str) -> None:
    name = key.rpartition(".")[2]
    assert ApproverSection.model_validate({name: a_value(ROWS[key][1])}).model_fields_set == {name}


def test_the_numbers_and_names_on_the_page_are_those_of_the_code() -> None:
    assert f"{LARGEST // 1024} KB" in PAGE
    assert f"{MOST_CHARACTERS:,} characters, {MOST_VALUES:,} values and {DEEPEST} levels" in " ".join(PAGE.split())
    assert all(f"`{name}`" in PAGE for name in VARIABLES)
    assert set(re.findall(r"`(\w+)\(\)`", PAGE)) == set(ADDED)
