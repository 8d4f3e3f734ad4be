"""Deep agents: every path to a tool passes the gate, and cards say which subagent asks."""

import json
from typing import Any

import pytest

from approvals.rules.select_rule import Policy, ToolRule
from approvals.rules.words import Effect, Gate, RunStatus, Say, Shape, Status
from tests.workers.bench import Bench, a_rule
from workers.agents.load import AgentUnusable

DEEP = "tests.workers.deep:"
OF_THE_LIBRARY = ("task", "write_todos", "ls", "read_file", "write_file", "edit_file", "glob", "grep")
MAPPED = {"approval_request": {"approve": {"approved": True}, "reject": {"approved": False, "reason": "{reason}"}}}
DELETE: list[Any] = ["remove_file", {"path": "temp.txt"}]
MAIL: list[Any] = ["notify_email", {"recipient": "admin@example.com", "body": "gone"}]
FETCH: list[Any] = ["fetch_file", {"path": "a.txt"}]


def policy(**rules: Any) -> Policy:
    """As the shipped example has it: the library's own tools run, the calls inside of a task are gated."""
    free = [
        ToolRule(pattern=name, rule=a_rule(Gate.NEVER)) for name in (*OF_THE_LIBRARY, "fetch_file", "request_approval")
    ]
    own = [ToolRule(pattern=name, rule=rule) for name, rule in rules.items()]
    return Policy(defaults=a_rule(), tools=(*own, *free))


def handed(subagent: str, *calls: Any) -> list[Any]:
    return ["task", {"description": json.dumps([list(calls)]), "subagent_type": subagent}]


def test_case_12_two_cards_decided_one_by_one(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}deep", policy())
    run_id = bench.ask([DELETE, MAIL, FETCH])
    runner.advance(run_id)
    rows = {a.tool: a for a in bench.approvals(run_id)}
    assert set(rows) == {"remove_file", "notify_email"}
    bench.decide(rows["remove_file"], Say.APPROVE)
    bench.decide(rows["notify_email"], Say.REJECT, note="Do not retry this tool call.")
    runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["fetch_file", "remove_file"]
    assert "Do not retry this tool call." in bench.heard(runner, run_id)
    assert bench.run(run_id).status is RunStatus.DONE


