"""Failpoints themselves: closed, inert, each in one place."""

import ast
import re
import subprocess
import sys
import timeit
from collections import Counter
from pathlib import Path

import pytest

from approvals import failpoints
from approvals.failpoints import Commit, FailpointReached, Point

ROOT = Path(__file__).parents[2]
ROOMS = ("approvals", "bot", "workers")
KILL = "from approvals.failpoints import Point, reach; reach(Point.AFTER_TOOL); print('alive')"


def uses(enum: str) -> Counter[str]:
    """How often the product names each member of the enum."""
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return Counter(
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == enum
    )


def test_every_point_is_at_exactly_one_place_in_the_product() -> None:
    assert uses("Point") == Counter(point.name for point in Point)
    assert uses("Commit") == Counter(commit.name for commit in Commit)


@pytest.mark.parametrize(
    "wrong",
    [
        "no_such_point:kill",
        "after_tool",
        "after_tool:explode",
        "after_tool:sleep",
        "after_tool:kill:3",
        "after_tool:kill:once",
    ],
)
def test_what_cannot_strike_is_refused_by_name(wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        failpoints.read({"FAILPOINT": wrong})


def test_nothing_is_armed_without_the_variable() -> None:
    assert failpoints.armed == {}
    assert failpoints.read({}) == {}


def test_a_point_that_is_not_armed_costs_less_than_a_microsecond() -> None:
    assert timeit.timeit(lambda: failpoints.reach(Point.AFTER_TOOL), number=10_000) / 10_000 < 1e-6


def test_a_point_raises_every_time_unless_it_strikes_once(tmp_path: Path) -> None:
    every = failpoints.read({"FAILPOINT": "after_tool:raise,before_ack:sleep:0"})
    for _ in range(2):
        with pytest.raises(FailpointReached):
            every["after_tool"]()
    every["before_ack"]()
    once = failpoints.read({"FAILPOINT": "after_tool:raise:once", "FAILPOINT_DIR": str(tmp_path)})["after_tool"]
    with pytest.raises(FailpointReached):
        once()
    once()


def test_a_point_that_blocks_shows_that_it_was_reached_and_goes_on_when_told(tmp_path: Path) -> None:
    act = failpoints.read({"FAILPOINT": "after_tool:block", "FAILPOINT_DIR": str(tmp_path)})["after_tool"]
    (tmp_path / "after_tool.go").touch()
    act()
    assert (tmp_path / "after_tool").exists()


def test_a_process_that_was_killed_at_a_point_goes_on_the_next_time(tmp_path: Path) -> None:
    environ = {"FAILPOINT": "after_tool:kill:once", "FAILPOINT_DIR": str(tmp_path)}
    ends = [
        subprocess.run([sys.executable, "-c", KILL], env=environ, cwd=ROOT, capture_output=True, check=False)
        for _ in range(2)
    ]
    assert [end.returncode for end in ends] == [-9, 0]
    assert ends[1].stdout == b"alive\n"


def test_every_point_is_struck_by_a_test() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert {name for name in failpoints.names() if not re.search(rf"\b{name}\b", tests)} == set()
