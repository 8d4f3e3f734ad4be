"""The append-only record: in the same transaction as what it is about, holding no argument values."""

import hashlib
import hmac
from collections.abc import Callable

import psycopg
import pytest

from approvals.ledger.apply import mark_applied
from approvals.ledger.audit import CLOCK
from approvals.ledger.cancel import cancel_open
from approvals.ledger.chain import link_rows
from approvals.ledger.claim import note_rewrite
from approvals.ledger.database import Row
from approvals.ledger.expire import expire_due
from approvals.ledger.finish import finish
from approvals.ledger.lose import lose_started
from approvals.ledger.open_approval import open_approval
from approvals.ledger.run_status import note_failure, note_stuck
from approvals.ledger.start_run import start_run
from approvals.ledger.tenure import FenceRaised
from approvals.records import Approval
from approvals.rules.transitions import CLEARED, STARTED, UNKNOWN, WAITING, State, Verb
from approvals.rules.words import Say
from tests.approvals.ledger.world import BO, CY, DEE, World, a_message, a_rule

SECRET = "hunter2-swordfish"

Act = Callable[[World, Approval], object]


def cancel(world: World, approval: Approval) -> None:
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, CLOCK, "cancelled")


def expire(world: World, approval: Approval) -> None:
    expire_due(world.db)


def lost(world: World, approval: Approval) -> None:
    world.sql("UPDATE approvals SET effect_fence = 0 WHERE id = %s", approval.id)
    lose_started(world.db, world.next_tenure(approval.run_id))


ACTS: dict[str, tuple[State, Act]] = {
    "approve": (WAITING, lambda w, a: w.decide(a, Say.APPROVE)),
    "reject": (WAITING, lambda w, a: w.decide(a, Say.REJECT)),
    "expire": (WAITING, expire),
    "cancel": (WAITING, cancel),
    "claim": (CLEARED, lambda w, a: w.claim(a)),
    "supersede": (CLEARED, lambda w, a: w.try_claim(a, tool_hash="tool-2")),
    "finish": (STARTED, lambda w, a: finish(w.db, a, Verb.FINISH)),
    "fail": (STARTED, lambda w, a: finish(w.db, a, Verb.FAIL)),
    "pause": (STARTED, lambda w, a: finish(w.db, a, Verb.PAUSE)),
    "lose": (STARTED, lost),
    "it_happened": (UNKNOWN, lambda w, a: w.decide(a, Say.IT_HAPPENED)),
    "it_did_not_happen": (UNKNOWN, lambda w, a: w.decide(a, Say.IT_DID_NOT_HAPPEN)),
    "run_again": (UNKNOWN, lambda w, a: w.decide(a, Say.RUN_AGAIN)),
    "bypass": (CLEARED, lambda w, a: mark_applied(w.db, w.next_tenure(a.run_id), a.id)),
}


def prepared(world: World, action: str) -> Approval:
    approval = world.approval(ACTS[action][0])
    if action == "expire":
        world.age(approval)
    return world.now(approval)


def transaction_of(world: World, table: str, key: object) -> int:
    """Which transaction wrote the present version of the row."""
    return int(world.sql(f"SELECT xmin::text AS tx FROM {table} WHERE id = %s", key)[0]["tx"])


@pytest.mark.parametrize("action", ACTS)
def test_a_transition_and_its_audit_row_are_one_transaction(world: World, action: str) -> None:
    approval = prepared(world, action)
    ACTS[action][1](world, approval)
    (row,) = world.audit(approval)[1:]
    assert row["action"] == action
    assert transaction_of(world, "audit_log", row["id"]) == transaction_of(world, "approvals", approval.id)


@pytest.mark.parametrize("action", ACTS)
def test_without_its_audit_row_a_transition_does_not_happen(own_world: World, action: str) -> None:
    approval = prepared(own_world, action)
    before = state_and_votes(own_world, approval)
    # Dies after both were written and before either is committed.
    own_world.sql(
        "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RAISE EXCEPTION ''no room for the audit''; END';"
        "CREATE TRIGGER die AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION die()"
    )
    with pytest.raises(psycopg.errors.RaiseException, match="no room for the audit"):
        ACTS[action][1](own_world, approval)
    assert state_and_votes(own_world, approval) == before
    assert own_world.actions(approval) == ["open"]


def state_and_votes(world: World, approval: Approval) -> tuple[str, str, int, list[Row]]:
    now = world.now(approval)
    votes = world.sql("SELECT user_id FROM votes WHERE approval_id = %s", approval.id)
    return now.status, now.effect, now.version, votes


def test_a_session_killed_before_its_commit_leaves_neither_row_nor_audit(own_world: World) -> None:
    approval = own_world.approval()
    own_world.sql(
        "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
        "CREATE TRIGGER die AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION die()"
    )
    with pytest.raises(psycopg.OperationalError):
        own_world.decide(approval, Say.APPROVE)
    assert own_world.now(approval) == approval
    assert own_world.actions(approval) == ["open"]


