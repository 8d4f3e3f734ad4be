"""Whoever waits is woken by somebody: what `steps.py` would do next, and what `work.py` finds in the rows, agree."""

import itertools

import pytest

from approvals.ledger.freeze import freeze
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.ledger.tenure import raise_fence
from approvals.ledger.work import has_work
from approvals.records import Approval, Run
from approvals.rules.transitions import ARROWS, DONE, FAILED, STARTED, WAITING, State
from approvals.rules.words import Door, Effect, Shape, Status
from tests.workers.bench import BO, Bench, a_rule
from workers.interrupts import Waits
from workers.steps import Close, Facts, RestWaiting, Step, next_step

# While a worker has begun the call it holds the run, and looks again by itself.
STATES = sorted({*ARROWS.values(), WAITING, DONE, FAILED} - {STARTED}, key=str)
ANSWERED = State(Status.ANSWERED, Effect.NONE)
CALL = Proposal("hitl", "tools:1", "call_1", "strike", "hash", "{}", a_rule(), "")
QUESTION = Proposal("own", "", "own.0", "interrupt", "", '{"question":"Sure?"}', a_rule(), "", shape=Shape.FREE_FORM)


def a_row(bench: Bench, run: Run, asked: Proposal, state: State) -> Approval:
    opened = open_approval(bench.db, run, asked)
    assert opened is not None
    if state != WAITING:
        bench.sql(
            "UPDATE approvals SET status = %s, effect = %s, effect_fence = %s, decided_at = now(), decided_by = %s"
            " WHERE id = %s",
            *(state.status, state.effect, None if state.effect is Effect.NONE else run.fence, BO.user_id, opened.id),
        )
    return bench.again(opened)


def step_and_work(bench: Bench, states: tuple[State, State | None], pause: str, *, frozen: bool) -> tuple[Step, bool]:
    """A run at rest of which one call is in the first state, and its own question, if it asked one, in the other."""
    run = raise_fence(bench.db, bench.ask("whatever"))
    assert run is not None
    call = a_row(bench, run, CALL, states[0])
    rows = [call, *([a_row(bench, run, QUESTION, states[1])] if states[1] else [])]
    shown = {"HITL's": CALL, "the guard's": Waits("wait", call.id), "the tool's own": QUESTION}[pause]
    bench.sql("UPDATE messages SET delivered_at = now() WHERE run_id = %s", run.id)
    bench.sql("UPDATE runs SET status = 'waiting' WHERE id = %s", run.id)
    if frozen:
        freeze(bench.db, BO, "incident", Door.COMMAND_LINE)
    opened = Facts(True, False, (shown,), tuple(rows), None, frozen=frozen, open_calls=frozenset({"tools:1"}))
    return next_step(opened), has_work(bench.db, run.id)


PAUSES: list[tuple[tuple[State, State | None], str]] = [
    *(((state, None), pause) for state in STATES for pause in ("HITL's", "the guard's")),
    *(((state, other), "the tool's own") for state, other in itertools.product(STATES, (WAITING, ANSWERED))),
]


@pytest.mark.parametrize("frozen", [False, True], ids=["", "frozen"])
@pytest.mark.parametrize(("states", "pause"), PAUSES, ids=str)
def test_whoever_waits_is_woken(bench: Bench, states: tuple[State, State | None], pause: str, frozen: bool) -> None:
    step, work = step_and_work(bench, states, pause, frozen=frozen)
    if isinstance(step, RestWaiting):
        # Else its worker would look again and again; and somebody must be there who can end the waiting.
        assert not work
        speaks = any(a.status is Status.PENDING or a.effect is Effect.UNKNOWN for a in step.approvals)
        assert speaks or frozen
    elif not work:
        # Nobody is called for it, so it must never be left at rest, the emergency stop included.
        assert comes_of_a_worker(states[0]) or isinstance(step, Close)


def comes_of_a_worker(state: State) -> bool:
    """Whether only a worker that holds the run brings it about, who does what is next before it rests."""
    return state.effect in (Effect.PAUSED, Effect.UNKNOWN) or state == WAITING
