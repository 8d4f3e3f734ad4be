"""Graphs without messages: what they are given and what they say is made by the author's own functions."""

import json
from typing import Any

import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel_run import cancel_run
from approvals.records import RunId
from approvals.rules.words import RunStatus, Say, Status
from tests.workers.bench import ANA, Bench
from workers.agents.named import AgentUnusable
from workers.runner import Runner

OURS = "tests.workers.wordless:"


def wordless(bench: Bench, says: str = "says", takes: str = "takes") -> Runner:
    return bench.runner(f"{OURS}build", ungated=True, input=f"{OURS}{takes}", output=f"{OURS}{says}")


def posts(bench: Bench, run_id: RunId) -> list[tuple[str, str]]:
    """What is to be said in the run's thread."""
    with bench.db.transaction() as tx:
        rows = tx.execute("SELECT kind, text FROM posts WHERE run_id = %s ORDER BY created_at", (run_id,)).fetchall()
    return [(row["kind"], row["text"]) for row in rows]


def undelivered(bench: Bench, run_id: RunId) -> None:
    """As after a crash between the agent's last step and the note that it has the message."""
    bench.sql("UPDATE messages SET delivered_at = NULL WHERE run_id = %s", run_id)
    bench.sql("UPDATE runs SET status = 'queued' WHERE id = %s", run_id)


def test_a_message_goes_in_by_one_function_and_the_answer_out_by_the_other(bench: Bench) -> None:
    runner = wordless(bench)
    run_id = bench.ask("hello")
    runner.advance(run_id)
    assert bench.effects()[0] == {"action": "begin", "asked": '["hello"]', "by": ANA.user_id}
    assert posts(bench, run_id) == [("answer", 'done: ["hello"], after nobody')]
    assert bench.run(run_id).status is RunStatus.DONE


def test_the_same_answer_to_two_messages_is_said_twice(bench: Bench) -> None:
    runner = wordless(bench)
    run_id = bench.ask("hello")
    runner.advance(run_id)
    bench.ask("hello", run=bench.run(run_id))
    runner.advance(run_id)
    assert posts(bench, run_id) == [("answer", 'done: ["hello"], after nobody')] * 2
    assert [e["action"] for e in bench.effects()] == ["begin", "end"] * 2


@pytest.mark.parametrize("asks", [False, True], ids=["at_once", "after_a_question"])
def test_a_message_whose_delivery_was_not_noted_is_not_delivered_again(bench: Bench, asks: bool) -> None:
    runner = wordless(bench)
    run_id = bench.ask("ask" if asks else "hello")
    runner.advance(run_id)
    if asks:
        bench.decide(bench.only(run_id), Say.RESPOND, note="Ana")
        runner.advance(run_id)
    undelivered(bench, run_id)
    wordless(bench).advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["begin", "end"]
    assert len(posts(bench, run_id)) == 1
    assert bench.run(run_id).status is RunStatus.DONE


def test_nothing_of_an_earlier_turn_is_said_again_for_one_that_was_closed(bench: Bench) -> None:
    runner = wordless(bench)
    run_id = bench.ask("hello")
    runner.advance(run_id)
    bench.ask("ask", run=bench.run(run_id))
    runner.advance(run_id)
    cancel_run(bench.db, run_id, WORKER, "enough")
    runner.advance(run_id)
    bench.ask("again", run=bench.run(run_id))
    runner.advance(run_id)
    said = [text for kind, text in posts(bench, run_id) if kind == "answer"]
    assert said == [f'done: ["{word}"], after nobody' for word in ("hello", "again")]
    assert [a.status for a in bench.approvals(run_id)] == [Status.CANCELLED]


@pytest.mark.parametrize(
    ("says", "seen"),
    [
        ("says_nothing", "The agent has finished, without an answer in words."),
        ("says_a_number", "its `output` function returned int, not text."),
        ("raises", "its `output` function raised KeyError. The worker's log has more."),
    ],
)
def test_an_output_that_says_nothing_is_seen_and_ends_no_run(bench: Bench, says: str, seen: str) -> None:
    runner = wordless(bench, says)
    run_id = bench.ask("hello")
    runner.advance(run_id)
    ((kind, text),) = posts(bench, run_id)
    assert kind == "notice"
    assert text.endswith(seen)
    assert bench.run(run_id).status is RunStatus.DONE


def test_an_input_that_makes_nothing_is_a_fault_of_the_agents_and_is_said(bench: Bench) -> None:
    runner = wordless(bench, takes="takes_nothing")
    run_id = bench.ask("hello")
    runner.advance(run_id)
    assert bench.run(run_id).failures == 1
    assert "ValueError" in (bench.run(run_id).reason or "")
    assert bench.effects() == []


def test_a_graph_with_messages_may_name_only_what_it_says(bench: Bench) -> None:
    runner = bench.runner(output=f"{OURS}says_nothing")
    run_id = bench.ask([["look", {}]])
    runner.advance(run_id)
    assert posts(bench, run_id) == [("notice", "The agent has finished, without an answer in words.")]


BOTH = {"input": f"{OURS}takes", "output": f"{OURS}says"}


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({}, "without a messages channel"),
        ({"input": BOTH["input"]}, "Missing: output."),
        ({**BOTH, "input": "nowhere:takes"}, "agents.tester.input: nowhere:takes cannot be imported"),
        ({**BOTH, "output": f"{OURS}sayz"}, f"agents.tester.output: {OURS}sayz does not exist"),
        ({**BOTH, "output": f"{OURS}says_later"}, "cannot be called as says_later(state); write a plain function."),
        ({**BOTH, "input": f"{OURS}takes_one"}, "cannot be called as takes_one(text, message)"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_cannot_work_is_refused_at_load_in_one_line(bench: Bench, keys: dict[str, Any], line: str) -> None:
    with pytest.raises(AgentUnusable) as wrong:
        bench.runner(f"{OURS}build", ungated=True, **keys)
    assert line in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_what_it_asks_meanwhile_is_answered_as_any_other_question(bench: Bench) -> None:
    runner = wordless(bench)
    run_id = bench.ask("ask")
    runner.advance(run_id)
    assert json.loads(bench.only(run_id).args_json) == {"question": "Really?"}
    assert posts(bench, run_id) == []
    bench.decide(bench.only(run_id), Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert posts(bench, run_id) == [("answer", 'done: ["ask"], after yes')]
