"""The agents of examples/ are what their pages call them: ordinary LangGraph code, one line away from a real model."""

import ast
import re
from pathlib import Path

import pytest

from approvals.config.load import load_config
from tests.test_architecture import ROOMS
from tests.walk.running import ROOT

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/countersign.yml"))
MODEL = re.compile(r"^    model: .*$", re.MULTILINE)


def imported(path: Path) -> set[str]:
    """The top of each module that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def test_no_example_needs_a_type_of_ours() -> None:
    files = list((ROOT / "examples").rglob("*.py"))
    assert len(files) >= 3
    assert {path.name: imported(path) & ROOMS for path in files} == {path.name: set() for path in files}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_real_model_is_one_line(example: Path, tmp_path: Path) -> None:
    text = (example / "countersign.yml").read_text(encoding="utf-8")
    real, count = MODEL.subn("    model: anthropic:claude-sonnet-5", text)
    assert count == 1
    (tmp_path / "countersign.yml").write_text(real, encoding="utf-8")
    (agent,) = load_config(tmp_path / "countersign.yml").agents.values()
    assert agent.model == "anthropic:claude-sonnet-5"
