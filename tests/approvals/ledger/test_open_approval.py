"""A gated call becomes a row and a card, once, with everything that a decision is later held to."""

import re

import pytest

from approvals.ledger.deliver import mark_delivered, mark_handed, next_message
from approvals.ledger.find import approvals_of, find_call, list_approvals, replaced_by
from approvals.ledger.open_approval import open_approval
from approvals.ledger.start_run import start_run
from approvals.ledger.tenure import FenceRaised
from approvals.rules.digest import call_digest, rule_hash
from approvals.rules.transitions import CLEARED
from approvals.rules.words import Effect, Status
from tests.approvals.ledger.world import ANA, BO, CY, NUMBERS, TOOL_HASH, World, a_message, a_rule


def test_the_row_holds_what_was_proposed(world: World) -> None:
    run, proposal = world.run(), world.proposal(rule=a_rule(quorum=2, summary="Restart {service}"))
    opened = open_approval(world.db, run, proposal)
    assert opened is not None
    assert opened == world.now(opened)
    for name in ("interrupt_id", "checkpoint_ns", "tool_call_id", "tool", "tool_hash", "args_json", "rule", "claim"):
        assert getattr(opened, name) == getattr(proposal, name)
    assert (opened.status, opened.effect, opened.revision, opened.attempt) == (Status.PENDING, Effect.NONE, 1, 1)


def test_digest_and_rule_hash_are_those_of_what_is_shown(world: World) -> None:
    approval = world.approval()
    assert approval.digest == call_digest(approval.tool, TOOL_HASH, approval.args_json)
    assert approval.rule_hash == rule_hash(approval.rule)


def test_it_expires_after_the_rules_timeout_by_the_databases_clock(world: World) -> None:
    approval = world.approval()
    assert approval.expires_at - approval.opened_at == approval.rule.timeout
    (clock,) = world.sql("SELECT clock_timestamp() - %s < interval '10 seconds' AS just_now", approval.opened_at)
    assert clock["just_now"]


def test_arguments_are_kept_byte_for_byte(world: World) -> None:
    args_json = '{"b":1.0,  "a":"\\u0000 \\ud83d\\ude00 é","big":123456789012345678901234567890}'
    assert world.approval(args_json=args_json).args_json == args_json


def test_an_id_can_be_read_aloud_and_is_not_guessed(world: World) -> None:
    run = world.run()
    ids = {world.approval(run=run).id for _ in range(50)}
    assert len(ids) == 50
    assert all(re.fullmatch("A-[0-9A-HJKMNP-TV-Z]{8}", id) for id in ids)


def test_its_card_goes_to_the_runs_own_thread(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    (card,) = world.sql("SELECT * FROM cards WHERE approval_id = %s", approval.id)
    assert (card["channel_id"], card["thread_ts"], card["ts"]) == (run.channel_id, run.thread_ts, None)


@pytest.mark.parametrize("same", ["interrupt_id", "tool_call_id"])
def test_a_call_that_has_a_row_gets_no_second_one(world: World, same: str) -> None:
    run = world.run()
    first = world.approval(run=run)
    assert open_approval(world.db, run, world.proposal(**{same: getattr(first, same)})) is None
    assert [a.id for a in approvals_of(world.db, run.id)] == [first.id]


def test_the_same_call_in_another_run_is_another_approval(world: World) -> None:
    proposal = world.proposal()
    assert open_approval(world.db, world.run(), proposal) is not None
    assert open_approval(world.db, world.run(), proposal) is not None


def test_a_worker_that_lost_the_run_opens_nothing(world: World) -> None:
    run = world.run()
    world.next_tenure(run.id)
    with pytest.raises(FenceRaised):
        open_approval(world.db, run, world.proposal())
    assert approvals_of(world.db, run.id) == []


@pytest.mark.parametrize("part", ["tool", "tool_hash", "args_json"])
def test_what_has_no_bytes_to_show_gets_no_approval(world: World, part: str) -> None:
    run = world.run()
    with pytest.raises(ValueError, match="surrogates not allowed"):
        open_approval(world.db, run, world.proposal(**{part: '"\ud800"'}))
    assert approvals_of(world.db, run.id) == []


def test_who_asked_is_everyone_whose_message_reached_the_agent_before_the_call(world: World) -> None:
    run = world.run()
    for author in (CY, BO, CY):
        start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2], author=author.user_id))
        message = next_message(world.db, run)
        assert message is not None
        mark_handed(world.db, run, message)
        mark_delivered(world.db, run, message)
    assert world.approval(run=run).requesters == tuple(sorted([ANA.user_id, BO.user_id, CY.user_id]))


def test_who_wrote_what_the_agent_has_not_been_given_did_not_ask(world: World) -> None:
    run = world.run()
    start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2], author=BO.user_id))
    assert world.approval(run=run).requesters == (ANA.user_id,)


def test_who_was_handed_to_the_agent_just_before_a_crash_did_ask(world: World) -> None:
    run = world.run()
    start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2], author=BO.user_id))
    message = next_message(world.db, run)
    assert message is not None
    mark_handed(world.db, run, message)
    assert world.approval(run=run).requesters == (ANA.user_id, BO.user_id)


def test_a_message_that_comes_later_makes_nobody_a_requester_of_an_earlier_call(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    start_run(world.db, "oncall", a_message(next(NUMBERS), thread=run.thread_ts[:-2], author=BO.user_id))
    message = next_message(world.db, run)
    assert message is not None
    mark_handed(world.db, run, message)
    assert world.now(approval).requesters == (ANA.user_id,)


def test_a_call_made_again_says_which_superseded_one_it_replaces(world: World) -> None:
    run = world.run()
    old = world.approval(CLEARED, run=run)
    world.try_claim(old, tool_hash="tool-2")
    heir = world.approval(run=run)
    assert heir.replaces == old.id
    assert replaced_by(world.db, old.id) == heir.id


def test_a_superseded_call_has_one_heir(world: World) -> None:
    run = world.run()
    world.try_claim(world.approval(CLEARED, run=run), tool_hash="tool-2")
    world.approval(run=run)
    assert world.approval(run=run).replaces is None


@pytest.mark.parametrize("why_not", ["another tool", "another run", "not superseded"])
def test_other_calls_replace_nothing(world: World, why_not: str) -> None:
    run = world.run()
    old = world.approval(CLEARED, run=run)
    if why_not != "not superseded":
        world.try_claim(old, tool_hash="tool-2")
    other = world.approval(
        run=world.run() if why_not == "another run" else run, tool="scale" if why_not == "another tool" else "restart"
    )
    assert other.replaces is None
    assert replaced_by(world.db, old.id) is None


def test_a_call_is_found_as_langgraph_names_it(world: World) -> None:
    approval = world.approval(checkpoint_ns="tools:1")
    assert find_call(world.db, approval.run_id, "tools:1", approval.tool_call_id) == approval
    assert find_call(world.db, approval.run_id, "", approval.tool_call_id) is None


def test_approvals_are_listed_by_status_newest_first(own_world: World) -> None:
    old, new, closed = own_world.approval(), own_world.approval(), own_world.approval(CLEARED)
    assert [a.id for a in list_approvals(own_world.db, status=Status.PENDING)] == [new.id, old.id]
    assert [a.id for a in list_approvals(own_world.db)] == [closed.id, new.id, old.id]
    assert [a.id for a in list_approvals(own_world.db, limit=1)] == [closed.id]
