"""F23 to F27, F29: two things at the same moment, and a clock that stood still for days."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from approvals.ledger.claim import CallRef, Claimed, claim
from approvals.ledger.decide import Because, Decided, Outcome, Refused, decide
from approvals.ledger.expire import expire_due
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval
from approvals.rules.digest import rule_hash
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door, Effect, Say, Status
from tests.faults import bodies
from tests.faults.lab import Lab

RACES = 10


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Each in a thread of its own, from one starting line; what they returned, in the order given."""
    line = threading.Barrier(len(works))
    done: list[Any] = [None] * len(works)

    def run(index: int, work: Callable[[], Any]) -> None:
        line.wait()
        done[index] = work()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def many_waiting(lab: Lab, count: int = RACES) -> list[Approval]:
    """So many calls of one turn."""
    run_id = lab.ask([["strike", {"target": f"t{n}"}] for n in range(count)])
    lab.advance(run_id)
    return lab.approvals(run_id)


def person(lab: Lab, user_id: str) -> Person:
    team = lab.world.slack.workspace.team_id
    return Person(user_id, team, Standing.MEMBER, frozenset({"oncall-sre"}))


def says(lab: Lab, approval: Approval, say: Say, user_id: str) -> Callable[[], Outcome]:
    return lambda: decide(lab.db, approval.key, say, person(lab, user_id), Door.CARD)


@pytest.mark.parametrize("other", [Say.APPROVE, Say.REJECT], ids=["f23_two_approvers", "f24_approve_and_reject"])
def test_two_people_at_once_make_one_decision(lab: Lab, other: Say) -> None:
    bo, cy = lab.world.people.bo, lab.world.people.cy
    approvals = many_waiting(lab)
    for approval in approvals:
        outcomes = at_once(says(lab, approval, Say.APPROVE, bo), says(lab, approval, other, cy))
        (decided,) = [o for o in outcomes if isinstance(o, Decided)]
        (refused,) = [o for o in outcomes if isinstance(o, Refused)]
        assert refused.because is Because.CLOSED
        assert refused.approval is not None
        assert refused.approval.decided_by == decided.approval.decided_by == lab.again(approval).decided_by
    lab.check()
    approved = [a for a in approvals if lab.again(a).status is Status.APPROVED]
    assert len(lab.effects()) == len(approved)


def test_f25_a_click_at_the_very_end_of_the_time_is_one_ending_each(lab: Lab) -> None:
    approvals = many_waiting(lab)
    for approval in approvals:
        lab.sql("UPDATE approvals SET expires_at = clock_timestamp() + interval '2 ms' WHERE id = %s", approval.id)
        said, _ = at_once(says(lab, approval, Say.APPROVE, lab.world.people.bo), lambda: expire_due(lab.db))
        ended = lab.again(approval).status
        assert ended is (Status.APPROVED if isinstance(said, Decided) else Status.EXPIRED) or ended is Status.PENDING
    lab.check()
    endings = lab.sql("SELECT count(*) AS n FROM audit_log WHERE action IN ('approve', 'expire')")
    assert endings == [{"n": RACES}]


def test_f26_what_is_approved_does_not_expire(lab: Lab) -> None:
    approval = lab.approved()
    lab.sql("UPDATE approvals SET expires_at = now() - interval '1 hour' WHERE id = %s", approval.id)
    run = raise_fence(lab.db, approval.run_id)
    assert run is not None
    call = CallRef(approval.run_id, approval.checkpoint_ns, approval.tool_call_id)
    claimed, expired = at_once(
        lambda: claim(lab.db, call, tool_hash=approval.tool_hash, rule_hash=rule_hash(approval.rule), fence=run.fence),
        lambda: expire_due(lab.db),
    )
    assert isinstance(claimed, Claimed)
    assert expired == []
    assert lab.again(approval).effect is Effect.STARTED


def test_f27_three_sweeps_at_once_expire_each_approval_once_and_write_each_card_once(lab: Lab) -> None:
    approvals = many_waiting(lab)
    lab.sql("UPDATE approvals SET expires_at = now() - interval '1 second'")
    before = len(lab.world.slack.journal.calls("chat.update"))
    at_once(lab.sweep, lab.sweep, lab.sweep)
    counted = Counter(r["approval_id"] for r in lab.sql("SELECT approval_id FROM audit_log WHERE action = 'expire'"))
    assert counted == Counter({a.id: 1 for a in approvals})
    lab.check()
    updates = [c for c in lab.world.slack.journal.calls("chat.update")[before:] if c.args["ts"] in card_names(lab)]
    assert len(updates) == RACES
    assert lab.effects() == []


def card_names(lab: Lab) -> set[str]:
    return {row["ts"] for row in lab.sql("SELECT ts FROM cards")}


def test_f29_after_three_days_without_a_clock_everything_expires_with_its_own_hour(lab: Lab) -> None:
    approvals = many_waiting(lab)
    lab.sql(
        "UPDATE approvals SET opened_at = opened_at - interval '3 days', expires_at = expires_at - interval '3 days'"
    )
    assert lab.sweep()["expire"] == RACES
    lab.check()
    for approval in approvals:
        now = lab.again(approval)
        assert (now.status, now.decided_by, now.decided_at) == (Status.EXPIRED, "system", now.expires_at)
    assert lab.effects() == []
    answer = next(m.text for m in lab.world.slack.messages(lab.world.people.ops) if "heard:" in m.text)
    assert answer.count("nobody answered") == RACES


@pytest.mark.parametrize(
    "point",
    ["before_expire_commit", "after_expire_commit", "before_link_commit", "after_link_commit", "after_card_sent"],
)
def test_a_clock_killed_in_the_middle_of_a_sweep_leaves_nothing_half_done(lab: Lab, point: str) -> None:
    approval = lab.waiting()
    lab.sql("UPDATE approvals SET expires_at = now() - interval '1 second'")
    lab.dies(point, bodies.sweep)
    lab.check()
    assert lab.again(approval).status is Status.EXPIRED
    assert lab.sql("SELECT count(*) AS n FROM audit_log WHERE action = 'expire'") == [{"n": 1}]
    assert lab.effects() == []


@pytest.mark.parametrize("point", ["before_lose_commit", "after_lose_commit"])
def test_a_clock_killed_while_it_says_that_an_effect_is_unknown_is_followed_by_one_that_does(
    lab: Lab, point: str
) -> None:
    approval = lab.approved()
    lab.dies("after_tool", bodies.advance, approval.run_id)
    lab.dies(point, bodies.sweep)
    lab.check()
    assert lab.again(approval).effect is Effect.UNKNOWN
    assert lab.sql("SELECT count(*) AS n FROM audit_log WHERE action = 'lose'") == [{"n": 1}]
    assert lab.effects() == ["prod"]
