"""What a guardrail of the agent's own takes out of an answer was never in Slack."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, PIIMiddleware, TodoListMiddleware

from tests.faults.drafts.talk import CONFIG, end, go, line_of, speaking, words_of
from tests.faults.lab import Lab, a_lab, wait_until
from tests.workers.guarded import PRIVATE
from tests.workers.talking import TALK_DIR, Talker
from workers.agents.speech import Speech
from workers.listening import shown_as_written
from workers.thread import SPEAKS_MESSAGES


@pytest.fixture
def guarded(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Lab]:
    config = CONFIG.replace("tests.workers.talking:build", "tests.workers.guarded:build")
    with a_lab(database_url, redis_url, tmp_path, config) as lab:
        lab.more[TALK_DIR] = str(tmp_path)
        yield lab


def test_nothing_is_shown_that_the_saved_answer_does_not_say(guarded: Lab) -> None:
    _, process = speaking(guarded, {"say": [f"Write to {PRIVATE}, ", {"wait": "a"}, "she knows."]})
    wait_until(lambda: line_of(guarded).startswith("Writing… "))
    go(guarded, "a")
    end(guarded, process)
    assert "[REDACTED]" in words_of(guarded)[-1].text
    assert PRIVATE not in json.dumps([call.args for call in guarded.world.slack.journal.calls()], default=str)


def test_only_middlewares_that_may_change_what_was_said_keep_an_answer_until_it_is_whole() -> None:
    def shown(*middleware: Any, speech: Speech = SPEAKS_MESSAGES) -> bool:
        return shown_as_written(create_agent(Talker(), tools=[], middleware=middleware), speech)

    assert shown()
    assert shown(HumanInTheLoopMiddleware({}), TodoListMiddleware())
    assert not shown(PIIMiddleware("email", apply_to_output=True))
    assert not shown(speech=Speech(says=lambda _: "my own words"))
