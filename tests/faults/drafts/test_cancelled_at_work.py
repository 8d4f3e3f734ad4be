"""Cancel run, pressed while the agent works: a model that writes is cut off, a tool that runs reports."""

import pytest

from approvals.ledger.audit import Actor
from approvals.ledger.cancel_run import cancel_run
from approvals.ledger.find import find_run
from approvals.records import RunId
from approvals.rules.words import Door, Effect, RunStatus, Say
from tests.faults import bodies
from tests.faults.drafts.talk import FIRST, end, go, line_of, shows, speaking, words_of
from tests.faults.lab import Lab, wait_until

OVER = "Cancelled. A person ended the run."
SLOW = {"say": [FIRST, {"drip": "never"}]}


def press(lab: Lab, run_id: RunId) -> None:
    people = lab.world.people
    assert cancel_run(lab.db, run_id, Actor(people.ana, Door.CARD), "A person ended the run.") is not None


def comes_to_say(lab: Lab, words: str) -> None:
    """Whoever draws the line: the worker, the bot or the sweep."""

    def says() -> bool:
        lab.sweep()
        return line_of(lab).startswith(words)

    wait_until(says)


def goes_on_when_spoken_to(lab: Lab, run_id: RunId) -> None:
    """And with nothing else than that: what it was about to say is not said."""
    lab.ask_again(run_id, {"say": ["Here I am again."]})
    lab.check()
    assert [m.text for m in words_of(lab)][-2:] == [OVER, "Here I am again."]


def buttons(lab: Lab) -> list[str]:
    slack, ops = lab.world.slack, lab.world.people.ops
    return [control.action_id for message in slack.messages(ops) for control in slack.controls(ops, message.ts)]


@pytest.mark.parametrize("refused", ["", "unknown_method"], ids=["stream", "edits"])
def test_a_model_that_writes_is_cut_off_and_the_run_can_go_on_later(lab: Lab, refused: str) -> None:
    lab.world.slack.workspace.streams_refused = refused
    run_id, process = speaking(lab, SLOW)
    wait_until(lambda: shows(lab, FIRST))
    wait_until(lambda: line_of(lab).startswith("Writing… "))
    press(lab, run_id)
    end(lab, process)
    run = find_run(lab.db, run_id)
    assert run is not None
    assert run.status is RunStatus.CANCELLED
    comes_to_say(lab, "Cancelled after ")
    assert [m.text for m in words_of(lab)] == [OVER]
    goes_on_when_spoken_to(lab, run_id)
    assert line_of(lab).startswith("Done in ")


def test_a_model_is_cut_off_behind_a_tool_too(lab: Lab) -> None:
    run_id, process = speaking(lab, {"calls": [["look", {}]]}, SLOW)
    wait_until(lambda: shows(lab, FIRST))
    press(lab, run_id)
    end(lab, process)
    goes_on_when_spoken_to(lab, run_id)


def test_a_tool_that_runs_is_named_and_reports(lab: Lab) -> None:
    run_id, process = speaking(lab, {"calls": [["look", {"note": "halfway"}]]}, {"say": ["I never say this."]})
    wait_until(lambda: "Calling `look`: halfway" in line_of(lab))
    press(lab, run_id)
    comes_to_say(lab, "Cancelling; `look` runs and will still report.")
    assert buttons(lab) == []
    go(lab, "look")
    end(lab, process)
    comes_to_say(lab, "Cancelled after ")
    goes_on_when_spoken_to(lab, run_id)


def test_an_effect_that_runs_is_left_to_finish(lab: Lab) -> None:
    run_id, process = speaking(lab, {"calls": [["strike", {"target": "prod"}]]}, {"say": ["I never say this."]})
    end(lab, process)
    (approval,) = lab.approvals(run_id)
    lab.decide(approval, Say.APPROVE)
    process = lab.start(bodies.advance, run_id)
    wait_until(lambda: "Calling `strike`" in line_of(lab))
    press(lab, run_id)
    comes_to_say(lab, "Cancelling; `strike` runs and will still report.")
    go(lab, "strike")
    process.join(30)
    assert process.exitcode == 0, lab.said()
    assert [one.effect for one in lab.approvals(run_id)] == [Effect.DONE]
    comes_to_say(lab, "Cancelled after ")
    goes_on_when_spoken_to(lab, run_id)


def test_a_message_that_came_meanwhile_leaves_no_line_that_goes_on_for_ever(lab: Lab) -> None:
    run_id, process = speaking(lab, {"calls": [["look", {"note": "halfway"}]]}, {"say": ["One."]})
    wait_until(lambda: "Calling `look`: halfway" in line_of(lab))
    lab.ask_again(run_id, {"say": ["Two."]})
    go(lab, "look")
    end(lab, process)
    lab.later()
    lab.sweep()
    lines = [m.text for m in lab.world.slack.messages(lab.world.people.ops) if m not in words_of(lab) and m.bot_id]
    assert len(lines) == 2
    assert all(line.startswith("Done in ") for line in lines)
    assert buttons(lab) == []


def test_a_line_that_an_older_version_left_open_is_closed_when_the_run_next_rests(lab: Lab) -> None:
    run_id, process = speaking(lab, {"say": ["One."]})
    end(lab, process)
    lab.sql("UPDATE status_lines SET ended_at = NULL, doing = 'calling look', version = version + 1")
    lab.ask_again(run_id, {"say": ["Two."]})
    lab.check()
    assert lab.sql("SELECT doing FROM status_lines WHERE ended_at IS NULL") == []
    assert buttons(lab) == []
