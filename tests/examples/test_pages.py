"""Every page of examples/ is played: the command that it has one type, what is written and pressed, what is seen."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.services.binaries import new_folder, unprivileged_account
from tests.examples.visitor import Visitor
from tests.examples.walkthrough import Press, demo_arguments, play
from tests.walk.running import ADDRESS, ROOT, USABLE, started

PAGES = sorted((ROOT / "examples").glob("*/README.md"))

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def folder() -> Iterator[Path]:
    """pytest's own folders are private to us; as root, PostgreSQL is somebody else."""
    new = new_folder(unprivileged_account())
    yield new
    shutil.rmtree(new)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_an_example_does_what_its_page_says(folder: Path, page: Path) -> None:
    with started(folder, *demo_arguments(page)) as demo:
        [address] = ADDRESS.findall("".join(demo.hear(USABLE)))
        played = play(page, Visitor(address))
    assert {step.button for step in played if isinstance(step, Press)} >= {"Approve", "Reject"}


def test_there_are_examples_and_the_readme_leads_to_each() -> None:
    assert len(PAGES) >= 3
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.parent.name for page in PAGES if f"examples/{page.parent.name}" not in readme] == []
