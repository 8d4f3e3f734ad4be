"""What a call is about, as its tool sees it: asked when people are asked, and again before it runs."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from approvals.records import Approval
from approvals.rules.words import Effect, RunStatus, Say, Status
from bot.cards.card import AS_IT_IS, AS_IT_WAS, render
from tests.bot.slack_reading import all_texts
from tests.bot.values import AROUND
from tests.workers import written_tools
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.test_lost_effects import claimed
from workers import fingerprint

WRITTEN = "tests.workers.written_tools:"
STRIKE = ["strike", {"target": "prod"}]


@pytest.fixture(autouse=True)
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    world: dict[str, object] = {"prod": "4.12", "dev": "5.0"}
    monkeypatch.setattr(written_tools, "WORLD", world)
    yield world
    written_tools.GO_ON.set()


def texts(approval: Approval) -> list[str]:
    return list(all_texts(list(render(approval, AROUND).blocks)))


def card(approval: Approval) -> str:
    return "\n".join(texts(approval))


def superseded_because(bench: Bench) -> list[str]:
    """What the audit log says, which keeps no values."""
    with bench.db.transaction() as tx:
        rows = tx.execute("SELECT details ->> 'note' AS note FROM audit_log WHERE action = 'supersede'").fetchall()
    return [row["note"] for row in rows]


def test_people_are_shown_it_and_the_call_runs_while_it_is_the_same(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert bench.only(run_id).fingerprint == "4.12"
    assert {AS_IT_IS, "4.12"} <= set(texts(bench.only(run_id)))
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert {AS_IT_WAS, "4.12"} <= set(texts(bench.only(run_id)))


def test_if_it_changed_nothing_runs_the_agent_is_told_and_the_new_card_says_what_it_replaces(
    bench: Bench, world: dict[str, object]
) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE], [STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    world["prod"] = "4.13"
    runner.advance(run_id)
    old, new = bench.approvals(run_id)
    assert (old.status, old.effect) == (Status.SUPERSEDED, Effect.NONE)
    assert "Since it was asked," in card(old)
    assert {"4.12", "4.13"} <= set(re.findall(r"4\.1\d", card(old)))
    assert superseded_because(bench) == ["what this call is about is not as it was shown"]
    assert (new.status, new.replaces, new.fingerprint) == (Status.PENDING, old.id, "4.13")
    assert f"It replaces {old.id}" in card(new)
    assert bench.effects() == []
    bench.decide(new, Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert 'heard: Not run: what this call is about is not as it was shown: it was "4.12"' in bench.heard(
        runner, run_id
    )


@pytest.mark.parametrize("written", ["4.13", None])
def test_a_row_in_which_somebody_writes_another_one_runs_nothing(
    bench: Bench, world: dict[str, object], written: str | None
) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    world["prod"] = "4.13"
    bench.sql("UPDATE approvals SET fingerprint = %s", written)
    runner.advance(run_id)
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert bench.effects() == []


@pytest.mark.parametrize("wrong", [RuntimeError("password=hunter2"), 7, "x" * 501])
def test_what_cannot_be_looked_at_is_told_to_the_model_and_not_to_people(
    bench: Bench, world: dict[str, object], wrong: object
) -> None:
    world["prod"] = wrong
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert bench.approvals(run_id) == []
    heard = bench.heard(runner, run_id)
    assert heard.startswith("heard: Not called: nobody could be told what strike is about. Its fingerprint function ")
    assert "hunter2" not in heard


def test_a_look_that_takes_too_long_is_given_up(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    written_tools.GO_ON.clear()
    monkeypatch.setattr(fingerprint, "SECONDS", 0.01)
    monkeypatch.setattr(written_tools, "WORLD", _Slow())
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    assert "did not answer within 0.01 s" in bench.heard(runner, run_id)


class _Slow(dict[str, object]):
    def __getitem__(self, name: str) -> object:
        written_tools.GO_ON.wait(60)
        return name


def raise_later(world: dict[str, object]) -> str:
    world["prod"] = RuntimeError("away")
    return "could not be looked at again: the tool's fingerprint function raised RuntimeError"


def edit_first(world: dict[str, object]) -> str:
    return 'it was "4.12" and is "5.0" now; it was looked at before the call was edited'


@pytest.mark.parametrize("trouble", [raise_later, edit_first])
def test_at_the_claim_it_supersedes_with_the_reason(
    bench: Bench, world: dict[str, object], trouble: Callable[[dict[str, object]], str]
) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    approval = bench.only(run_id)
    decide = partial(bench.edit, target="dev") if trouble is edit_first else partial(bench.decide, say=Say.APPROVE)
    decide(approval)
    words = trouble(world)
    runner.advance(run_id)
    assert bench.only(run_id).status is Status.SUPERSEDED
    assert bench.effects() == []
    assert words in bench.heard(runner, run_id)


def test_an_edit_of_what_it_does_not_look_at_runs(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.edit(bench.only(run_id), times=2)
    runner.advance(run_id)
    assert [effect["times"] for effect in bench.effects()] == [2]


def test_a_deploy_without_the_function_supersedes_and_one_with_it_lets_older_calls_run(bench: Bench) -> None:
    with_it, without = bench.runner(f"{WRITTEN}with_fingerprint"), bench.runner(f"{WRITTEN}fingerprint_gone")
    for before, after, status in (
        (with_it, without, Status.SUPERSEDED),
        (without, with_it, Status.APPROVED),
    ):
        run_id = bench.ask([STRIKE])
        before.advance(run_id)
        bench.decide(bench.only(run_id), Say.APPROVE)
        after.advance(run_id)
        assert bench.only(run_id).status is status
    assert len(bench.effects()) == 1


def test_a_call_that_began_is_not_asked_again_for_it_may_have_changed_the_world_itself(bench: Bench) -> None:
    runner = bench.runner(f"{WRITTEN}with_changing_world")
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    (question,) = (a for a in bench.approvals(run_id) if a.status is Status.PENDING)
    bench.decide(question, Say.RESPOND, note="yes")
    runner.advance(run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert len(bench.effects()) == 1


def test_nor_is_an_attempt_after_one_that_was_lost(bench: Bench, world: dict[str, object]) -> None:
    runner = bench.runner(f"{WRITTEN}with_fingerprint", policy=a_policy(strike=a_rule(idempotent=True)))
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.APPROVE)
    claimed(bench, run_id)
    world["prod"] = "4.13, perhaps by that very attempt"
    runner.advance(run_id)
    again = bench.only(run_id)
    assert (again.effect, again.attempt) == (Effect.DONE, 2)
