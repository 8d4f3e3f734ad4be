"""What the Home reads: in its order, from an index, with the votes that count."""

from approvals.ledger.inbox import ALL_ASKING, all_asking, decided_lately
from approvals.rules.transitions import DONE, UNKNOWN
from approvals.rules.words import Risk, Say
from tests.approvals.ledger.world import BO, CY, World, a_rule


def test_what_asks_comes_riskiest_and_then_oldest_first_with_its_votes(world: World) -> None:
    low, old = world.approval(rule=a_rule(quorum=2)), world.approval(rule=a_rule(risk=Risk.HIGH))
    new, lost = world.approval(rule=a_rule(risk=Risk.HIGH)), world.approval(UNKNOWN)
    done = world.approval(DONE)
    world.decide(low, Say.APPROVE, BO)
    ours = {one.id: name for name, one in {"low": low, "old": old, "new": new, "lost": lost, "done": done}.items()}
    asking = all_asking(world.db).approvals
    assert [ours[one.id] for one in asking if one.id in ours] == ["old", "new", "low", "lost"]
    assert [vote.user_id for one in asking if one.id == low.id for vote in one.votes] == [BO.user_id]


def test_it_is_read_from_the_index_without_sorting(world: World) -> None:
    with world.db.transaction() as tx:
        # So few rows Postgres reads faster without an index; whether this one fits is what is asked here.
        tx.execute("SET LOCAL enable_seqscan = off")
        tx.execute("SET LOCAL enable_bitmapscan = off")
        plan = "\n".join(str(row) for row in tx.execute(f"EXPLAIN {ALL_ASKING}", (1_000,)))
    assert "approvals_that_ask" in plan
    assert "Sort" not in plan


def test_what_somebody_took_part_in_and_what_came_of_it(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.REJECT, BO)
    assert approval.id in [one.id for one in decided_lately(world.db, BO.user_id)]
    assert approval.id in [one.id for one in decided_lately(world.db, approval.requesters[0])]
    assert approval.id not in [one.id for one in decided_lately(world.db, CY.user_id)]
