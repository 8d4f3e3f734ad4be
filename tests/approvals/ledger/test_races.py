"""The same instant, from two processes: one decision per approval, and everybody is told what happened."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from approvals.ledger.claim import AwaitsPerson, Claimed
from approvals.ledger.decide import Because, Counted, Decided, Refused
from approvals.records import Approval
from approvals.rules.transitions import CLEARED, Verb
from approvals.rules.words import Say, Status
from tests.approvals.ledger.racers import Brink, Sayer, Sweeper, race
from tests.approvals.ledger.world import BO, CY, World, a_rule

SAID = {BO.user_id: (Status.APPROVED, Verb.APPROVE), CY.user_id: (Status.REJECTED, Verb.REJECT)}


def test_approve_and_reject_at_once_make_one_decision_and_tell_the_other_who_was_first(world: World) -> None:
    run = world.run()
    opened = [world.approval(run=run) for _ in range(500)]
    yes, no = race(world.db.url, [a.key for a in opened], Sayer(BO, Say.APPROVE), Sayer(CY, Say.REJECT))
    assert len(yes) == len(no) == 500
    winners, actions = set(), all_actions(world)
    for approval, outcomes in zip(opened, zip(yes, no, strict=True), strict=True):
        first, second = outcomes if isinstance(outcomes[0], Decided) else reversed(outcomes)
        assert isinstance(first, Decided)
        assert isinstance(second, Refused)
        assert second.because is Because.CLOSED
        winner = first.approval.decided_by
        assert second.approval is not None
        assert second.approval.decided_by == winner
        status, verb = SAID[winner]
        assert second.approval.status is status
        assert actions[approval.id] == ["open", verb, "refused"]
        winners.add(winner)
    # Neither process was always first, else they did not meet.
    assert winners == {BO.user_id, CY.user_id}


def all_actions(world: World) -> dict[str, list[str]]:
    """By approval, oldest first: one query for hundreds of them."""
    rows = world.sql(
        "SELECT approval_id, array_agg(action ORDER BY id) AS actions FROM audit_log"
        " WHERE approval_id IS NOT NULL GROUP BY approval_id"
    )
    return {row["approval_id"]: row["actions"] for row in rows}


def test_two_people_at_once_fill_a_quorum_of_two(world: World) -> None:
    run = world.run()
    opened = [world.approval(run=run, rule=a_rule(quorum=2)) for _ in range(100)]
    bo, cy = race(world.db.url, [a.key for a in opened], Sayer(BO, Say.APPROVE), Sayer(CY, Say.APPROVE))
    for approval, outcomes in zip(opened, zip(bo, cy, strict=True), strict=True):
        assert {type(outcome) for outcome in outcomes} == {Counted, Decided}
        assert world.actions(approval) == ["open", "vote", "approve"]


def test_a_click_and_the_clock_at_once_are_one_ending_each(world: World) -> None:
    run = world.run()
    opened = [world.approval(run=run) for _ in range(200)]
    # On a busy machine a round takes milliseconds, so that some ends lie behind it and some before it.
    ends = {a.id: milliseconds for a, milliseconds in zip(opened, [-1, 1, 2, 4, 8, 2, 3, 30] * 25, strict=True)}
    clicker = Brink(Sayer(BO, Say.APPROVE), ends)
    clicks, sweeps = race(world.db.url, [a.key for a in opened], clicker, Sweeper())
    assert len(sweeps) == 200
    now = [world.now(a) for a in opened]
    approved = [a for a in now if a.status is Status.APPROVED]
    expired = [a for a in now if a.status is Status.EXPIRED]
    assert len(approved) + len(expired) == 200
    assert min(len(approved), len(expired)) >= 5
    for approval, outcome in zip(now, clicks, strict=True):
        assert_ended_once(world, approval, outcome)
        assert ends[approval.id] >= 0 or approval.status is Status.EXPIRED


def assert_ended_once(world: World, approval: Approval, outcome: object) -> None:
    if approval.status is Status.APPROVED:
        assert isinstance(outcome, Decided)
        assert world.actions(approval) == ["open", "approve"]
    else:
        assert isinstance(outcome, Refused)
        assert outcome.because is Because.CLOSED
        assert (approval.decided_by, approval.decided_at) == ("system", approval.expires_at)
        assert world.actions(approval) == ["open", "expire", "refused"]


def test_of_twenty_claims_at_once_one_may_run(world: World) -> None:
    approval = world.approval(CLEARED)
    ready = Barrier(20)

    def claim(_: int) -> object:
        ready.wait(10)
        return world.try_claim(approval)

    with ThreadPoolExecutor(20) as threads:
        outcomes = list(threads.map(claim, range(20)))
    assert sum(isinstance(o, Claimed) for o in outcomes) == 1
    assert sum(isinstance(o, AwaitsPerson) for o in outcomes) == 19
    assert world.actions(approval) == ["open", "claim"]
