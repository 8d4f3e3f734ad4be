"""A real client of a provider against a server that hangs, refuses and is busy: each ends in a visible state of the run
with a way on, and after it the agent goes on from where it stood."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from approvals.ledger.decide import Decided
from approvals.ledger.end_run import see_run
from approvals.ledger.posts import lease_posts
from approvals.ledger.try_again import TriedAgain, try_again
from approvals.records import RunId
from approvals.rules.words import Door, Effect, Gate, RunStatus, Say, Status
from tests.workers.bench import ANA, Bench, a_policy, a_rule, has_one_answer_per_call
from tests.workers.provider import SECRET, FakeProvider, providing
from workers.runner import Runner

MODEL = "anthropic:claude-sonnet-5"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    with providing() as one:
        monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", one.url)
        monkeypatch.delenv("ANTHROPIC_API_URL", raising=False)
        yield one


@pytest.fixture
def runner(bench: Bench, provider: FakeProvider) -> Runner:
    return bench.runner(model=MODEL)


def until_it_rests(bench: Bench, runner: Runner, run_id: RunId) -> int:
    """As the sweep wakes it, without the pauses between; how often."""
    for tenures in range(1, 9):
        runner.advance(run_id)
        if bench.run(run_id).status is not RunStatus.QUEUED:
            return tenures
        bench.sql("UPDATE runs SET retry_at = now() WHERE id = %s", run_id)
    raise AssertionError("it does not come to rest")


def press(bench: Bench, run_id: RunId) -> None:
    assert isinstance(try_again(bench.db, see_run(bench.db, run_id), ANA, Door.CARD), TriedAgain)


def pause(bench: Bench, run_id: RunId) -> float:
    with bench.db.transaction() as tx:
        row = tx.execute(
            "SELECT extract(epoch FROM retry_at - updated_at)::float AS s FROM runs WHERE id = %s", (run_id,)
        ).fetchone()
    assert row is not None
    return float(row["s"])


def posts(bench: Bench, run_id: RunId) -> list[str]:
    return [post.text for post in lease_posts(bench.db, run_id)]


ENDINGS = {
    "busy": ((529, {"retry-after-ms": "1"}), 5, "the model's provider is busy."),
    "limited": ((429, {"retry-after-ms": "1"}), 5, "the model's provider limits how often it may be asked."),
    "broken": ((500, {"retry-after-ms": "1"}), 5, "the model's provider has trouble of its own."),
    "hanging": (None, 3, "the model's provider did not answer in time."),
    "key": ((401, {}), 1, "the model's provider refused the key."),
    "bad request": ((400, {}), 1, "the model's provider did not take the conversation."),
    "no model": ((404, {}), 1, "the model's provider has no such model."),
}


@pytest.mark.parametrize("kind", ENDINGS)
def test_trouble_ends_in_a_visible_state_and_is_gone_on_from(
    bench: Bench, provider: FakeProvider, runner: Runner, kind: str
) -> None:
    trouble, tries, words = ENDINGS[kind]
    provider.script = [trouble] * 20
    run_id = bench.ask("hello")
    # What hangs is waited for in vain, so that the wait may be short; what answers has all the time it needs.
    first = runner if trouble else bench.runner(model=MODEL, model_timeout=timedelta(seconds=1))
    assert until_it_rests(bench, first, run_id) == tries
    run = bench.run(run_id)
    assert (run.status, str(run.reason).startswith(words)) == (RunStatus.FAILED, True)
    assert bench.doing(run_id) == [("stopped", True)]
    (said,) = posts(bench, run_id)
    assert said.startswith(f"I had to stop: {words}")
    assert "Press Try again on its status line above" in said
    assert SECRET not in said + str(run.reason)
    provider.script = []
    press(bench, run_id)
    runner.advance(run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert [m.text for m in bench.history(runner, run_id)] == ['["hello"]', "all done"]
    assert posts(bench, run_id)[-1] == "all done"


def test_the_line_says_when_the_provider_is_asked_again(bench: Bench, provider: FakeProvider, runner: Runner) -> None:
    provider.script = [(429, {"retry-after-ms": "1"}), (429, {"retry-after": "40"})]
    run_id = bench.ask("hello")
    runner.advance(run_id)
    assert bench.doing(run_id) == [
        ("the model's provider limits how often it may be asked; trying again in 40 s", False)
    ]
    assert 39 < pause(bench, run_id) < 41
    asked = len(provider.asked)
    runner.advance(run_id)
    assert len(provider.asked) == asked


def test_a_provider_that_cannot_be_reached(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    runner = bench.runner(model=MODEL)
    run_id = bench.ask("hello")
    runner.advance(run_id)
    assert bench.doing(run_id) == [("the model's provider could not be reached; trying again in 2 s", False)]


def test_a_model_of_ones_own_is_told_from_a_tool(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reachable = tmp_path / "reachable"
    monkeypatch.setenv("REACHABLE_FILE", str(reachable))
    runner = bench.runner(model="python:tests.workers.unreachable:model")
    run_id = bench.ask("hello")
    runner.advance(run_id)
    assert bench.run(run_id).reason == "the model's provider could not be reached."
    reachable.touch()
    until_it_rests(bench, runner, run_id)
    assert bench.heard(runner, run_id) == "here I am"
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_card_waits_through_a_failure_and_its_call_runs_once(
    bench: Bench, provider: FakeProvider, runner: Runner
) -> None:
    provider.script = [[("strike", {"target": "prod"}), ("look", {})]]
    run_id = bench.ask("strike")
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert isinstance(bench.decide(approval, Say.APPROVE), Decided)
    provider.script = [(401, {})]
    until_it_rests(bench, runner, run_id)
    assert bench.run(run_id).status is RunStatus.FAILED
    assert len(bench.effects()) == 1
    press(bench, run_id)
    runner.advance(run_id)
    assert (bench.again(approval).effect, bench.run(run_id).status) == (Effect.DONE, RunStatus.DONE)
    assert len(bench.effects()) == 1
    history = bench.history(runner, run_id)
    assert has_one_answer_per_call(history)
    assert len([m for m in history if isinstance(m, HumanMessage)]) == 1


@pytest.mark.parametrize("way", ["a press", "a decision"])
def test_a_run_that_fails_while_a_card_waits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    """A free call beside the gated one raises each time: the agent stops, and the card waits."""
    works = tmp_path / "works"
    monkeypatch.setenv("FLAKY_FILE", str(works))
    runner = bench.runner("tests.workers.flaky:build", a_policy(flaky=a_rule(Gate.NEVER)))
    run_id = bench.ask([["strike", {"target": "prod"}], ["flaky", {}]])
    assert until_it_rests(bench, runner, run_id) == 3
    assert bench.run(run_id).reason == "the agent raised RuntimeError. The worker's log has more."
    approval = bench.only(run_id)
    assert (bench.run(run_id).status, approval.status) == (RunStatus.FAILED, Status.PENDING)
    works.touch()
    if way == "a press":
        press(bench, run_id)
        runner.advance(run_id)
        assert (bench.run(run_id).status, bench.only(run_id)) == (RunStatus.WAITING, approval)
    assert isinstance(bench.decide(approval, Say.APPROVE), Decided)
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: struck prod x1 | at last"
    assert bench.run(run_id).status is RunStatus.DONE
    assert len(bench.effects()) == 1
    assert len([m for m in bench.history(runner, run_id) if isinstance(m, HumanMessage)]) == 1
