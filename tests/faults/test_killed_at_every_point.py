"""A worker, a clock or a bot is killed with SIGKILL at every named point of a call's way; then life goes on, and
everything must be as if nothing had happened, or visibly waiting for a person."""

import pytest

from approvals.rules.words import Effect, Say
from tests.faults import bodies
from tests.faults.lab import Lab

# While the agent is given a message and asks: nothing has been permitted yet, so nothing may show of the crash.
ASKING = [
    "before_raise_fence_commit",
    "after_raise_fence_commit",
    "before_mark_handed_commit",
    "after_mark_handed_commit",
    "before_set_status_commit",
    "after_set_status_commit",
    "before_invoke",
    "before_checkpoint_saved",
    "after_checkpoint_saved",
    "before_writes_saved",
    "after_writes_saved",
    "after_invoke",
    "before_mark_delivered_commit",
    "after_mark_delivered_commit",
    "before_open_approval_commit",
    "after_open_approval_commit",
    "before_card_sent",
    "after_card_sent",
    "before_card_shown_commit",
    "after_card_shown_commit",
]
# While an approved call is woken: what was begun and not reported is unknown, everything else is done once.
WAKING = {
    "before_resume": Effect.DONE,
    "before_claim_commit": Effect.DONE,
    "after_claim_commit": Effect.UNKNOWN,
    "after_tool": Effect.UNKNOWN,
    "before_finish_commit": Effect.UNKNOWN,
    "after_finish_commit": Effect.DONE,
    "after_resume": Effect.DONE,
    "before_mark_applied_commit": Effect.DONE,
    "after_mark_applied_commit": Effect.DONE,
    "before_say_commit": Effect.DONE,
    "after_say_commit": Effect.DONE,
    "before_post_sent": Effect.DONE,
    "after_post_sent": Effect.DONE,
    "before_post_said_commit": Effect.DONE,
    "after_post_said_commit": Effect.DONE,
}

# Which rows of the fault table these are.
ROWS = {
    "before_writes_saved": "f01",
    "before_open_approval_commit": "f02",
    "before_card_sent": "f03",
    "after_card_sent": "f04",
    "before_claim_commit": "f16",
    "after_claim_commit": "f17",
    "after_tool": "f18",
    "after_finish_commit": "f20",
    "after_mark_applied_commit": "f21",
}


def with_row(point: str) -> str:
    return f"{ROWS[point]}_{point}" if point in ROWS else point


@pytest.mark.parametrize("point", ASKING, ids=with_row)
def test_killed_while_the_agent_asks_there_is_one_approval_and_one_card(lab: Lab, point: str) -> None:
    run_id = lab.ask([["strike", {"target": "prod"}]])
    lab.dies(point, bodies.advance, run_id)
    lab.check()
    (approval,) = lab.approvals(run_id)
    assert lab.effects() == []
    lab.decide(approval, Say.APPROVE)
    lab.check()
    assert lab.effects() == ["prod"]


@pytest.mark.parametrize("point", WAKING, ids=with_row)
def test_killed_while_an_approved_call_is_woken_it_is_done_once_or_unknown(lab: Lab, point: str) -> None:
    approval = lab.approved()
    lab.dies(point, bodies.advance, approval.run_id)
    lab.check()
    assert lab.again(approval).effect is WAKING[point]
    assert len(lab.effects()) <= 1
    if WAKING[point] is Effect.DONE:
        assert lab.effects() == ["prod"]
        assert lab.status(approval.run_id) == "done"
        answers = [m.text for m in lab.world.slack.messages(lab.world.people.ops) if "heard:" in m.text]
        assert len(answers) == 1


@pytest.mark.parametrize("side", ["before_lose_claimed_commit", "after_lose_claimed_commit"])
def test_killed_while_it_says_that_a_tool_gave_no_answer_a_person_is_asked_all_the_same(lab: Lab, side: str) -> None:
    approval = lab.approved([["vanish", {"target": "prod"}]])
    lab.dies(side, bodies.advance, approval.run_id)
    lab.check()
    assert lab.again(approval).effect is Effect.UNKNOWN
    assert lab.effects() == ["prod"]
