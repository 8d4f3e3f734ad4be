"""One migrated database per test."""

from collections.abc import Iterator

import pytest

from approvals.ledger.database import Database
from tests.approvals.ledger.world import World


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    with Database(database_url, max_size=8) as db:
        yield db


@pytest.fixture
def world(db: Database) -> World:
    return World(db)
