"""A click at the very instant at which a call expires, a thousand times: each is decided once, by one of the two."""

import threading
from collections import Counter

from approvals.ledger.decide import Because, Decided, Outcome, Refused, decide
from approvals.ledger.expire import expire_due
from approvals.ledger.open_approval import new_id
from approvals.records import ApprovalId, ApprovalKey
from approvals.rules.words import Door, Say, Status
from tests.approvals.ledger.world import BO, World, a_rule

BATCHES, IN_A_BATCH = 20, 50
COLUMNS = (
    "run_id, agent, slot, checkpoint_ns, tool, tool_hash, args_json, args_schema, filled_in, digest, rule, rule_hash,"
    " claim, requesters, asked_by, opened_at"
)


def a_batch(world: World) -> list[ApprovalKey]:
    """Fifty calls like one, which all end in a moment that comes while they are clicked on."""
    first = world.approval(rule=a_rule(remind=(), escalate=()))
    ids = [new_id() for _ in range(IN_A_BATCH)]
    world.sql(
        f"INSERT INTO approvals ({COLUMNS}, id, interrupt_id, tool_call_id, expires_at) SELECT {COLUMNS}, new.id,"
        " new.id, new.id, clock_timestamp() + interval '100 milliseconds' FROM approvals,"
        " unnest(%s::text[]) AS new (id) WHERE approvals.id = %s",
        ids,
        first.id,
    )
    return [ApprovalKey(ApprovalId(one), 1, 1) for one in ids]


def race(world: World, keys: list[ApprovalKey]) -> list[Outcome]:
    """The clicks, while a clock expires whatever is due."""
    clicked: list[Outcome] = []
    done = threading.Event()

    def click() -> None:
        clicked.extend(decide(world.db, key, Say.APPROVE, BO, Door.CARD) for key in keys)
        done.set()

    def expire() -> None:
        while not done.is_set():
            expire_due(world.db, 5)

    both = [threading.Thread(target=one) for one in (click, expire)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    return clicked


def test_click_against_expiry_sums_to_a_thousand(world: World) -> None:
    outcomes: list[Outcome] = []
    keys: list[ApprovalKey] = []
    for _ in range(BATCHES):
        batch = a_batch(world)
        keys += batch
        outcomes += race(world, batch)
    ids = [key.id for key in keys]
    stood = Counter(row["status"] for row in world.sql("SELECT status FROM approvals WHERE id = ANY (%s)", ids))
    told = Counter(type(one).__name__ for one in outcomes)
    late = [one.because for one in outcomes if isinstance(one, Refused)]
    assert stood[Status.APPROVED] + stood[Status.EXPIRED] == len(keys) == 1_000
    assert (told[Decided.__name__], told[Refused.__name__]) == (stood[Status.APPROVED], stood[Status.EXPIRED])
    assert set(late) == {Because.CLOSED}
    assert min(stood.values()) > 0, "one of the two was always first"
    moves = world.sql(
        "SELECT approval_id, count(*) AS n FROM audit_log WHERE approval_id = ANY (%s) AND action IN"
        " ('approve', 'expire') GROUP BY 1",
        ids,
    )
    assert (len(moves), {row["n"] for row in moves}) == (1_000, {1})