def test_a_new_approval_its_card_and_its_audit_row_are_one_transaction(world: World) -> None:
    approval = world.approval()
    (row,) = world.audit(approval)
    (card,) = world.sql("SELECT id FROM cards WHERE approval_id = %s", approval.id)
    written = {
        transaction_of(world, "approvals", approval.id),
        transaction_of(world, "cards", card["id"]),
        transaction_of(world, "audit_log", row["id"]),
    }
    assert len(written) == 1


def test_a_refused_attempt_says_who_what_and_why(world: World) -> None:
    approval = world.approval()
    world.decide(approval, Say.APPROVE, DEE)
    row = world.audit(approval)[-1]
    assert (row["action"], row["actor"], row["door"]) == ("refused", DEE.user_id, "card")
    assert (row["state_from"], row["state_to"]) == ("pending/none", None)
    assert row["details"] == {"say": "approve", "because": "not_allowed", "why": "not_an_approver"}
    assert (row["digest"], row["revision"], row["attempt"]) == (approval.digest, 1, 1)


def test_each_refused_attempt_is_a_row_of_its_own(world: World) -> None:
    approval = world.approval()
    for _ in range(3):
        world.decide(approval, Say.APPROVE, DEE)
    assert world.actions(approval) == ["open", "refused", "refused", "refused"]


def test_arguments_rewritten_behind_the_gate_are_on_record(world: World) -> None:
    approval = world.approval(STARTED)
    note_rewrite(world.db, approval)
    assert world.actions(approval) == ["open", "rewrite_ignored"]


def live_a_whole_life(world: World) -> None:
    """Every kind of audit row, about calls whose arguments, claim and results hold the secret."""
    run = world.run()
    hidden = {"args_json": f'{{"token":"{SECRET}"}}', "claim": f"with {SECRET}"}
    for action, (state, act) in ACTS.items():
        approval = world.approval(state, **hidden)
        if action == "expire":
            world.age(approval)
        act(world, approval)
    approval = world.approval(run=run, rule=a_rule(quorum=2), **hidden)
    world.decide(approval, Say.APPROVE, DEE)
    world.decide(approval, Say.APPROVE, BO)
    world.decide(approval, Say.APPROVE, CY)
    claimed = world.claim(approval)
    note_rewrite(world.db, claimed)
    run = world.next_tenure(run.id)
    with pytest.raises(FenceRaised):
        finish(world.db, claimed, Verb.FINISH, result=SECRET, replay=SECRET.encode())
    start_run(world.db, "oncall", a_message("said", text=f"use {SECRET}"))
    note_failure(world.db, run, "the agent raised ValueError.")
    note_stuck(world.db, run, "the agent asked in a way that this release cannot show.")
    link_rows(world.db)


def test_no_audit_row_holds_an_argument_or_a_result(own_world: World) -> None:
    live_a_whole_life(own_world)
    rows = own_world.sql("SELECT row_to_json(l)::text AS row FROM audit_log l")
    links = own_world.sql("SELECT row_to_json(l)::text AS row FROM audit_links l")
    assert len(rows) > 40
    assert len(links) == len(rows)
    assert not [row for row in (*rows, *links) if SECRET in row["row"]]


def test_argument_values_cannot_be_guessed_from_the_log_without_its_key(world: World) -> None:
    args_json = f'{{"token":"{SECRET}"}}'
    approval = world.approval(args_json=args_json)
    (row,) = world.audit(approval)
    key = bytes(world.sql("SELECT audit_key FROM installation")[0]["audit_key"])
    assert row["args_mac"] == hmac.new(key, args_json.encode(), hashlib.sha256).hexdigest()
    assert row["args_mac"] != hashlib.sha256(args_json.encode()).hexdigest()


def test_two_installations_hash_the_same_arguments_differently(own_world: World) -> None:
    first = own_world.approval()
    own_world.sql("UPDATE installation SET audit_key = uuid_send(gen_random_uuid())")
    own_world.db._audit_key = None
    assert own_world.audit(first)[0]["args_mac"] != own_world.audit(own_world.approval())[0]["args_mac"]


@pytest.mark.parametrize("table", ["audit_log", "audit_links"])
@pytest.mark.parametrize(
    "statement",
    ["UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {} CASCADE"],
    ids=["update", "delete", "truncate"],
)
def test_the_log_and_its_links_only_grow(world: World, table: str, statement: str) -> None:
    world.approval()
    link_rows(world.db)
    column = {"audit_log": "actor", "audit_links": "row_hash"}[table]
    with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        world.sql(statement.format(table, column, "'somebody else'"))


def test_nobody_chooses_the_number_of_an_audit_row(world: World) -> None:
    with pytest.raises(psycopg.errors.GeneratedAlways):
        world.sql("INSERT INTO audit_log (id, action, actor, door) VALUES (7, 'a', 'b', 'c')")


def test_opening_twice_is_one_audit_row(world: World) -> None:
    run, proposal = world.run(), world.proposal()
    opened = open_approval(world.db, run, proposal)
    assert opened is not None
    assert open_approval(world.db, run, proposal) is None
    assert world.actions(opened) == ["open"]
