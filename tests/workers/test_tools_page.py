"""docs/tools.md says what is so: its code is run, behind the gate, and what the page says of it is looked at."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from approvals.config.values import AgentConfig
from approvals.records import Approval
from approvals.rules.words import Effect, RunStatus, Say, Status
from bot.cards.card import render
from tests.bot.slack_reading import all_texts
from tests.bot.values import AROUND
from tests.workers.bench import Bench, a_policy
from workers.agents.drive import drive
from workers.runner import Runner
from workers.tool_extras import extras_of

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
NAME = "the_page_about_tools"


@pytest.fixture
def page() -> Iterator[ModuleType]:
    """The blocks of the page, as the module that they are."""
    module = ModuleType(NAME)
    sys.modules[NAME] = module
    code = "\n\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S))
    exec(compile(code, str(PAGE), "exec"), module.__dict__)
    yield module
    del sys.modules[NAME]


def asked(bench: Bench, runner: Runner, *calls: list[object]) -> tuple[str, list[Approval]]:
    run_id = bench.ask(list(calls))
    runner.advance(run_id)
    return run_id, bench.approvals(run_id)


def card(approval: Approval) -> str:
    return "\n".join(all_texts(list(render(approval, AROUND).blocks)))


def test_a_payment_finds_its_key_and_a_restart_says_how_far_it_is(bench: Bench, page: ModuleType) -> None:
    runner = bench.runner(f"{NAME}:build")
    run_id, rows = asked(bench, runner, ["pay", {"account": "a", "cents": 5}], ["restart", {"service": "checkout"}])
    for row in rows:
        bench.decide(row, Say.APPROVE)
    runner.advance(run_id)
    paid = next(row for row in rows if row.tool == "pay")
    assert {f"{paid.id}.1": ("a", 5)} == page.PAID
    assert "checkout runs 4.12" in bench.heard(runner, run_id)


@pytest.mark.parametrize("tool", ["rotate", "rotate_plain"])
def test_a_secret_is_hidden_and_handed_on(bench: Bench, page: ModuleType, tool: str) -> None:
    runner = bench.runner(f"{NAME}:build")
    run_id, (row,) = asked(bench, runner, [tool, {"service": "checkout", "token": "abcdefghijkl"}])
    assert "hidden, 12 characters" in card(row)
    assert "abcdefghijkl" not in card(row)
    bench.decide(row, Say.APPROVE)
    runner.advance(run_id)
    assert page.TOKENS == {"checkout": "abcdefghijkl"}


def test_a_deploy_says_what_runs_now_and_does_nothing_once_that_changed(bench: Bench, page: ModuleType) -> None:
    runner = bench.runner(f"{NAME}:build")
    call: list[object] = ["deploy", {"service": "checkout", "version": "4.13"}]
    run_id, (row,) = asked(bench, runner, call)
    said = list(all_texts(list(render(row, AROUND).blocks)))
    assert {"As it is now:", "checkout runs 4.12"} <= set(said)
    page.RUNNING["checkout"] = "4.12.1"
    bench.decide(row, Say.APPROVE)
    runner.advance(run_id)
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert page.RUNNING == {"checkout": "4.12.1"}
    run_id, (row,) = asked(bench, runner, call)
    bench.decide(row, Say.APPROVE)
    runner.advance(run_id)
    assert page.RUNNING == {"checkout": "4.13"}
    assert extras_of(page.deploy).time_limit == 120


def test_a_question_in_the_middle_is_answered_on_a_card(bench: Bench, page: ModuleType) -> None:
    runner = bench.runner(f"{NAME}:build")
    run_id, (row,) = asked(bench, runner, ["drain", {"service": "checkout"}])
    bench.decide(row, Say.APPROVE)
    runner.advance(run_id)
    (question,) = (one for one in bench.approvals(run_id) if one.status is Status.PENDING)
    bench.decide(question, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: drained checkout; sessions: yes"
    assert (bench.again(row).effect, bench.run(run_id).status) == (Effect.DONE, RunStatus.DONE)


def test_the_doctor_finds_every_tool_of_the_page_gated(page: ModuleType) -> None:
    found = drive(AgentConfig("tester", f"{NAME}:build", "python:nowhere:model"), a_policy(), 60)
    assert (found.asked, found.not_made, found.made_up) == (6, [], [])
    assert page.TOKENS == {}
