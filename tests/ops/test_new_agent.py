"""`countersign new-agent`: what it writes works as it is, and it writes over nothing."""

import os
import subprocess
import sys
from pathlib import Path
from tomllib import loads

import pytest

from approvals.config.load import load_config
from ops.new_agent.write import FILES
from tests.ops.conftest import ROOT, command

# As somebody's own project may have it: ruff's defaults are less.
RULES = "E,F,W,I,UP,B,C90,RUF,PT,SIM,BLE,DTZ"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*argv: str) -> None:
    """A program as it is typed, with this release installed."""
    done = subprocess.run(
        [sys.executable, "-m", *argv], env=environ(), capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "MYPYPATH": str(ROOT)}


def test_it_says_what_it_wrote_and_what_to_do_next(here: Path) -> None:
    ended = command({}, "new-agent", "flags")
    assert ended.code == 0
    assert {path.name for path in (here / "flags").iterdir()} == {
        target.replace("NAME", "flags") for target in FILES.values()
    }
    for words in ("countersign demo --config flags/countersign.yml", "python -m pytest flags", "flags/flags.py"):
        assert words in ended.out
        assert words.split("/")[-1] in (here / "flags" / "README.md").read_text()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["flags", "a_name_of_exactly_thirty_chars"])
def test_what_it_writes_is_in_order(here: Path, name: str) -> None:
    assert command({}, "new-agent", name).code == 0
    for width in ("88", "120"):
        run("ruff", "format", "--isolated", "--check", "--line-length", width, name)
    run("ruff", "check", "--isolated", "--select", RULES, "--line-length", "100", name)
    run("mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache"), name)
    lint = command({}, "policy", "lint", "--strict", f"{name}/countersign.yml")
    assert (lint.code, "is fine" in lint.out) == (0, True)


@pytest.mark.timeout(300)
def test_its_own_test_passes_and_fails_once_the_tool_is_free(here: Path) -> None:
    command({}, "new-agent", "flags")
    run("pytest", "-q", "flags")
    config = here / "flags" / "countersign.yml"
    config.write_text(config.read_text().replace('    summary: "Set {flag} to {on}"\n', "    gate: never\n"))
    with pytest.raises(AssertionError, match="2 failed, 1 passed"):
        run("pytest", "-q", "flags")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Flags", "small letters"),
        ("a.b", "small letters"),
        ("my-Agent", "small letters"),
        ("../flags", "small letters"),
        ("", "small letters"),
        ("x" * 31, "up to 30"),
        ("class", "something else to Python"),
        ("json", "something else to Python"),
        ("bot", "choose another name, such as bot_agent"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_one_line(here: Path, name: str, says: str) -> None:
    ended = command({}, "new-agent", name)
    assert ended.code == 2
    assert says in ended.one_line
    assert list(here.iterdir()) == []


@pytest.mark.timeout(300)
def test_a_hyphen_stays_in_the_agents_name_and_python_gets_none(here: Path) -> None:
    ended = command({}, "new-agent", "db-agent")
    assert (ended.code, "The agent db-agent is in db_agent/: db_agent.py" in ended.out) == (0, True)
    assert list(load_config(here / "db_agent" / "countersign.yml").agents) == ["db-agent"]
    run("pytest", "-q", "db_agent")


@pytest.mark.parametrize("taken", ["folder", "file", "module"])
def test_nothing_is_written_over(here: Path, taken: str) -> None:
    there = here / ("flags.py" if taken == "module" else "flags")
    there.mkdir() if taken == "folder" else there.write_text("mine")
    ended = command({}, "new-agent", "flags")
    assert ended.code == 1
    assert "nothing was written" in ended.one_line
    assert list(there.iterdir()) == [] if taken == "folder" else there.read_text() == "mine"
    assert list(here.iterdir()) == [there]


def test_the_template_is_shipped_and_the_examples_are_not() -> None:
    """As setuptools is told to by pyproject.toml."""
    setuptools = pytest.importorskip("setuptools")
    told = loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = setuptools.find_namespace_packages(str(ROOT), include=told["packages"]["find"]["include"])
    assert "ops.new_agent.template" in packages
    assert not [one for one in packages if one.startswith(("examples", "tests", "bench"))]
    assert {"*.in", "py.typed"} <= set(told["package-data"]["*"])
    assert {f"*{path.suffix}" for path in (ROOT / "ops/new_agent/template").iterdir()} == {"*.in"}
