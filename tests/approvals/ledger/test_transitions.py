"""The transition table, walked: every verb from every state, through the function that owns it."""

import itertools
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from approvals.ledger import migrate
from approvals.ledger.apply import mark_applied
from approvals.ledger.audit import CLOCK, WORKER, Actor
from approvals.ledger.cancel import cancel_open
from approvals.ledger.claim import supersede
from approvals.ledger.due import Nudge
from approvals.ledger.edit import revise
from approvals.ledger.expire import expire_due
from approvals.ledger.extend import extend
from approvals.ledger.finish import finish
from approvals.ledger.lose import lose_started
from approvals.ledger.move import IllegalMove, move
from approvals.ledger.nudge import nudge_due
from approvals.ledger.open_approval import open_approval
from approvals.ledger.rows import lock_approval, state_of
from approvals.ledger.tenure import FenceRaised
from approvals.records import Approval
from approvals.rules.rule import Rule
from approvals.rules.transitions import ARROWS, MEANING, WAITING, State, Verb, arrow, transition_page
from approvals.rules.words import Door, Effect, Say, Status
from tests.approvals.ledger.world import BO, STATES, World, a_rule

VERSIONS = Path(migrate.__file__).parent / "migrations" / "versions"
SAYS = {
    Verb.VOTE: Say.APPROVE,
    Verb.APPROVE: Say.APPROVE,
    Verb.REJECT: Say.REJECT,
    Verb.IT_HAPPENED: Say.IT_HAPPENED,
    Verb.IT_DID_NOT_HAPPEN: Say.IT_DID_NOT_HAPPEN,
    Verb.VOTE_AGAIN: Say.RUN_AGAIN,
    Verb.RUN_AGAIN: Say.RUN_AGAIN,
}


def use(world: World, verb: Verb, approval: Approval) -> None:
    """Use the verb the way the code does."""
    if verb in SAYS:
        world.decide(approval, SAYS[verb])
    else:
        USES[verb](world, approval)


def expire(world: World, approval: Approval) -> None:
    world.age(approval)
    expire_due(world.db)


def cancel(world: World, approval: Approval) -> None:
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, CLOCK, "the run was cancelled")


def supersede_locked(world: World, approval: Approval) -> None:
    with world.db.transaction() as tx:
        locked = lock_approval(tx, approval.id)
        assert locked is not None
        supersede(world.db, tx, locked)


def edit_locked(world: World, approval: Approval) -> None:
    with world.db.transaction() as tx:
        locked = lock_approval(tx, approval.id)
        assert locked is not None
        revise(world.db, tx, locked, Actor(BO.user_id, Door.MODAL), '{"service":"search"}')


def respond(world: World, approval: Approval) -> None:
    world.decide(approval, Say.RESPOND, note="roll back")


def give_time(world: World, approval: Approval) -> None:
    extend(world.db, approval.key, BO, Door.CARD)


def make_due(world: World, approval: Approval, kind: Nudge) -> None:
    world.sql("UPDATE due SET at = now(), done_at = NULL WHERE approval_id = %s AND kind = %s", approval.id, kind)
    nudge_due(world.db, 1000)


def claim(world: World, approval: Approval) -> None:
    # Under the same fence, so that an effect in progress is not found lost: that is LOSE.
    world.try_claim(approval)


def lose(world: World, approval: Approval) -> None:
    lose_started(world.db, world.next_tenure(approval.run_id))


def bypass(world: World, approval: Approval) -> None:
    mark_applied(world.db, world.next_tenure(approval.run_id), approval.id)


def reopen(world: World, approval: Approval) -> None:
    same = {"interrupt_id": approval.interrupt_id, "tool_call_id": approval.tool_call_id}
    assert open_approval(world.db, world.next_tenure(approval.run_id), world.proposal(**same)) is None


USES: dict[Verb, Callable[[World, Approval], None]] = {
    Verb.OPEN: reopen,
    Verb.EDIT: edit_locked,
    Verb.EXTEND: give_time,
    Verb.REMIND: lambda world, approval: make_due(world, approval, Nudge.REMIND),
    Verb.ESCALATE: lambda world, approval: make_due(world, approval, Nudge.ESCALATE),
    Verb.RESPOND: respond,
    Verb.EXPIRE: expire,
    Verb.CANCEL: cancel,
    Verb.SUPERSEDE: supersede_locked,
    Verb.CLAIM: claim,
    Verb.PAUSE: lambda world, approval: _finish(world, Verb.PAUSE, approval),
    Verb.FINISH: lambda world, approval: _finish(world, Verb.FINISH, approval),
    Verb.FAIL: lambda world, approval: _finish(world, Verb.FAIL, approval),
    Verb.LOSE: lose,
    Verb.RERUN: lose,
    Verb.BYPASS: bypass,
}


def _finish(world: World, verb: Verb, approval: Approval) -> None:
    finish(world.db, approval, verb, result="done")


def rule_for(verb: Verb) -> Rule:
    """The rule under which the verb has its arrow."""
    return a_rule(quorum=2 if verb in (Verb.VOTE, Verb.VOTE_AGAIN) else 1, idempotent=verb is Verb.RERUN)


