"""LangChain's own middleware in the gate's place: one row for each call, answered together and in order."""

import itertools
import json
from typing import Any

import pytest

from approvals.ledger.decide import Refused
from approvals.ledger.expire import expire_due
from approvals.ledger.work import has_work
from approvals.records import Approval
from approvals.rules.words import DecisionType, Effect, RunStatus, Say, Shape, Status
from tests.workers.bench import Bench, a_policy, a_rule, has_one_answer_per_call
from workers.answers import Answer, NoAnswer, answer_to

WRITE: list[Any] = ["write_file", {"path": "orders_archive.csv", "content": "id,total\n1,20\n"}]
DELETE: list[Any] = ["execute_sql", {"query": "DELETE FROM orders WHERE created_at < '2025-01-01'"}]
READ: list[Any] = ["read_data", {"table": "orders"}]
OWN = "tests.workers.own_shapes:"
WHY = "Archive the rows before deleting them."


def by_tool(bench: Bench, run_id: Any) -> dict[str, Approval]:
    return {a.tool: a for a in bench.approvals(run_id) if a.applied_at is None}


@pytest.mark.parametrize("write_first", [True, False])
def test_case_2_nothing_runs_before_both_are_decided_and_each_keeps_its_place(bench: Bench, write_first: bool) -> None:
    runner = bench.runner(f"{OWN}batched", ungated=True)
    run_id = bench.ask([WRITE, DELETE, READ])
    runner.advance(run_id)
    rows = by_tool(bench, run_id)
    assert {(a.shape, a.slot, a.slots) for a in rows.values()} == {(Shape.BATCHED, 0, 2), (Shape.BATCHED, 1, 2)}
    assert set(rows["execute_sql"].rule.decisions) == {DecisionType.APPROVE, DecisionType.REJECT}

    says = [("write_file", Say.APPROVE, None), ("execute_sql", Say.REJECT, WHY)]
    first, second = says if write_first else reversed(says)
    bench.decide(rows[first[0]], first[1], note=first[2])
    assert not has_work(bench.db, run_id)
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.run(run_id).status is RunStatus.WAITING
    bench.decide(rows[second[0]], second[1], note=second[2])
    runner.advance(run_id)

    assert sorted(e["action"] for e in bench.effects()) == ["read_data", "write_file"]
    assert WHY in bench.heard(runner, run_id)
    assert "Wrote orders_archive.csv." in bench.heard(runner, run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert all(bench.again(a).effect is Effect.NONE for a in rows.values())
    assert all(bench.again(a).applied_at for a in rows.values())


def test_an_edit_keeps_the_tool_and_a_response_stands_in_its_place(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}batched", ungated=True)
    run_id = bench.ask([WRITE, ["write_file", {"path": "b", "content": "b"}]])
    runner.advance(run_id)
    one, two = bench.approvals(run_id)
    assert one.args_schema["properties"]["path"]["type"] == "string"
    bench.edit(one, path="elsewhere.csv")
    bench.decide(two, Say.RESPOND, note="I wrote it myself.")
    runner.advance(run_id)
    assert bench.effects() == [{"action": "write_file", "path": "elsewhere.csv", "content": "id,total\n1,20\n"}]
    assert "I wrote it myself." in bench.heard(runner, run_id)


def test_twins_are_told_apart_by_their_place(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}batched", ungated=True)
    twin: list[Any] = ["write_file", {"path": "same", "content": "same"}]
    run_id = bench.ask([twin, twin])
    runner.advance(run_id)
    one, two = sorted(bench.approvals(run_id), key=lambda a: a.slot)
    bench.decide(two, Say.APPROVE)
    bench.decide(one, Say.REJECT, note="not the first")
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    heard = bench.heard(runner, run_id)
    assert heard.index("not the first") < heard.index("Wrote same.")


def test_a_middleware_that_the_agent_brings_asks_per_call_too(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}per_call", ungated=True)
    run_id = bench.ask([WRITE, DELETE, READ])
    runner.advance(run_id)
    rows = by_tool(bench, run_id)
    assert [e["action"] for e in bench.effects()] == ["read_data"]
    assert rows["write_file"].args_schema["properties"].keys() == {"path", "content"}
    assert isinstance(bench.decide(rows["execute_sql"], Say.RESPOND, note="no"), Refused)
    bench.edit(rows["write_file"], path="elsewhere.csv")
    runner.advance(run_id)
    assert bench.effects()[-1]["path"] == "elsewhere.csv"
    bench.decide(rows["execute_sql"], Say.REJECT, note=WHY)
    runner.advance(run_id)
    assert WHY in bench.heard(runner, run_id)


def test_silence_is_told_as_a_rejection_by_nobody_or_as_an_answer_where_there_is_no_rejecting(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}no_reject", ungated=True)
    run_id = bench.ask([WRITE, DELETE])
    runner.advance(run_id)
    for approval in bench.approvals(run_id):
        bench.expire(approval)
    expire_due(bench.db)
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.heard(runner, run_id).count("nobody answered") == 2
    assert has_one_answer_per_call(bench.history(runner, run_id))


def test_where_silence_has_no_answer_the_turn_is_closed_and_the_history_left_valid(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}approve_only", ungated=True)
    run_id = bench.ask([WRITE, DELETE, READ])
    runner.advance(run_id)
    rows = by_tool(bench, run_id)
    assert rows["write_file"].rule.decisions == (DecisionType.APPROVE,)
    bench.decide(rows["execute_sql"], Say.APPROVE)
    bench.expire(rows["write_file"])
    expire_due(bench.db)
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.again(rows["execute_sql"]).status is Status.SUPERSEDED
    assert "nobody answered the request for `write_file`" in bench.heard(runner, run_id)
    assert "takes no other answer" in bench.heard(runner, run_id)
    assert has_one_answer_per_call(bench.history(runner, run_id))
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_deploy_that_takes_up_the_gate_asks_anew_and_runs_nothing_of_the_old_turn(bench: Bench) -> None:
    old = bench.runner(f"{OWN}batched", ungated=True)
    run_id = bench.ask([WRITE, DELETE])
    old.advance(run_id)
    rows = by_tool(bench, run_id)
    bench.decide(rows["write_file"], Say.APPROVE)
    bench.decide(rows["execute_sql"], Say.REJECT)
    new = bench.runner(f"{OWN}gated")
    new.advance(run_id)
    assert bench.effects() == []
    assert has_one_answer_per_call(bench.history(new, run_id))
    assert "the agent was changed" in bench.heard(new, run_id)
    assert bench.again(rows["write_file"]).status is Status.SUPERSEDED
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_deploy_that_drops_the_gate_runs_nothing_that_waited_behind_it(bench: Bench) -> None:
    old = bench.runner(f"{OWN}gated", policy=a_policy(read_data=a_rule(gate=a_policy().tools[0].rule.gate)))
    run_id = bench.ask([WRITE, DELETE, READ])
    old.advance(run_id)
    rows = by_tool(bench, run_id)
    bench.decide(rows["write_file"], Say.APPROVE)
    bench.decide(rows["execute_sql"], Say.REJECT)
    new = bench.runner(f"{OWN}batched", ungated=True)
    new.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["read_data"]
    assert has_one_answer_per_call(bench.history(new, run_id))
    assert "All of orders." in bench.heard(new, run_id)
    assert bench.again(rows["write_file"]).status is Status.SUPERSEDED
    assert bench.run(run_id).status is RunStatus.DONE


def test_an_answer_that_is_not_whole_cannot_be_made(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}batched", ungated=True)
    run_id = bench.ask([WRITE, DELETE])
    runner.advance(run_id)
    one, two = (bench.again(a) for a in bench.approvals(run_id) if bench.decide(a, Say.APPROVE))
    whole = answer_to([one, two])
    assert whole == Answer({"decisions": [{"type": "approve"}, {"type": "approve"}]})
    for wrong in ([two, one], [one], [two], [one, one], [one, two, two]):
        assert answer_to(wrong) == NoAnswer()


def test_a_list_that_does_not_add_up_is_carried_to_nobody_and_stops_the_run_visibly(bench: Bench) -> None:
    runner = bench.runner(f"{OWN}adds_up_to_nothing", ungated=True)
    run_id = bench.ask("go")
    runner.advance(run_id)
    run = bench.run(run_id)
    assert (run.status, bench.approvals(run_id)) == (RunStatus.STUCK, [])
    assert "cannot show" in (run.reason or "")


@pytest.mark.parametrize("first", range(5))
def test_five_gated_calls_in_every_order_run_once_each(bench: Bench, first: int) -> None:
    runner = bench.runner()
    calls: list[Any] = [["strike", {"target": name}] for name in "abcde"]
    orders = [order for order in itertools.permutations("abcde") if order[0] == "abcde"[first]]
    for number, order in enumerate(orders):
        run_id = bench.ask(calls)
        runner.advance(run_id)
        rows = {json.loads(a.args_json)["target"]: a for a in bench.approvals(run_id)}
        refused = order[number % 5]
        for decided, target in enumerate(order, 1):
            bench.decide(rows[target], Say.REJECT if target == refused else Say.APPROVE)
            runner.advance(run_id)
            done = [e["target"] for e in bench.effects()[number * 4 :]]
            assert done == [one for one in order[:decided] if one != refused]
            waiting = {a.id for a in bench.approvals(run_id) if a.status is Status.PENDING}
            assert waiting == {rows[one].id for one in order[decided:]}
        assert bench.run(run_id).status is RunStatus.DONE
