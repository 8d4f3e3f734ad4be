"""The command itself: it begins fast, and says what it has."""

import subprocess
import sys

from ops.cli import GROUPS
from ops.lazy import Lazy
from tests.ops.conftest import ROOT, Place, command

HEAVY = ("langgraph", "langchain", "langchain_core", "sqlalchemy", "slack_sdk", "demo", "workers")


def test_help_names_every_group_and_waits_for_no_library() -> None:
    program = f"""
import sys, ops.cli
sys.argv = ["countersign", "--help"]
try:
    ops.cli.main()
finally:
    print(sorted(set(sys.modules) & set({HEAVY})), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    for group in GROUPS:
        assert f"  {group.name} " in done.stdout


def test_only_what_looks_at_or_runs_agents_waits_for_their_libraries() -> None:
    modules = [group.module for group in GROUPS if group.name not in ("release", "demo", "doctor")]
    program = f"import sys, {', '.join(modules)}; print(sorted(set(sys.modules) & {set(HEAVY[:3])}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_group_has_its_help() -> None:
    for group in GROUPS:
        assert isinstance(group, Lazy)
        assert command({}, group.name or "", "--help").code == 0


def test_it_runs_as_a_process_of_its_own(place: Place) -> None:
    process = place.start("approvals", "list", "--json")
    assert process.communicate(timeout=60) == ("[]\n", "")
    assert process.returncode == 0


def test_an_unknown_command_is_wrong_usage() -> None:
    ended = command({}, "aprovals")
    assert ended.code == 2
    assert "approvals" in ended.err
