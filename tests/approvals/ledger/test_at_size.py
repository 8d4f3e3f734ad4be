"""What the sweep looks for among very many: by an index or a queue, and nothing of it is ever lost."""

import threading

import pytest

from approvals.ledger.cards import card_shown, lagging, lease_card
from approvals.ledger.chain import Intact, link_rows, verify
from approvals.ledger.expire import expire_due
from approvals.records import Approval
from approvals.rules.words import Say
from tests.approvals.ledger.world import World


def show(world: World, approval: Approval) -> None:
    """As the one card writer does it, with a Slack that takes everything."""
    while card := lease_card(world.db, approval.id):
        card_shown(world.db, card, card.ts or f"{approval.id}.1", world.now(approval).version)


def queued(world: World, approval: Approval) -> bool:
    return bool(world.sql("SELECT 1 FROM cards_behind WHERE approval_id = %s", approval.id))


def test_what_was_shown_leaves_the_queue_and_what_moves_enters_it(own_world: World) -> None:
    world = own_world
    approval = world.approval()
    assert lagging(world.db) == [approval.id]
    show(world, approval)
    assert lagging(world.db) == []
    assert not queued(world, approval)
    world.decide(approval, Say.REJECT)
    assert lagging(world.db) == [approval.id]


def test_a_move_that_is_not_committed_yet_is_not_tidied_away(own_world: World) -> None:
    """The queue's entry is there already when somebody tidies up in the middle of a decision."""
    world = own_world
    approval = world.approval()
    show(world, approval)
    with world.db.transaction() as tx:
        tx.execute("UPDATE approvals SET version = version + 1 WHERE id = %s", (approval.id,))
        tidying = threading.Thread(target=lagging, args=(world.db,))
        tidying.start()
        tidying.join(5)
        assert not tidying.is_alive(), "it waits for nobody"
    assert lagging(world.db) == [approval.id]


def test_a_card_that_is_to_be_written_anew_enters_the_queue(own_world: World) -> None:
    world = own_world
    approval = world.approval()
    show(world, approval)
    lagging(world.db)
    world.sql("UPDATE cards SET shown_version = 0 WHERE approval_id = %s", approval.id)
    assert lagging(world.db) == [approval.id]


def test_a_batch_that_expires_is_shown_and_linked_whole(own_world: World) -> None:
    world = own_world
    approvals = [world.approval() for _ in range(30)]
    for approval in approvals:
        show(world, approval)
        world.age(approval)
    assert len(expire_due(world.db, 1000)) == 30
    assert set(lagging(world.db, 1000)) == {approval.id for approval in approvals}
    while link_rows(world.db, 7):
        pass
    assert world.sql("SELECT 1 FROM audit_unlinked") == []
    intact = verify(world.db)
    assert isinstance(intact, Intact)
    assert intact.unlinked == 0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM approvals WHERE status = 'pending' AND expires_at <= now() ORDER BY expires_at LIMIT 500",
        "SELECT * FROM due WHERE done_at IS NULL AND at <= now() ORDER BY at LIMIT 100",
        "SELECT run_id FROM approvals WHERE effect = 'started'",
        "SELECT run_id FROM approvals WHERE status <> 'pending' AND applied_at IS NULL AND effect <> 'unknown'",
        "SELECT * FROM posts WHERE ts IS NULL AND retry_at <= now()",
        "SELECT * FROM pages WHERE ended_at IS NULL AND retry_at <= now()",
        "SELECT message_id FROM status_lines WHERE shown_version < version AND retry_at <= now()",
    ],
)
def test_nothing_that_a_sweep_asks_reads_a_whole_table(own_world: World, query: str) -> None:
    with own_world.db.transaction() as tx:
        tx.execute("SET LOCAL enable_seqscan = off")
        plan = "\n".join(str(row["QUERY PLAN"]) for row in tx.execute(f"EXPLAIN {query}").fetchall())
    assert "Seq Scan" not in plan, plan
