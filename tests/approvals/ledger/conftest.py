"""One migrated database per file, because a copy costs more than most tests here; `own_world` where that is
not enough: for tests that change the tables, or that look at everything there is."""

from collections.abc import Iterator

import pytest

from approvals.ledger.database import Database
from tests.approvals.ledger.world import World
from tests.fixtures.databases import new_database, with_path


@pytest.fixture(scope="module")
def shared_database(postgres_url: str, template_database: str, database_names: Iterator[str]) -> Iterator[Database]:
    copy = new_database(postgres_url, next(database_names), template=template_database)
    # Twenty at once is what some tests want.
    with copy as name, Database(with_path(postgres_url, name), max_size=20) as db:
        yield db


@pytest.fixture
def world(shared_database: Database) -> World:
    return World(shared_database)


@pytest.fixture
def own_world(database_url: str) -> Iterator[World]:
    with Database(database_url, max_size=8) as db:
        yield World(db)
