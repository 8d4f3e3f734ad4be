"""Slack in trouble, workers that die, agents that raise, people who cancel, in the middle of an answer: one answer is
left, or none, and never a half of one."""

import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel_run import cancel_run
from demo.slack.faults import DropAfter, Fault, RateLimited, Refuse, ServerError
from tests.faults import bodies
from tests.faults.drafts.talk import (
    APPEND,
    FIRST,
    GROWING,
    SECOND,
    START,
    STOP,
    WHOLE,
    calls,
    end,
    go,
    is_said,
    shows,
    speaking,
    words_of,
)
from tests.faults.lab import Lab, wait_until


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        (APPEND, RateLimited(1)),
        (APPEND, ServerError()),
        (APPEND, DropAfter()),
        (APPEND, Refuse("message_not_in_streaming_state")),
        (START, RateLimited(1)),
        (STOP, ServerError()),
        (STOP, DropAfter()),
        ("chat.update", DropAfter()),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_slack_in_trouble_in_mid_stream_leaves_one_answer_said_once(lab: Lab, method: str, fault: Fault) -> None:
    lab.world.slack.inject(method, fault)
    _, process = speaking(lab)
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a")
    wait_until(lambda: shows(lab, SECOND))
    go(lab, "b")
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, WHOLE)


@pytest.mark.parametrize("fault", [DropAfter(), ServerError()], ids=["lost answer", "500"])
def test_a_stream_whose_beginning_got_no_answer_becomes_the_answer_all_the_same(lab: Lab, fault: Fault) -> None:
    lab.world.slack.inject(START, fault)
    _, process = speaking(lab)
    wait_until(lambda: calls(lab, START))
    go(lab, "a", "b")
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, WHOLE)


@pytest.mark.parametrize("refused", ["", "unknown_method"], ids=["stream", "edits"])
@pytest.mark.parametrize("point", ["before_draft_sent", "after_draft_sent"])
def test_a_worker_killed_in_mid_answer_leaves_one_answer_and_no_half_of_one(lab: Lab, point: str, refused: str) -> None:
    lab.world.slack.workspace.streams_refused = refused
    run_id = lab.ask({"say": GROWING})
    lab.dies(point, bodies.advance, run_id)
    lab.check()
    (message,) = words_of(lab)
    assert is_said(lab, message, WHOLE)


@pytest.mark.parametrize("point", ["before_settle_drafts_commit", "after_settle_drafts_commit"])
def test_a_worker_killed_as_the_answer_ends_leaves_one_answer_and_no_half_of_one(lab: Lab, point: str) -> None:
    run_id = lab.ask({"say": GROWING})
    process = lab.start(bodies.advance, run_id, fail=f"{point}:kill")
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a", "b")
    process.join(30)
    assert process.exitcode == -9, lab.said()
    lab.check()
    (message,) = words_of(lab)
    assert is_said(lab, message, WHOLE)


def test_what_an_agent_said_before_it_raised_goes_away_again(lab: Lab) -> None:
    _, process = speaking(lab, {"say": [FIRST, {"wait": "a"}, {"raise": "the provider is down"}]})
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a")
    end(lab, process)
    assert [m.text for m in words_of(lab) if "first words" in m.text] == []
    assert any("I had to stop" in m.text for m in words_of(lab))
    assert lab.sql("SELECT 1 FROM posts WHERE draft = 'growing'") == []


def test_an_answer_during_which_somebody_cancels_the_run_is_no_open_stream(lab: Lab) -> None:
    run_id, process = speaking(lab)
    wait_until(lambda: shows(lab, FIRST))
    cancel_run(lab.db, run_id, WORKER, "Enough.")
    go(lab, "a", "b")
    end(lab, process)
    *answers, notice = words_of(lab)
    # Its last words may have been on their way before anybody looked whether the run goes on.
    assert all(is_said(lab, answer, WHOLE) for answer in answers)
    assert notice.text == "Cancelled. Enough."
