"""`countersign audit`: the chain is checked, and can be checked elsewhere from what was taken out."""

import json

from approvals.ledger.chain import GENESIS, link_rows
from approvals.rules.digest import canonical, sha256
from tests.ops.conftest import BO, Place


def behind_the_trigger(place: Place, statement: str) -> None:
    """As a superuser who does not want to be seen."""
    with place.db.transaction() as tx:
        tx.execute("ALTER TABLE audit_log DISABLE TRIGGER ALL")
        tx.execute(statement)
        tx.execute("ALTER TABLE audit_log ENABLE TRIGGER ALL")


def a_log(place: Place) -> int:
    """Some rows, all but the last two of them linked; how many are."""
    place.decide(place.approval(), "approve", BO)
    linked = link_rows(place.db)
    place.approval()
    return linked


def test_an_intact_log_is_said_to_be_so_with_its_head(place: Place) -> None:
    linked = a_log(place)
    ended = place.cli("audit", "verify")
    assert (ended.code, ended.err) == (0, "")
    waiting = len(place.audit()) - linked
    found = place.cli("audit", "verify", "--json").json
    assert (found["intact"], found["linked"], found["unlinked"]) == (True, linked, waiting)
    assert ended.out == (
        f"The audit log is intact: {linked} rows linked, {waiting} not linked yet (the clock does that). "
        f"Head: {found['head']}\n"
    )


def test_a_row_changed_behind_the_trigger_is_named(place: Place) -> None:
    a_log(place)
    behind_the_trigger(place, "UPDATE audit_log SET actor = 'U1EVE' WHERE id = 2")
    ended = place.cli("audit", "verify")
    assert ended.code == 1
    assert "audit row 2: audit row 2 was changed" in ended.one_line
    as_json = place.cli("audit", "verify", "--json")
    assert as_json.code == 1
    assert as_json.json == {"intact": False, "link_no": 2, "audit_id": 2, "what": "audit row 2 was changed"}


def test_the_export_has_every_row_and_can_be_checked_by_anybody(place: Place) -> None:
    linked = a_log(place)
    ended = place.cli("audit", "export")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert [(row["action"], row["actor"], row["door"]) for row in rows] == place.audit()
    links = {link["link_no"]: (link, row) for row in rows if (link := row.pop("link"))}
    prev = GENESIS
    for number in range(1, linked + 1):
        link, row = links[number]
        assert link["prev_hash"] == prev
        prev = sha256(canonical([prev, number, row]))
        assert link["row_hash"] == prev
    assert len(links) == linked < len(rows)
    assert place.cli("audit", "export", "--json").out == ended.out


def test_the_export_does_not_hold_the_arguments(place: Place) -> None:
    place.approval(args_json='{"password":"geheim"}')
    assert "geheim" not in place.cli("audit", "export").out


def test_a_reader_that_had_enough_ends_the_export_quietly(place: Place) -> None:
    a_log(place)
    process = place.start("audit", "export")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(30) == 0
