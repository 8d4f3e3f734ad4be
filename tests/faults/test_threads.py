"""F39 to F41, M1, M7, M11, M12, M17, M19: what is saved of an agent's thread is poisoned, gone, or spoken to."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import ormsgpack
import pytest

from approvals import failpoints
from approvals.failpoints import FailpointReached
from approvals.records import Approval
from approvals.rules.words import Effect, Say, Status
from tests.faults.lab import STRIKE, Lab

# As LangGraph's serializer spells "import this, call it with that": os.system, if anybody let it.
EXT_CONSTRUCTOR_SINGLE_ARG = 0


def gadget(marker: Path) -> bytes:
    call = ormsgpack.packb(("os", "system", f"touch {marker}"))
    return ormsgpack.packb(ormsgpack.Ext(EXT_CONSTRUCTOR_SINGLE_ARG, call))


@pytest.fixture
def beside(lab: Lab) -> Iterator[Approval]:
    """Another run, which must not be touched by what happens to the first: it ends as if nothing had been."""
    other = lab.waiting([["strike", {"target": "beside"}]])
    yield other
    lab.decide(other, Say.APPROVE)
    lab.check()
    assert lab.again(other).effect is Effect.DONE
    assert lab.effects().count("beside") == 1


POISON = {
    "a_blob_of_the_history": "UPDATE checkpoint_blobs SET blob = '\\xc1ff' WHERE thread_id = %s AND type = 'msgpack'",
    "the_question_itself": "UPDATE checkpoint_writes SET blob = '\\xc1ff' WHERE thread_id = %s",
}


@pytest.mark.parametrize("poison", POISON)
@pytest.mark.parametrize("decided", [True, False], ids=["decided", "waiting"])
def test_f39_a_poisoned_thread_is_closed_alone_and_in_sight(
    lab: Lab, beside: Approval, poison: str, decided: bool
) -> None:
    approval = lab.waiting()
    lab.sql(POISON[poison], approval.run_id)
    if decided:
        lab.decide(approval, Say.APPROVE)
    else:
        lab.sql("UPDATE runs SET status = 'queued' WHERE id = %s", approval.run_id)
    lab.converge()
    assert lab.status(approval.run_id) == "stuck"
    assert lab.again(approval).status is Status.CANCELLED
    assert "cannot be read" in (lab.again(approval).reason or "")
    thread = [m.text for m in lab.world.slack.messages(lab.world.people.ops)]
    assert sum("This run cannot go on: what was saved of it cannot be read" in text for text in thread) == 1
    assert lab.effects() == []


def test_m17_a_checkpoint_that_names_code_does_not_have_it_run(lab: Lab, beside: Approval, tmp_path: Path) -> None:
    marker = tmp_path / "owned"
    approval = lab.waiting()
    lab.sql("UPDATE checkpoint_writes SET blob = %s WHERE thread_id = %s", gadget(marker), approval.run_id)
    lab.decide(approval, Say.APPROVE)
    lab.converge()
    assert not marker.exists()
    assert lab.effects() == []
    assert lab.again(approval).status is Status.CANCELLED or lab.again(approval).effect is Effect.FAILED


@pytest.mark.parametrize("say", [Say.APPROVE, Say.REJECT])
def test_f40_m12_a_thread_that_was_deleted_starts_nothing_from_scratch(lab: Lab, beside: Approval, say: Say) -> None:
    approval = lab.waiting()
    assert lab.own is not None
    lab.own.kept.saver.delete_thread(approval.run_id)
    lab.decide(approval, say)
    lab.check()
    assert lab.effects() == []
    assert len(lab.approvals(approval.run_id)) == 1


def test_f41_m11_a_message_to_a_paused_run_drops_no_question(lab: Lab) -> None:
    approval = lab.waiting()
    lab.ask_again(approval.run_id, [["strike", {"target": "later"}]])
    lab.advance(approval.run_id)
    assert lab.again(approval).status is Status.PENDING
    lab.decide(approval, Say.APPROVE)
    lab.check()
    assert lab.effects() == ["prod"]
    second = next(a for a in lab.approvals(approval.run_id) if a.id != approval.id)
    assert second.status is Status.PENDING


def test_m1_one_yes_is_not_taken_for_the_next_question_of_the_same_tool(lab: Lab) -> None:
    first = lab.approved([STRIKE], [STRIKE])
    lab.advance(first.run_id)
    lab.sql("UPDATE approvals SET applied_at = NULL WHERE id = %s", first.id)
    lab.sql("UPDATE runs SET status = 'queued' WHERE id = %s", first.run_id)
    lab.check()
    assert lab.effects() == ["prod"]
    assert [a.status for a in lab.approvals(first.run_id) if a.id != first.id] == [Status.PENDING]


def test_m7_m19_every_gated_call_of_a_turn_has_its_card_and_is_woken_for_itself(lab: Lab) -> None:
    calls = [["strike", {"target": name}] for name in ("a", "b", "c")]
    lab.waiting(calls)
    lab.check()
    run_id = next(iter({a.run_id for a in lab.oracle().approvals()}))
    first, second, third = lab.approvals(run_id)
    lab.decide(first, Say.APPROVE)
    lab.decide(second, Say.REJECT)
    lab.check()
    assert len(lab.effects()) == 1
    assert lab.again(third).status is Status.PENDING


def test_a_turn_whose_steps_are_saved_and_whose_next_checkpoint_is_not_goes_on(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every task has its result, nothing asks anything, and nothing is next: it looks as if it were finished."""
    saved = itertools.count(1)

    def second_time() -> None:
        if next(saved) == 2:
            raise FailpointReached("before_checkpoint_saved")

    run_id = lab.ask([STRIKE])
    monkeypatch.setattr(failpoints, "armed", {"before_checkpoint_saved": second_time})
    lab.advance(run_id)
    monkeypatch.undo()
    assert lab.sql("SELECT count(*) AS n FROM checkpoints") == [{"n": 1}]
    assert lab.sql("SELECT count(*) > 0 AS some FROM checkpoint_writes") == [{"some": True}]
    monkeypatch.setenv("FLEET_FILE", str(lab.fleet.path))
    lab.check()
    assert [a.status for a in lab.approvals(run_id)] == [Status.PENDING]
