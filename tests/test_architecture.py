"""The house rules that a machine can check: which way imports point, what is a room, how long code may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = {"approvals", "bot", "workers", "demo", "ops"}
LONGEST_FILE = 250
LONGEST_FUNCTION = 40
# What may be longer, and why. A name that no longer is must go from here.
LONGER = {
    "bot/messenger.py": "every Web API call that we make, in one class",
    "tests/bot/values.py:an_approval": "one line for each column",
    "approvals/ledger/rows.py:to_approval": "one line for each column",
    "workers/agents/oncall.py:fleet_tools": "seven small tools, inside because they share one fleet",
    "tests/approvals/config/test_wrong_files.py": "one line for each way to be wrong",
    "tests/bot/test_decisions.py": "all ways to decide through one workspace",
    "tests/demo/slack/test_slack_blocks.py": "one test per documented limit of a block",
    "tests/demo/slack/test_slack_bolt_round_trip.py": "one conversation per documented Slack behaviour",
}


def test_imports_point_one_way() -> None:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    lint = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert lint.returncode == 0, lint.stdout + lint.stderr


def test_every_package_is_a_room() -> None:
    packages = {path.relative_to(ROOT).parts[0] for path in python_files()}
    assert packages == ROOMS | {"bench", "examples", "tests"}


def test_code_is_short_or_says_why_not() -> None:
    assert {name for path in python_files() for name in too_long(path)} == set(LONGER)


def python_files() -> list[Path]:
    """Those of the project: what git ignores or does not know of (an environment, a build) is not."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.splitlines() if (path := ROOT / name).exists()]


def too_long(path: Path) -> Iterator[str]:
    name, text = str(path.relative_to(ROOT)), path.read_text()
    if len(text.splitlines()) > LONGEST_FILE:
        yield name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) > LONGEST_FUNCTION:
            yield f"{name}:{node.name}"


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
