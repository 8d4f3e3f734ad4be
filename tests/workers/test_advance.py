"""A run from a message to an answer, and what each decision does to it."""

import pytest
from langgraph.types import Command

from approvals.ledger.decide import Decided, Refused
from approvals.ledger.expire import expire_due
from approvals.rules.words import Effect, RunStatus, Say, Status
from tests.workers.bench import ANA, Bench, has_one_answer_per_call
from workers.own_questions import AWAITS_PERSON

STRIKE = ["strike", {"target": "staging"}]


def test_a_free_call_runs_and_a_gated_one_waits(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["look", {}], STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.args_json == '{"target":"staging","times":1}'
    assert approval.requesters == (ANA.user_id,)
    assert approval.claim == "I would like to do this."
    assert bench.run(run_id).status is RunStatus.WAITING
    assert bench.effects() == []
    assert bench.shown == [approval.id]


def test_an_approved_call_runs_once_and_its_result_reaches_the_agent(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert isinstance(bench.decide(bench.only(run_id), Say.APPROVE), Decided)
    runner.advance(run_id)
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert (approval.effect, approval.result) == (Effect.DONE, "struck staging x1")
    assert approval.applied_at is not None
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 1}]
    assert bench.heard(runner, run_id) == "heard: struck staging x1"
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_rejected_call_never_runs_and_the_agent_hears_the_reason(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.REJECT, note="wait for the failover")
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.heard(runner, run_id).endswith("with reason: wait for the failover")


def test_an_expired_call_never_runs_and_the_agent_hears_that_nobody_answered(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.expire(bench.only(run_id))
    expire_due(bench.db)
    runner.advance(run_id)
    assert bench.only(run_id).status is Status.EXPIRED
    assert bench.effects() == []
    heard = bench.heard(runner, run_id)
    assert "nobody answered" in heard
    assert "User rejected" not in heard


def test_each_call_of_a_turn_is_decided_for_itself_in_any_order(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": name}] for name in ("a", "b", "c", "d")])
    runner.advance(run_id)
    by_target = {a.args_json: a for a in bench.approvals(run_id)}
    say = {"c": Say.APPROVE, "a": Say.REJECT, "d": Say.APPROVE, "b": Say.REJECT}
    for name, one in say.items():
        bench.decide(by_target[f'{{"target":"{name}","times":1}}'], one)
        runner.advance(run_id)
    assert [e["target"] for e in bench.effects()] == ["c", "d"]
    assert has_one_answer_per_call(bench.history(runner, run_id))
    assert bench.run(run_id).status is RunStatus.DONE


def test_an_answered_call_runs_at_once_while_its_sibling_waits(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": "a"}], ["strike", {"target": "b"}]])
    runner.advance(run_id)
    first, second = bench.approvals(run_id)
    bench.decide(first, Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert bench.again(second).status is Status.PENDING
    assert bench.run(run_id).status is RunStatus.WAITING


def test_one_yes_is_not_inherited_by_the_next_call(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE], [STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    first, second = bench.approvals(run_id)
    assert (first.effect, second.status) == (Effect.DONE, Status.PENDING)
    assert len(bench.effects()) == 1


def test_a_message_during_a_pause_is_kept_and_given_after_it(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.ask([["look", {}]], run=bench.run(run_id), author="U0CY")
    runner.advance(run_id)
    assert bench.only(run_id).status is Status.PENDING
    bench.decide(bench.only(run_id), Say.REJECT)
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: looked"
    assert has_one_answer_per_call(bench.history(runner, run_id))


def test_everyone_whose_message_reached_the_agent_is_a_requester(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["look", {}]])
    runner.advance(run_id)
    bench.ask([STRIKE], run=bench.run(run_id), author="U0BO")
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.requesters == ("U0ANA", "U0BO")
    assert isinstance(bench.decide(approval, Say.APPROVE), Refused)


def test_arguments_that_the_tool_refuses_never_reach_a_person(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["strike", {"target": "a", "times": "many"}], ["strike", {}]])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    assert bench.effects() == []
    assert "Not called: strike does not accept" in bench.heard(runner, run_id)


def test_a_tool_that_does_not_exist_makes_no_card(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["no_such_tool", {}]])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    assert "not a valid tool" in bench.heard(runner, run_id)


def test_a_tool_that_raises_is_failed_once_and_its_text_is_not_passed_on(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["break_down", {"target": "a"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.effect is Effect.FAILED
    assert "RuntimeError" in (approval.result or "")
    assert "hunter2" not in bench.heard(runner, run_id) + (approval.result or "")
    assert len(bench.effects()) == 1


def test_a_tools_own_words_for_the_model_are_passed_on(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["refuse", {"target": "a"}]])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: no such target: a"


def test_a_provider_that_keeps_failing_ends_in_a_visible_failure(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask("raise")
    for _ in range(3):
        bench.sql("UPDATE runs SET retry_at = now() - interval '1 second'")
        runner.advance(run_id)
    run = bench.run(run_id)
    assert run.status is RunStatus.FAILED
    assert "RuntimeError" in (run.reason or "")
    bench.ask([["look", {}]], run=run)
    assert bench.run(run_id).status is RunStatus.QUEUED


def test_somebody_who_resumes_langgraph_directly_gets_no_effect(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    runner.fences.held[run_id] = bench.run(run_id).fence
    graph, config = runner.agents["tester"], {"configurable": {"thread_id": run_id}}
    graph.invoke(Command(resume={approval.interrupt_id: {"type": "approve"}}), config)  # type: ignore[arg-type]
    assert bench.effects() == []
    assert [i.value["type"] for i in graph.get_state(config).interrupts] == [AWAITS_PERSON]  # type: ignore[arg-type]
    bench.decide(approval, Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert bench.run(run_id).status is RunStatus.DONE


@pytest.mark.parametrize(
    "lie", [{"type": "approve"}, {"type": "edit", "edited_action": {"name": "strike", "args": {}}}]
)
def test_a_rejected_call_stays_without_effect_whatever_resumes_it(bench: Bench, lie: dict[str, object]) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.REJECT)
    runner.fences.held[run_id] = bench.run(run_id).fence
    config = {"configurable": {"thread_id": run_id}}
    try:
        runner.agents["tester"].invoke(Command(resume={bench.only(run_id).interrupt_id: lie}), config)  # type: ignore[arg-type]
    except ValueError:
        assert lie["type"] == "edit"
    assert bench.effects() == []
