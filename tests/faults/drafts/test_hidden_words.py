"""An agent that says what its own call hides: its words come before the call, and hide it all the same."""

import json
from typing import Any

import pytest

from approvals.config.load import load_config
from approvals.ledger.database import Database
from approvals.ledger.drafts import growing
from approvals.ledger.find import find_run
from approvals.settings import WORKER_NEEDS, load_settings
from tests.faults.drafts.talk import FIRST, GROWING, HIDING, START, calls, end, go, shows, speaking, words_of
from tests.faults.lab import Lab, wait_until
from workers.worker import assemble, new_worker

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


def test_a_run_that_may_hide_something_shows_nothing_while_it_speaks(lab: Lab) -> None:
    settings = load_settings(lab.environ, WORKER_NEEDS)
    with Database(settings.database_url.get_secret_value()) as db:
        runner = assemble(settings, load_config(settings.countersign_config), db, new_worker(settings))
        drafter = runner.drafter
        assert drafter is not None
        hides, other = (find_run(db, lab.ask()) for _ in range(2))
        assert hides is not None
        assert other is not None
        runner._thread(hides)
        drafter.hear(hides, "one", f"I strike {SECRET} now. ", "one")
        # One thread tells of all runs, the longest due first: when this is there, that one would be.
        drafter.hear(other, "two", FIRST, "two")
        wait_until(lambda: shows(lab, FIRST))
        assert growing(db, hides.id) == []
        assert drafter.close(hides.id) == {"one": {"one"}}
        drafter.close(other.id)
        runner.kept.drop()
    assert "I strike" not in sent_to_slack(lab)


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
