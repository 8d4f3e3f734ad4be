"""What a tool says of how far it is stands in the status line; what a subagent says is its own."""

import json

import pytest

from approvals.rules.words import Say
from tests.faults import bodies
from tests.faults.drafts.talk import (
    HIDING,
    end,
    go,
    line_of,
    speaking,
    words_of,
)
from tests.faults.lab import Lab, wait_until
from tests.workers.talking import INNER


def test_a_subagents_words_are_its_own_and_its_tools_notes_are_not(lab: Lab) -> None:
    work = json.dumps([{"say": [INNER], "calls": [["look", {"note": "halfway there"}]]}])
    _, process = speaking(lab, {"say": ["I ask. "], "calls": [["delegate", {"work": work}]]}, {"say": ["It was done."]})
    wait_until(lambda: "Calling `look`: halfway there" in line_of(lab))
    go(lab, "look")
    end(lab, process)
    assert [m.text for m in words_of(lab)] == ["I ask.", "It was done."]
    assert INNER not in json.dumps([call.args for call in lab.world.slack.journal.calls()], default=str)


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("3 of 12 pods ready", "Calling `look`: 3 of 12 pods ready… "),
        ("<!channel> *now*\n:fire: `x`", "Calling `look`: &lt;!channel&gt; ∗now∗ ∶fire: ˋxˋ… "),
        ("long " * 100, "Calling `look`: long long long"),
    ],
)
def test_what_a_tool_writes_of_how_far_it_is_stands_in_the_status_line(lab: Lab, note: str, shown: str) -> None:
    _, process = speaking(lab, {"calls": [["look", {"note": note}]]})
    wait_until(lambda: shown in line_of(lab))
    assert len(line_of(lab)) < 200
    go(lab, "look")
    end(lab, process)
    assert line_of(lab).startswith("Done in ")


def test_a_gated_tool_says_how_far_it_is_and_shows_no_hidden_value(lab: Lab) -> None:
    (lab.folder / "countersign.yml").write_text(HIDING, encoding="utf-8")
    run_id, process = speaking(lab, {"calls": [["strike", {"target": "hunter22"}]]})
    end(lab, process)
    (approval,) = lab.approvals(run_id)
    lab.decide(approval, Say.APPROVE)
    process = lab.start(bodies.advance, run_id)
    wait_until(lambda: "Calling `strike`: 3 of 12 [hidden] pods ready… " in line_of(lab))
    go(lab, "strike")
    end(lab, process)
