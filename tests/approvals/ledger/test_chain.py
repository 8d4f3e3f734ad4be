"""The hash chain: what it notices, and that order of commit does not matter to it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from approvals.ledger.chain import GENESIS, Broken, Intact, link_rows, verify
from approvals.ledger.database import Database
from approvals.rules.words import Say
from tests.approvals.ledger.world import BO, DEE, World

INSERT = "INSERT INTO audit_log (action, actor, door) VALUES ('by hand', 'somebody', 'worker') RETURNING id"

CHANGED = {
    "at": "at + interval '1 microsecond'",
    "action": "'approve'",
    "actor": "'U0EVE'",
    "door": "'clock'",
    "run_id": "gen_random_uuid()",
    "approval_id": "'A-00000000'",
    "revision": "2",
    "attempt": "2",
    "state_from": "'approved/none'",
    "state_to": "'approved/none'",
    "digest": "repeat('0', 64)",
    "args_mac": "repeat('0', 64)",
    "details": 'details || \'{"why": "guest"}\'',
}


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


def a_linked_log(world: World) -> list[int]:
    """Message, open, refusal, approval; their numbers in the log."""
    approval = world.approval()
    world.decide(approval, Say.APPROVE, DEE)
    world.decide(approval, Say.APPROVE, BO)
    link_rows(world.db)
    return [row["id"] for row in world.sql("SELECT id FROM audit_log ORDER BY id")]


def tamper(world: World, statement: str, *values: object) -> None:
    """As somebody would who owns the tables."""
    world.sql("ALTER TABLE audit_log DISABLE TRIGGER ALL; ALTER TABLE audit_links DISABLE TRIGGER ALL")
    world.sql(statement, *values)


def test_an_empty_log_is_intact(world: World) -> None:
    assert verify(world.db) == Intact(linked=0, unlinked=0, head=GENESIS)


def test_the_chain_over_an_untouched_log_holds(world: World) -> None:
    rows = a_linked_log(world)
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert (intact.linked, intact.unlinked) == (len(rows), 0) == (4, 0)


def test_rows_that_wait_for_their_link_are_counted(world: World) -> None:
    a_linked_log(world)
    world.sql(INSERT)
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert (intact.linked, intact.unlinked) == (4, 1)


def test_linking_again_adds_nothing(world: World) -> None:
    a_linked_log(world)
    before = verify(world.db)
    assert link_rows(world.db) == 0
    assert verify(world.db) == before


@pytest.mark.parametrize("column", CHANGED)
def test_a_changed_row_is_named(world: World, column: str) -> None:
    _, _, refused, _ = a_linked_log(world)
    tamper(world, f"UPDATE audit_log SET {column} = {CHANGED[column]} WHERE id = %s", refused)
    assert verify(world.db) == Broken(3, refused, f"audit row {refused} was changed")


def test_every_column_of_the_log_is_under_the_chain(world: World) -> None:
    columns = world.sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'audit_log'")
    assert {row["column_name"] for row in columns} == {"id", *CHANGED}


def test_a_removed_row_is_named(world: World) -> None:
    _, _, refused, _ = a_linked_log(world)
    tamper(world, "DELETE FROM audit_log WHERE id = %s", refused)
    assert verify(world.db) == Broken(3, refused, f"audit row {refused} was removed")


def test_a_row_removed_with_its_link_is_noticed(world: World) -> None:
    _, _, refused, approved = a_linked_log(world)
    tamper(world, "DELETE FROM audit_links WHERE audit_id = %s", refused)
    world.sql("DELETE FROM audit_log WHERE id = %s", refused)
    assert verify(world.db) == Broken(3, approved, "link 3 is missing")


def test_a_row_removed_and_the_links_renumbered_is_noticed(world: World) -> None:
    _, _, refused, approved = a_linked_log(world)
    tamper(world, "DELETE FROM audit_links WHERE audit_id = %s", refused)
    world.sql("DELETE FROM audit_log WHERE id = %s", refused)
    world.sql("UPDATE audit_links SET link_no = 3 WHERE link_no = 4")
    assert verify(world.db) == Broken(3, approved, "link 3 does not continue the one before it")


def test_two_rows_that_changed_places_are_noticed(world: World) -> None:
    _, _, refused, approved = a_linked_log(world)
    tamper(world, "UPDATE audit_links SET audit_id = -audit_id WHERE link_no >= 3")
    world.sql(
        "UPDATE audit_links SET audit_id = CASE -audit_id WHEN %s THEN %s ELSE %s END WHERE link_no >= 3",
        *(refused, approved, refused),
    )
    assert verify(world.db) == Broken(3, approved, f"audit row {approved} was changed")


def test_an_end_that_was_cut_off_shows_in_the_head_alone(world: World) -> None:
    _, _, _, approved = a_linked_log(world)
    before = verify(world.db)
    tamper(world, "DELETE FROM audit_links WHERE audit_id = %s", approved)
    world.sql("DELETE FROM audit_log WHERE id = %s", approved)
    after = verify(world.db)
    assert isinstance(before, Intact)
    assert isinstance(after, Intact)
    assert after.head != before.head


def test_a_lower_number_that_commits_after_a_higher_one_was_linked_is_linked_behind_it(world: World) -> None:
    with closing(psycopg.connect(world.db.url)) as slow:
        first = slow.execute(INSERT).fetchone()
        second = world.sql(INSERT)[0]["id"]
        assert first is not None
        assert first[0] < second
        assert link_rows(world.db) == 1
        slow.commit()
    assert link_rows(world.db) == 1
    order = [row["audit_id"] for row in world.sql("SELECT audit_id FROM audit_links ORDER BY link_no")]
    assert order == [second, first[0]]
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert (intact.linked, intact.unlinked) == (2, 0)


def test_many_clocks_may_link_at_once(world: World) -> None:
    world.sql(
        "INSERT INTO audit_log (action, actor, door) SELECT 'n', n::text, 'worker' FROM generate_series(1, 300) n"
    )
    with ThreadPoolExecutor(6) as threads:
        linked = list(threads.map(lambda _: link_rows(world.db, limit=20), range(20)))
    assert sum(linked) == 300
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert intact.linked == 300


def test_the_chain_holds_for_a_reader_in_another_time_zone(world: World) -> None:
    a_linked_log(world)
    name = psycopg.conninfo.conninfo_to_dict(world.db.url)["dbname"]
    world.sql(f"ALTER DATABASE \"{name}\" SET timezone = 'Asia/Kathmandu'")
    with Database(world.db.url) as elsewhere:
        assert verify(elsewhere) == verify(world.db)


def test_rows_with_hostile_text_are_linked_and_verified(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.REJECT, BO, "\u202e\x00\x07 café \U0001f600 cafe\u0301")
    link_rows(world.db)
    assert isinstance(verify(world.db), Intact)
