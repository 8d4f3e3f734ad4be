"""The demo's own world with everything running in it, and a place at its page."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from demo.interactive import begin
from demo.world import World, demo_world
from tests.fixtures.environment import PICTURES
from tests.walk.seat import Seat, seated

Sit = Callable[[str, dict[str, int]], AbstractContextManager[Seat]]


@pytest.fixture(scope="package")
def world() -> Iterator[World]:
    """As `countersign demo` starts it."""
    with demo_world() as running:
        begin(running)
        yield running


@pytest.fixture
def sit(world: World, context: BrowserContext, tmp_path: Path) -> Sit:
    """Open the page as one person, at a desk or on a phone."""
    pictures = Path(os.environ.get(PICTURES, tmp_path))
    return partial(_sit, context, world, pictures)


def _sit(
    context: BrowserContext, world: World, pictures: Path, name: str, size: dict[str, int]
) -> AbstractContextManager[Seat]:
    return seated(context, world.slack.page_url, name, size, pictures)
