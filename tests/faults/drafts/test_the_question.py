"""What was asked by command is a message of ours too: whatever gets lost, an answer never takes its place."""

import json

import pytest

from approvals.ledger.start_run import NewMessage, Started, start_run
from approvals.records import RunId
from approvals.rules.words import Door
from approvals.settings import WORKER_NEEDS, load_settings
from bot.asking import root_words
from bot.choosing import Chosen
from bot.marks import Kind, no_row
from bot.messenger import Sent, connect
from demo.slack.faults import DropAfter
from tests.faults import bodies
from tests.faults.drafts.talk import FIRST, GROWING, START, WHOLE, calls, end, go, is_said, words_of
from tests.faults.lab import Lab, wait_until

BREAKS = [FIRST, {"wait": "a"}, {"raise": "down"}]


def asked(lab: Lab, *turns: object, marked: bool) -> tuple[str, RunId]:
    """As `/countersign ask` does it; not marked: as it did before."""
    people = lab.world.people
    words = root_words(people.ana, Chosen("tester", "what is up?"))
    mark = no_row(Kind.ASKED) if marked else None
    sent = connect(load_settings(lab.environ, WORKER_NEEDS)).post(people.ops, None, words, mark=mark)
    assert isinstance(sent, Sent)
    message = NewMessage(lab.world.slack.workspace.team_id, people.ops, sent.ts, sent.ts, people.ana, json.dumps(turns))
    started = start_run(lab.db, "tester", message, Door.SLACK_COMMAND)
    assert isinstance(started, Started)
    return sent.ts, started.run.id


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("say", [GROWING, BREAKS])
def test_a_lost_beginning_is_found_and_the_question_stays(lab: Lab, say: list[object], *, marked: bool) -> None:
    lab.world.slack.inject(START, DropAfter())
    root, run_id = asked(lab, {"say": say}, marked=marked)
    process = lab.start(bodies.advance, run_id)
    wait_until(lambda: bool(calls(lab, START)))
    go(lab, "a", "b")
    process.join(30)
    for _ in range(3):
        lab.converge_quietly()
    messages = words_of(lab)
    assert [m.ts for m in messages if "what is up?" in m.text] == [root]
    assert not any(m.streaming for m in messages)
    if say is GROWING:
        assert [is_said(lab, m, WHOLE) for m in messages if m.ts != root] == [True]
    else:
        assert not any(FIRST.strip() in m.text for m in messages)


def test_what_says_something_else_is_left_alone(lab: Lab) -> None:
    lab.world.slack.inject(START, DropAfter())
    run_id = lab.ask({"say": GROWING})
    people, thread = lab.world.people, lab.sql("SELECT thread_ts FROM runs")[0]["thread_ts"]
    other = connect(load_settings(lab.environ, WORKER_NEEDS)).post(people.ops, thread, "Somebody has our token.")
    process = lab.start(bodies.advance, run_id)
    wait_until(lambda: bool(calls(lab, START)))
    go(lab, "a", "b")
    end(lab, process)
    lab.converge_quietly()
    assert isinstance(other, Sent)
    found = {m.ts: m for m in words_of(lab)}
    assert found.pop(other.ts).text == "Somebody has our token."
    assert [is_said(lab, m, WHOLE) for m in found.values()] == [True]
