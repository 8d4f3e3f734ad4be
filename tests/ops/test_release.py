"""`countersign release`, and what the other commands say before it."""

import pytest

from approvals.ledger.migrate import check_migrated
from tests.ops.conftest import Place, command, started
from workers.checkpoints import checkpoints_are_set_up


def test_it_brings_an_empty_database_to_this_release(empty_database_url: str) -> None:
    ended = command({"DATABASE_URL": empty_database_url}, "release")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "The database is ready for this release; its tables were set up.\n"
    check_migrated(empty_database_url)
    assert checkpoints_are_set_up(empty_database_url)


def test_it_may_be_repeated(place: Place) -> None:
    ended = place.cli("release")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "The database is ready for this release; nothing was missing.\n"


def test_it_may_run_several_times_at_once(empty_database_url: str) -> None:
    both = [started({"DATABASE_URL": empty_database_url}, "release") for _ in range(3)]
    for process in both:
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
    check_migrated(empty_database_url)


@pytest.mark.parametrize(
    "argv",
    [
        ("approvals", "list"),
        ("approvals", "show", "A-1"),
        ("approvals", "decide", "A-1", "approve", "--as", "U1BO"),
        ("runs", "list"),
        ("audit", "verify"),
        ("audit", "export"),
    ],
)
def test_a_database_without_tables_is_one_line_that_says_what_to_run(
    empty_database_url: str, argv: tuple[str, ...]
) -> None:
    ended = command({"DATABASE_URL": empty_database_url}, *argv)
    assert ended.code == 2
    assert "run `countersign release` first" in ended.one_line


@pytest.mark.parametrize("argv", [("release",), ("approvals", "list"), ("audit", "verify")])
@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "DATABASE_URL is missing"),
        ({"DATABASE_URL": "mysql://x"}, "DATABASE_URL does not begin with postgresql://"),
        ({"DATABASE_URL": "postgresql://a:geheim@127.0.0.1:1/b"}, "DATABASE_URL: PostgreSQL does not answer"),
        ({"DATABASE_URL": "postgresql://a:%geheim@127.0.0.1:1/b"}, "DATABASE_URL is not an address"),
    ],
)
def test_no_database_is_one_line_that_says_what_to_set(
    environ: dict[str, str], words: str, argv: tuple[str, ...]
) -> None:
    ended = command(environ, *argv)
    assert ended.code == 2
    assert words in ended.one_line
    assert "geheim" not in ended.err


def test_a_database_of_a_newer_release_is_one_line(place: Place) -> None:
    with place.db.transaction() as tx:
        tx.execute("UPDATE alembic_version SET version_num = '9999_later'")
    ended = place.cli("release")
    assert ended.code == 2
    assert "9999_later" in ended.one_line


def test_a_user_who_may_not_make_tables_is_one_line(empty_database_url: str) -> None:
    environ = {"DATABASE_URL": f"{empty_database_url}?options=-c%20default_transaction_read_only%3Don"}
    ended = command(environ, "release")
    assert ended.code == 2
    assert "does not let this user do that" in ended.one_line
