"""Retention forgets what is over and old, and nothing else; the log knows where it was cut."""

from datetime import timedelta

import pytest

from approvals.ledger.chain import Broken, Intact, link_rows, verify
from approvals.ledger.forget import cut_audit, forget_runs
from approvals.ledger.hear import hear
from approvals.ledger.start_run import NewMessage
from approvals.records import Run
from approvals.rules.transitions import STARTED, UNKNOWN, WAITING, State
from approvals.rules.words import Say
from tests.approvals.ledger.world import ANA, NUMBERS, World, a_rule

DAY = timedelta(days=1)


def over(world: World, run: Run, days: int = 40, status: str = "done") -> None:
    world.sql("UPDATE approvals SET applied_at = now() WHERE run_id = %s AND status <> 'pending'", run.id)
    world.sql(
        "UPDATE runs SET status = %s, updated_at = now() - make_interval(days => %s) WHERE id = %s",
        status,
        days,
        run.id,
    )


def rows_of(world: World, run: Run) -> int:
    tables = ("approvals", "messages", "posts", "status_lines")
    return sum(len(world.sql(f"SELECT 1 FROM {table} WHERE run_id = %s", run.id)) for table in tables)


def test_an_old_run_is_forgotten_with_all_that_hangs_on_it(own_world: World) -> None:
    world, run = own_world, own_world.run()
    approval = world.approval(run=run, rule=a_rule(quorum=2))
    world.decide(approval, Say.APPROVE)
    world.decide(world.now(approval), Say.REJECT)
    hear(world.db, NewMessage("T1", "C1", run.thread_ts, f"{next(NUMBERS)}.1", ANA.user_id, "and?"), ANA)
    world.sql("UPDATE messages SET delivered_at = now() WHERE run_id = %s", run.id)
    world.sql("INSERT INTO checkpoints VALUES (%s, '', 'c1', null, null, '{}', '{}')", run.id)
    over(world, run)
    assert forget_runs(world.db, 30 * DAY) == [run.id]
    assert rows_of(world, run) == 0
    assert world.sql("SELECT 1 FROM checkpoints WHERE thread_id = %s", run.id) == []
    assert world.audit(approval), "what was decided stays on the log"


@pytest.mark.parametrize("state", [WAITING, STARTED, UNKNOWN], ids=str)
def test_a_run_with_anything_open_is_never_touched(own_world: World, state: State) -> None:
    world, run = own_world, own_world.run()
    world.approval(state, run=run)
    over(world, run, status="failed")
    assert forget_runs(world.db, DAY) == []
    assert rows_of(world, run) > 0


def test_a_decision_that_the_agent_has_not_heard_of_keeps_its_run(own_world: World) -> None:
    world, run = own_world, own_world.run()
    world.decide(world.approval(run=run), Say.APPROVE)
    world.sql("UPDATE runs SET status = 'done', updated_at = now() - interval '40 days' WHERE id = %s", run.id)
    assert forget_runs(world.db, DAY) == []


@pytest.mark.parametrize(("days", "status"), [(20, "done"), (40, "waiting"), (40, "running"), (40, "queued")])
def test_what_is_young_or_not_over_is_kept(own_world: World, days: int, status: str) -> None:
    run = own_world.run()
    over(own_world, run, days, status)
    assert forget_runs(own_world.db, 30 * DAY) == []


def age_log(world: World, days: int, up_to: int) -> None:
    """As if that much time had passed since. The log refuses changes, so its guard is taken off for it."""
    world.sql("ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only")
    world.sql("UPDATE audit_log SET at = at - make_interval(days => %s) WHERE id <= %s", days, up_to)
    world.sql("ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only")


def aged_and_linked(world: World) -> int:
    """Ten old rows and some new ones; the number of old ones."""
    for _ in range(5):
        world.decide(world.approval(), Say.REJECT)
    last = world.sql("SELECT max(id) AS id FROM audit_log")[0]["id"]
    age_log(world, 500, last)
    old = len(world.sql("SELECT 1 FROM audit_log"))
    world.decide(world.approval(), Say.REJECT)
    while link_rows(world.db):
        pass
    return old


def test_the_log_is_cut_where_it_is_old_and_still_verifies(own_world: World) -> None:
    world = own_world
    old = aged_and_linked(world)
    assert cut_audit(world.db, 400 * DAY) == old
    assert cut_audit(world.db, 400 * DAY) == 0
    while link_rows(world.db):
        pass
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert intact.unlinked == 0
    assert intact.linked == len(world.sql("SELECT 1 FROM audit_log"))


def test_a_log_that_other_hands_cut_does_not_verify(own_world: World) -> None:
    world = own_world
    aged_and_linked(world)
    link = world.sql("SELECT link_no, row_hash FROM audit_links ORDER BY link_no OFFSET 2 LIMIT 1")[0]
    world.sql("ALTER TABLE audit_links DISABLE TRIGGER audit_links_append_only")
    world.sql("DELETE FROM audit_links WHERE link_no <= %s", link["link_no"])
    world.sql("ALTER TABLE audit_links ENABLE TRIGGER audit_links_append_only")
    world.sql("INSERT INTO audit_cuts VALUES (%s, %s)", link["link_no"], link["row_hash"])
    broken = verify(world.db)
    assert isinstance(broken, Broken)
    assert "does not say so itself" in broken.what


def test_rows_that_are_not_linked_yet_are_never_cut(own_world: World) -> None:
    world = own_world
    world.decide(world.approval(), Say.REJECT)
    age_log(world, 500, world.sql("SELECT max(id) AS id FROM audit_log")[0]["id"])
    assert cut_audit(world.db, 400 * DAY) == 0


def test_deleting_from_the_log_is_still_refused(own_world: World) -> None:
    world = own_world
    world.approval()
    with pytest.raises(Exception, match="append-only"):
        world.sql("DELETE FROM audit_log")
