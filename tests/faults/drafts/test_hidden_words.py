"""An agent that says what its own call hides: its words come before the call, and hide it all the same."""

import json
from typing import Any

import pytest

from tests.faults.drafts.talk import GROWING, HIDING, START, calls, end, go, speaking, words_of
from tests.faults.lab import Lab

SECRET = "hunter22hunter"
CALL = ["strike", {"target": SECRET}]
SAID = [f"I strike {SECRET} now. ", {"wait": "a"}, "Please approve."]


@pytest.fixture(autouse=True)
def hiding(lab: Lab) -> None:
    (lab.folder / "countersign.yml").write_text(HIDING, encoding="utf-8")


def sent_to_slack(lab: Lab) -> str:
    return json.dumps([call.args for call in lab.world.slack.journal.calls()], default=str)


@pytest.mark.parametrize("turn", [{"say": SAID, "calls": [CALL]}, {"say": SAID, "calls": [["look", {}], CALL]}])
def test_words_before_a_call_never_show_what_it_hides(lab: Lab, turn: dict[str, Any]) -> None:
    _, process = speaking(lab, turn)
    go(lab, "a")
    end(lab, process)
    assert words_of(lab)[0].text == "I strike [hidden] now. Please approve."
    assert SECRET not in sent_to_slack(lab)
    assert calls(lab, START) == []


def test_the_words_on_one_card_hide_what_the_other_call_of_the_turn_hides(lab: Lab) -> None:
    other = ["strike", {"target": "other-secret"}]
    _, process = speaking(lab, {"say": [f"First {SECRET}, then other-secret."], "calls": [CALL, other]})
    end(lab, process)
    assert "First [hidden], then [hidden]." in sent_to_slack(lab)
    assert SECRET not in sent_to_slack(lab)
    assert "other-secret" not in sent_to_slack(lab)


def test_all_that_such_an_agent_says_is_said_when_it_is_whole(lab: Lab) -> None:
    _, process = speaking(lab, {"say": GROWING, "calls": [["look", {}]]}, {"say": ["Done."]})
    go(lab, "a", "b")
    end(lab, process)
    assert [message.text[:15] for message in words_of(lab)] == ["The first words", "Done."]
    assert calls(lab, START) == []