@pytest.mark.parametrize("verb", Verb)
def test_a_verb_follows_its_arrow_or_changes_nothing(world: World, verb: Verb) -> None:
    for state in STATES:
        approval = world.approval(state, rule=rule_for(verb))
        # What ages a row, and what notes that the agent went on, moves it nowhere.
        aside = {"expires_at", "applied_at"}
        before = {k: v for k, v in world.row(approval).items() if k not in aside}
        with suppress(FenceRaised, IllegalMove):
            use(world, verb, approval)
        after = world.now(approval)
        assert state_of(after) == (arrow(verb, state) or state), state
        if arrow(verb, state) is None:
            assert {k: v for k, v in world.row(approval).items() if k not in aside} == before, state
        else:
            assert after.version == approval.version + 1, state


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb is not Verb.OPEN])
def test_every_arrow_that_is_followed_is_on_the_audit(world: World, verb: Verb) -> None:
    for (_, state), to in ((key, to) for key, to in ARROWS.items() if key[0] is verb):
        approval = world.approval(state, rule=rule_for(verb))
        use(world, verb, approval)
        last = world.audit(approval)[-1]
        assert (last["action"], last["state_from"], last["state_to"]) == (verb, str(state), str(to))


def test_the_walk_knows_every_state_that_the_database_allows(world: World) -> None:
    approval = world.approval()
    allowed = set()
    for status, effect in itertools.product(Status, Effect):
        decided_at = None if status is Status.PENDING else approval.opened_at
        try:
            set_columns(world, approval, status=status, effect=effect, decided_at=decided_at)
            allowed.add(State(status, effect))
        except errors.CheckViolation:
            continue
    assert allowed == set(STATES)


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "pending", "decided_at": "2026-08-20T03:11Z"},
        {"status": "approved", "decided_at": None},
        {"status": "rejected", "decided_at": None},
        {"status": "expired", "decided_at": None},
        {"status": "rejected", "effect": "started", "decided_at": "2026-08-20T03:11Z"},
        {"status": "pending", "effect": "done"},
        {"status": "countersigned", "decided_at": "2026-08-20T03:11Z"},
        {"status": "approved", "effect": "maybe", "decided_at": "2026-08-20T03:11Z"},
    ],
    ids=str,
)
def test_the_database_refuses_a_row_that_cannot_be(world: World, columns: dict[str, Any]) -> None:
    approval = world.approval()
    with pytest.raises(psycopg.errors.CheckViolation):
        set_columns(world, approval, **columns)


def set_columns(world: World, approval: Approval, **columns: object) -> None:
    names = ", ".join(f"{name} = %s" for name in columns)
    world.sql(f"UPDATE approvals SET {names} WHERE id = %s", *columns.values(), approval.id)


def test_a_move_without_an_arrow_raises_and_writes_nothing(world: World) -> None:
    for verb, state in set(itertools.product(set(Verb), STATES)) - set(ARROWS):
        approval = world.approval(state)
        before = world.row(approval), world.audit(approval)
        with pytest.raises(IllegalMove), world.db.transaction() as tx:
            move(world.db, tx, verb, approval, WORKER)
        assert (world.row(approval), world.audit(approval)) == before


def test_a_closed_approval_has_no_way_out() -> None:
    ends = {state for state in STATES if not any(arrow(verb, state) for verb in Verb)}
    assert ends == set(STATES) - {state for _, state in ARROWS}
    assert {state.status for state in ends} == set(Status) - {Status.PENDING}


def test_the_page_beside_the_first_migration_is_the_table() -> None:
    assert (VERSIONS / "0001_spine.md").read_text(encoding="utf-8") == transition_page()


def test_every_file_that_the_page_names_is_there() -> None:
    named = {word.strip("`,();") for text in MEANING.values() for word in text.split() if ".py" in word}
    missing = {name for name in named if not (VERSIONS.parents[2] / name).exists()}
    assert missing == set()


def test_whatever_happens_in_whatever_order_the_audit_is_one_path_through_the_table(world: World) -> None:
    # Ends come seldom, so that the walks get far.
    seldom = (Verb.EXPIRE, Verb.CANCEL, Verb.SUPERSEDE, Verb.REJECT, Verb.BYPASS, Verb.FINISH, Verb.FAIL)
    weights = [1 if verb in seldom else 8 for verb in Verb]
    for seed in range(15):
        chance = random.Random(seed)
        approval = world.approval(rule=a_rule(quorum=chance.choice([1, 2])))
        for verb in chance.choices(list(Verb), weights, k=20):
            with suppress(FenceRaised, IllegalMove):
                use(world, verb, world.now(approval))
        moves = [row for row in world.audit(approval) if row["state_to"]]
        at = str(WAITING)
        for row in moves[1:]:
            assert row["state_from"] == at, seed
            at = row["state_to"]
            assert (row["action"], row["state_from"], at) in {(v, str(f), str(t)) for (v, f), t in ARROWS.items()}
        assert str(state_of(world.now(approval))) == at, seed
        assert world.now(approval).version == len(moves), seed
