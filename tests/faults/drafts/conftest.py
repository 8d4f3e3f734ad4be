"""An agent that streams, and whose tools say how far they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.drafts.talk import CONFIG
from tests.faults.lab import Lab, a_lab
from tests.workers.talking import TALK_DIR


@pytest.fixture
def lab(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Lab]:
    with a_lab(database_url, redis_url, tmp_path, CONFIG) as lab:
        lab.more[TALK_DIR] = str(tmp_path)
        yield lab
