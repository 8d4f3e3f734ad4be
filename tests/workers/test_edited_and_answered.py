"""A person puts other arguments, or their own words, in the place of a call."""

import json

import pytest
from langchain_core.messages import ToolMessage

from approvals.ledger.decide import Decided, Edited, Refused, decide
from approvals.rules.digest import rule_hash
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import DecisionType, Door, Effect, Gate, RunStatus, Say, Status
from tests.workers.bench import ANA, BO, Bench, a_policy, a_rule, has_one_answer_per_call

STRIKE = ["strike", {"target": "staging"}]


def test_what_was_edited_runs_once_and_the_agent_is_told_what_ran_instead(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert isinstance(bench.edit(bench.only(run_id), target="search", times=2), Decided)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "search", "times": 2}]
    heard = bench.heard(runner, run_id)
    assert 'Executed instead: strike with arguments {"target": "search", "times": 2}' in heard
    assert "struck search x2" in heard
    assert has_one_answer_per_call(bench.history(runner, run_id))


def test_an_edit_that_changes_nothing_is_an_approval_without_a_notice(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.edit(bench.only(run_id))
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: struck staging x1"


def test_the_notice_is_there_too_when_the_outcome_is_replayed(bench: Bench) -> None:
    runner = bench.runner("with_twice_over")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.edit(bench.only(run_id), times=3)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 3}]
    assert bench.heard(runner, run_id).count("Executed instead") == 1


@pytest.mark.parametrize(
    ("target", "why"), [("moon", "there is no such target"), ("SEARCH", "otherwise than they are shown")]
)
def test_arguments_that_the_tools_own_code_reads_otherwise_do_not_run(bench: Bench, target: str, why: str) -> None:
    runner = bench.runner("with_picky_tool")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert isinstance(bench.edit(bench.only(run_id), target=target), Decided)
    runner.advance(run_id)
    assert bench.effects() == []
    approval = bench.only(run_id)
    assert approval.status is Status.SUPERSEDED
    assert approval.reason is not None
    assert why in approval.reason
    assert why in bench.heard(runner, run_id)


def test_an_edited_call_whose_tool_changed_is_superseded_and_the_run_goes_on(bench: Bench) -> None:
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    bench.edit(bench.only(run_id), times=2)
    runner = bench.runner("changed_schema")
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_persons_words_are_the_result_and_nothing_runs(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.RESPOND, note="I did it myself.")
    runner.advance(run_id)
    assert bench.effects() == []
    assert bench.heard(runner, run_id) == "heard: I did it myself."
    (answer,) = [m for m in bench.history(runner, run_id) if isinstance(m, ToolMessage)]
    assert answer.status == "success"


def test_the_one_who_asked_answers_where_the_policy_names_them(bench: Bench) -> None:
    rule = a_rule(decisions=(DecisionType.RESPOND,), approvers=(Approvers(name=REQUESTER),))
    runner = bench.runner(policy=a_policy(strike=rule))
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert isinstance(bench.decide(bench.only(run_id), Say.RESPOND, BO, "no"), Refused)
    assert isinstance(bench.decide(bench.only(run_id), Say.RESPOND, ANA, "blue"), Decided)
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: blue"


def test_a_policy_that_offers_only_editing_can_be_used(bench: Bench) -> None:
    runner = bench.runner(policy=a_policy(strike=a_rule(decisions=(DecisionType.EDIT,))))
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.edit(bench.only(run_id), times=2)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 2}]


def test_two_must_say_yes_to_the_same_revision(bench: Bench) -> None:
    runner = bench.runner(policy=a_policy(strike=a_rule(quorum=2, approvers=(both(),))))
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    cy = type(BO)("U0CY", BO.team_id, BO.standing)
    bench.decide(bench.only(run_id), Say.APPROVE, BO)
    bench.edit(bench.only(run_id), cy, times=2)
    runner.advance(run_id)
    assert bench.effects() == []
    bench.decide(bench.only(run_id), Say.APPROVE, BO)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 2}]


def both() -> Approvers:
    return Approvers(name="both", users=(BO.user_id, "U0CY"))


def test_the_form_of_a_call_is_the_tools_own_schema_and_says_what_defaults_gave(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert list(approval.args_schema["properties"]) == ["target", "times"]
    assert approval.filled_in == ("times",)
    assert approval.asked_by == ANA.user_id


def test_a_call_on_record_runs_unasked_after_its_audit_row(bench: Bench) -> None:
    runner = bench.runner(policy=a_policy(strike=a_rule(Gate.RECORD)))
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 1}]
    with bench.db.transaction() as tx:
        row = tx.execute("SELECT * FROM audit_log WHERE action = 'recorded_call' AND run_id = %s", (run_id,)).fetchone()
    assert row is not None
    assert row["details"]["tool"] == "strike"
    assert "staging" not in json.dumps(row["details"])


def test_an_edit_after_the_decision_is_refused(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    bench.decide(approval, Say.APPROVE)
    edited = Edited('{"target":"prod","times":9}', rule_hash(approval.rule))
    assert isinstance(decide(bench.db, approval.key, Say.EDIT, BO, Door.MODAL, edited=edited), Refused)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "strike", "target": "staging", "times": 1}]
    assert bench.only(run_id).effect is Effect.DONE


def test_the_status_line_says_what_the_run_does(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([STRIKE, ["strike", {"target": "prod"}]])
    runner.advance(run_id)
    assert bench.doing(run_id) == [("waiting for 2 approvals", False)]
    bench.decide(bench.approvals(run_id)[0], Say.APPROVE)
    runner.advance(run_id)
    assert bench.doing(run_id) == [("waiting for 1 approval", False)]
    bench.decide(bench.approvals(run_id)[1], Say.REJECT)
    runner.advance(run_id)
    assert bench.doing(run_id) == [("done", True)]
    bench.ask([["look", {}]], run=bench.run(run_id))
    runner.advance(run_id)
    assert bench.doing(run_id) == [("done", True), ("done", True)]


def test_cards_come_in_the_order_of_the_calls(bench: Bench) -> None:
    runner = bench.runner()
    targets = [f"t{n}" for n in range(6)]
    run_id = bench.ask([["strike", {"target": target}] for target in targets])
    runner.advance(run_id)
    shown = [json.loads(a.args_json)["target"] for i in bench.shown for a in bench.approvals(run_id) if a.id == i]
    assert shown == targets