def test_case_12_as_its_author_had_it_batched(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}ungated", policy(), ungated=True)
    run_id = bench.ask([DELETE, MAIL], [handed("general-purpose", DELETE)])
    runner.advance(run_id)
    rows = {a.tool: a for a in bench.approvals(run_id)}
    assert [a.shape for a in rows.values()] == [Shape.BATCHED] * 2
    bench.decide(rows["remove_file"], Say.APPROVE)
    bench.decide(rows["notify_email"], Say.REJECT)
    runner.advance(run_id)
    (inner,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
    assert inner.asker == "general-purpose"
    bench.decide(inner, Say.REJECT, note="once is enough")
    runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["remove_file"]
    assert bench.run(run_id).status is RunStatus.DONE


def test_case_13_an_edit(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}deep", policy())
    run_id = bench.ask([["notify_email", {"recipient": "everyone@company.com", "body": "hi"}]])
    runner.advance(run_id)
    bench.edit(bench.only(run_id), recipient="team@company.com")
    runner.advance(run_id)
    assert bench.effects() == [{"action": "notify_email", "recipient": "team@company.com", "body": "hi"}]


def test_case_14_a_subagent_with_rules_of_its_own_is_named(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}deep", policy())
    run_id = bench.ask([FETCH, handed("file-manager", FETCH, DELETE), handed("general-purpose", MAIL)])
    runner.advance(run_id)
    rows = {a.tool: a for a in bench.approvals(run_id)}
    assert {a.tool: a.asker for a in rows.values()} == {
        "remove_file": "file-manager",
        "notify_email": "general-purpose",
    }
    assert [e["action"] for e in bench.effects()] == ["fetch_file", "fetch_file"]
    bench.decide(rows["notify_email"], Say.APPROVE)
    runner.advance(run_id)
    bench.decide(rows["remove_file"], Say.REJECT, note="keep it")
    runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["fetch_file", "fetch_file", "notify_email"]
    assert "keep it" in bench.heard(runner, run_id)
    assert bench.run(run_id).status is RunStatus.DONE


@pytest.mark.parametrize(("say", "heard"), [(Say.APPROVE, "was APPROVED"), (Say.REJECT, "REJECTED. Reason: not now")])
def test_case_15_a_compiled_subagent_that_asks_inside_a_tool(bench: Bench, say: Say, heard: str) -> None:
    runner = bench.runner(f"{DEEP}deep", policy(), interrupts=MAPPED)
    run_id = bench.ask([handed("deployer", ["request_approval", {"action_description": "deploying to production"}])])
    runner.advance(run_id)
    asked = bench.only(run_id)
    assert (asked.shape, asked.asker) == (Shape.FREE_FORM, "deployer")
    bench.decide(asked, say, note="not now" if say is Say.REJECT else None)
    runner.advance(run_id)
    assert heard in bench.heard(runner, run_id)


def test_a_gated_tool_inside_a_gated_task_that_asks_in_the_middle(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}deep", policy(task=a_rule()))
    run_id = bench.ask([handed("deployer", ["deploy", {"version": "3"}])])
    runner.advance(run_id)
    for say, note in ((Say.APPROVE, None), (Say.APPROVE, None), (Say.RESPOND, "yes")):
        (asked,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
        bench.decide(asked, say, note=note)
        runner.advance(run_id)
    assert [e["action"] for e in bench.effects()] == ["prepare", "prepare", "deploy"]
    effects = {a.tool: a.effect for a in bench.approvals(run_id)}
    assert effects == {"task": Effect.DONE, "deploy": Effect.DONE, "interrupt": Effect.NONE}
    assert "deployed 3" in bench.heard(runner, run_id)


def test_case_16_a_permission_on_a_path_asks_and_other_paths_and_rules_keep_theirs(bench: Bench) -> None:
    runner = bench.runner(f"{DEEP}with_permissions", policy())
    secret: list[Any] = ["write_file", {"file_path": "/secrets/key.txt", "content": "k"}]
    free: list[Any] = ["write_file", {"file_path": "/notes.txt", "content": "n"}]
    run_id = bench.ask([secret, free, DELETE])
    runner.advance(run_id)
    asked = bench.only(run_id)
    assert (asked.tool, asked.shape) == ("write_file", Shape.BATCHED)
    assert json.loads(asked.args_json)["file_path"] == "/secrets/key.txt"
    bench.decide(asked, Say.APPROVE)
    runner.advance(run_id)
    (gated,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
    assert (gated.tool, gated.shape) == ("remove_file", Shape.GATED)
    bench.decide(gated, Say.REJECT)
    runner.advance(run_id)
    files = runner.agents["tester"].get_state({"configurable": {"thread_id": run_id}}).values["files"]
    assert set(files) == {"/secrets/key.txt", "/notes.txt"}
    assert bench.effects() == []


WRONG = {
    "own_interrupt_on": "brings a HumanInTheLoopMiddleware of its own beside the gate",
    "built_in_general_purpose": "in subagent general-purpose of tool task. Give it the gate",
    "subagent_without": "in subagent file-manager of tool task. Give it the gate",
    "compiled_without": "in subagent deployer of tool task. Give it the gate",
}


@pytest.mark.parametrize("factory", WRONG)
def test_a_path_on_which_nobody_would_be_asked_is_refused_at_load(bench: Bench, factory: str) -> None:
    with pytest.raises(AgentUnusable) as wrong:
        bench.runner(f"{DEEP}{factory}", policy())
    assert WRONG[factory] in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_an_agent_in_a_tool_without_the_gate_is_refused_and_with_it_is_not(bench: Bench) -> None:
    with pytest.raises(AgentUnusable, match="in an agent of tool delegate"):
        bench.runner("tests.workers.own_shapes:inside_a_tool_ungated", policy())
    bench.runner("tests.workers.own_shapes:inside_a_tool", policy())


def test_an_agent_that_says_it_is_ungated_and_is_not_is_refused(bench: Bench) -> None:
    with pytest.raises(AgentUnusable, match=r"remove agents\.tester\.ungated"):
        bench.runner("build", ungated=True)
