"""A provider (a local server, a proxy, a cache that replays) may give several messages the same id."""

import pytest

from tests.faults import bodies
from tests.faults.drafts.talk import end, go, shows, words_of
from tests.faults.lab import Lab, wait_until


@pytest.mark.parametrize("shown", [True, False])
def test_each_answer_is_said(lab: Lab, *, shown: bool) -> None:
    run_id = lab.ask({"say": ["One answer, ", {"wait": "a"}, "whole."], "id": "same"})
    for words, name in (("One answer", "a"), ("Another answer", "b")):
        if name == "b":
            lab.ask_again(run_id, {"say": ["Another answer, ", {"wait": "b"}, "whole."], "id": "same"})
        if not shown:
            go(lab, name)
        process = lab.start(bodies.advance, run_id)
        if shown:
            wait_until(lambda words=words: bool(shows(lab, words)))
            go(lab, name)
        end(lab, process)
    lab.converge_quietly()
    assert [m.text for m in words_of(lab)] == ["One answer, whole.", "Another answer, whole."]
