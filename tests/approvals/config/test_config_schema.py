from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from approvals.config.schema import config_json_schema, config_json_schema_text

ROOT = Path(__file__).parents[3]


def the_example() -> Any:
    return YAML(typ="safe", pure=True).load((ROOT / "countersign.yml").read_text(encoding="utf-8"))


def test_the_published_schema_is_the_one_of_the_models() -> None:
    assert (ROOT / "countersign.schema.json").read_text(encoding="utf-8") == config_json_schema_text(), (
        "countersign.schema.json is behind the models; write config_json_schema_text() into it."
    )


def test_the_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(config_json_schema())


def test_the_example_is_valid_by_the_schema() -> None:
    Draft202012Validator(config_json_schema()).validate(the_example())


@pytest.mark.parametrize(
    ("section", "name", "entry"),
    [
        ("tools", "scale", {"quorum": 0}),
        ("tools", "scale", {"timeout": 30}),
        ("tools", "scale", {"timeout": None}),
        ("tools", "scale", {"summary": "{a.b}"}),
        ("tools", "scale", {"summary": None}),
        ("tools", "scale", {"decisions": ["maybe"]}),
        ("tools", "scale", {"decisions": ["approve", "approve"]}),
        ("tools", "scale", [{"gate": "maybe"}]),
        ("tools", "scale", []),
        ("tools", "scale", {"redact": ["a", "a"]}),
        ("tools", "scale", {"route": "prod"}),
        ("tools", "scale", {"when": True}),
        ("tools", "read_?", {"gate": "never"}),
        ("approvers", "oncall", {"usergroup": "x", "users": ["U1"]}),
        ("approvers", "oncall", {"users": []}),
        ("agents", "oncall", {"factory": "m:f"}),
    ],
)
def test_an_editor_marks_what_the_program_would_refuse(section: str, name: str, entry: object) -> None:
    example = the_example()
    example[section][name] = entry
    assert not Draft202012Validator(config_json_schema()).is_valid(example)


@pytest.mark.parametrize("key", ["name", "channel", "cron", "timezone", "quiet", "colour"])
def test_an_editor_marks_a_wrong_report(key: str) -> None:
    example = the_example()
    example["reports"][0][key] = 7
    assert not Draft202012Validator(config_json_schema()).is_valid(example)
