"""Questions that an agent asks with interrupt(): mapped by the configuration, answered in words, or in a form."""

import json
from typing import Any

import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel_run import cancel_run
from approvals.ledger.decide import Because, Refused
from approvals.ledger.expire import expire_due
from approvals.ledger.work import has_work
from approvals.rules.words import DecisionType, Effect, Gate, RunStatus, Say, Shape, Status
from tests.workers.bench import Bench, a_policy, a_rule, has_one_answer_per_call
from workers.answers import ANSWER
from workers.runner import Runner

OWN = "tests.workers.own_shapes:"
MAPPED = {
    "approval_request": {
        "approve": {"approved": True},
        "reject": {"approved": False, "reason": "{reason}"},
        "nobody_answered": {"approved": False, "reason": "nobody was there"},
    }
}
FREE = a_policy(**{n: a_rule(Gate.NEVER) for n in ("request_approval", "ask_twice", "fill_in", "how_many")})
DEPLOYING: list[Any] = ["request_approval", {"action_description": "deploying to production"}]


def asking(bench: Bench, **more: Any) -> Runner:
    return bench.runner(f"{OWN}asking", FREE, **{"interrupts": MAPPED, **more})


@pytest.mark.parametrize(
    ("say", "note", "heard"),
    [
        (Say.APPROVE, None, "'deploying to production' was APPROVED."),
        (Say.REJECT, "not today", "'deploying to production' was REJECTED. Reason: not today"),
    ],
)
def test_case_15_a_tool_that_asks_is_handed_what_the_configuration_says(
    bench: Bench, say: Say, note: str | None, heard: str
) -> None:
    runner = asking(bench)
    run_id = bench.ask([DEPLOYING])
    runner.advance(run_id)
    asked = bench.only(run_id)
    assert (asked.shape, asked.tool, asked.asker) == (Shape.FREE_FORM, "approval_request", "request_approval")
    assert set(asked.rule.decisions) == {DecisionType.APPROVE, DecisionType.REJECT}
    assert json.loads(asked.args_json)["action"] == "deploying to production"
    bench.decide(asked, say, note=note)
    runner.advance(run_id)
    assert heard in bench.heard(runner, run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert (bench.again(asked).effect, bench.again(asked).applied_at is None) == (Effect.NONE, False)


def test_several_questions_at_once_and_one_tool_that_asks_twice_keep_apart(bench: Bench) -> None:
    runner = asking(bench)
    run_id = bench.ask(
        [["ask_twice", {"first": "One?", "second": "Two?"}], DEPLOYING, ["ask_twice", {"first": "A?", "second": "B?"}]]
    )
    runner.advance(run_id)
    rows = {a.args_json: a for a in bench.approvals(run_id)}
    one, request, a = (next(r for text, r in rows.items() if words in text) for words in ("One?", "deploying", "A?"))
    bench.decide(a, Say.RESPOND, note="first of the second")
    runner.advance(run_id)
    bench.decide(one, Say.RESPOND, note="first of the first")
    runner.advance(run_id)
    later = {
        json.loads(r.args_json)["question"]: r
        for r in bench.approvals(run_id)
        if r.status is Status.PENDING and r.tool == "interrupt"
    }
    assert set(later) == {"Two?", "B?"}
    assert {r.interrupt_id for r in later.values()}.isdisjoint({one.interrupt_id, a.interrupt_id})
    bench.decide(later["B?"], Say.RESPOND, note="second of the second")
    bench.decide(request, Say.APPROVE)
    bench.decide(later["Two?"], Say.RESPOND, note="second of the first")
    runner.advance(run_id)
    heard = bench.heard(runner, run_id)
    assert "first of the first, then second of the first" in heard
    assert "first of the second, then second of the second" in heard
    assert "APPROVED" in heard
    assert len(bench.approvals(run_id)) == 5


def test_an_answer_with_a_schema_comes_as_the_value_that_its_fields_make(bench: Bench) -> None:
    runner = asking(bench)
    run_id = bench.ask([["fill_in", {"what": "a trip"}], ["how_many", {"what": "guests"}]])
    runner.advance(run_id)
    trip, guests = bench.approvals(run_id)
    assert trip.answer_schema is not None
    assert trip.answer_schema["properties"].keys() == {"city", "people"}
    assert guests.answer_schema is not None
    assert guests.answer_schema["properties"].keys() == {ANSWER}
    bench.decide(trip, Say.RESPOND, note=json.dumps({"city": "Rome", "people": 4}))
    bench.decide(guests, Say.RESPOND, note=json.dumps({ANSWER: 7}))
    runner.advance(run_id)
    assert "4 people in Rome | 8 is one more" in bench.heard(runner, run_id)


def test_an_answer_that_the_agents_own_check_refuses_ends_the_turn_and_not_the_run(bench: Bench) -> None:
    runner = asking(bench)
    run_id = bench.ask([["how_many", {"what": "guests"}]])
    runner.advance(run_id)
    refused = bench.decide(bench.only(run_id), Say.RESPOND, note=json.dumps({ANSWER: "many"}))
    assert isinstance(refused, Refused)
    assert refused.because is Because.NOT_THE_FORM
    bench.decide(bench.only(run_id), Say.RESPOND, note=json.dumps({ANSWER: 1000}))
    runner.advance(run_id)
    assert "the agent's own check refused the answer" in bench.heard(runner, run_id)
    assert bench.only(run_id).applied_at
    assert bench.run(run_id).status is RunStatus.DONE


def test_case_17_a_gate_of_ones_own_is_handed_the_text(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}own_gate", ungated=True)
    run_id = bench.ask("drop it?")
    runner.advance(run_id)
    asked = bench.only(run_id)
    assert (asked.asker, asked.tool, asked.rule.decisions) == ("", "interrupt", (DecisionType.RESPOND,))
    bench.decide(asked, Say.RESPOND, note="only the replica")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "the answer was 'only the replica'"
    assert bench.run(run_id).status is RunStatus.DONE


def test_case_17_with_a_schema_it_is_handed_the_form(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}own_gate", ungated=True)
    run_id = bench.ask("form: which?")
    runner.advance(run_id)
    asked = bench.only(run_id)
    assert asked.answer_schema is not None
    assert asked.answer_schema["required"] == ["target", "force"]
    bench.decide(asked, Say.RESPOND, note=json.dumps({"target": "db", "force": False}))
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "the answer was {'target': 'db', 'force': False}"


def test_a_gated_tool_that_asks_when_it_has_begun_goes_on_from_there_once(bench: Bench) -> None:
    runner = asking(bench)
    run_id = bench.ask([["deploy", {"version": "4.2"}]])
    runner.advance(run_id)
    gated = bench.only(run_id)
    bench.decide(gated, Say.APPROVE)
    runner.advance(run_id)
    assert bench.again(gated).effect is Effect.PAUSED
    assert not has_work(bench.db, run_id)
    assert bench.run(run_id).status is RunStatus.WAITING
    (asked,) = (a for a in bench.approvals(run_id) if a.shape is Shape.FREE_FORM)
    assert json.loads(asked.args_json) == {"question": "Really 4.2?"}
    bench.decide(asked, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["prepare", "prepare", "deploy"]
    assert bench.again(gated).effect is Effect.DONE
    assert "deployed 4.2" in bench.heard(runner, run_id)
    assert bench.run(run_id).status is RunStatus.DONE


def test_silence_is_the_configured_value(bench: Bench) -> None:
    runner = asking(bench)
    run_id = bench.ask([DEPLOYING])
    runner.advance(run_id)
    bench.expire(bench.only(run_id))
    expire_due(bench.db)
    runner.advance(run_id)
    assert "REJECTED. Reason: nobody was there" in bench.heard(runner, run_id)


def test_silence_without_a_value_ends_the_run_visibly_and_a_new_message_finds_a_valid_history(bench: Bench) -> None:
    runner = asking(bench, interrupts={})
    run_id = bench.ask([["deploy", {"version": "1"}], ["ask_twice", {"first": "?", "second": "!"}], ["look", {}]])
    runner.advance(run_id)
    gated = next(a for a in bench.approvals(run_id) if a.tool == "deploy")
    bench.decide(gated, Say.APPROVE)
    runner.advance(run_id)
    for asked in bench.approvals(run_id):
        bench.expire(asked)
    expire_due(bench.db)
    runner.advance(run_id)
    run = bench.run(run_id)
    assert run.status is RunStatus.CANCELLED
    assert "nobody_answered" in (run.reason or "")

    bench.ask([["look", {}]], run=run)
    runner.advance(run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert bench.heard(runner, run_id) == "heard: looked"
    assert has_one_answer_per_call(bench.history(runner, run_id))
    assert bench.again(gated).effect is Effect.FAILED
    assert "before that stands" in (bench.again(gated).result or "")
    assert [e["action"] for e in bench.effects()] == ["prepare"]


def test_a_run_with_a_gate_of_its_own_is_cancelled_and_begun_anew(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}own_gate", ungated=True)
    run_id = bench.ask("one")
    runner.advance(run_id)
    cancel_run(bench.db, run_id, WORKER, "enough")
    runner.advance(run_id)
    assert bench.run(run_id).status is RunStatus.CANCELLED
    bench.ask("two", run=bench.run(run_id))
    runner.advance(run_id)
    (asked,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
    assert json.loads(asked.args_json)["question"] == "two"
    bench.decide(asked, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "the answer was 'yes'"


@pytest.mark.parametrize("factory", ["around_an_agent", "inside_a_tool"])
def test_questions_from_a_graph_inside_are_answered_where_they_were_asked(bench: Bench, factory: str) -> None:
    free = a_policy(**{n: a_rule(Gate.NEVER) for n in ("request_approval", "delegate")})
    runner = bench.runner(f"{OWN}{factory}", free, interrupts=MAPPED)
    turns: list[Any] = [[DEPLOYING, ["deploy", {"version": "2"}], ["look", {}]]]
    run_id = (
        bench.ask([["delegate", {"request": json.dumps(turns)}]]) if factory == "inside_a_tool" else bench.ask(*turns)
    )
    runner.advance(run_id)
    rows = {a.tool: a for a in bench.approvals(run_id)}
    assert set(rows) == {"approval_request", "deploy"}
    assert rows["deploy"].asker == ("helper" if factory == "inside_a_tool" else "")
    bench.decide(rows["approval_request"], Say.REJECT, note="later")
    runner.advance(run_id)
    bench.decide(rows["deploy"], Say.APPROVE)
    runner.advance(run_id)
    (really,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
    bench.decide(really, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert "REJECTED. Reason: later" in bench.heard(runner, run_id)
    assert "deployed 2" in bench.heard(runner, run_id)
    assert [e["action"] for e in bench.effects()] == ["prepare", "prepare", "deploy"]
