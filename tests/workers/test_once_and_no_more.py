"""A crash between two steps, and the next worker that comes along: each thing happens once."""

from langgraph.types import Interrupt

from approvals.ledger.deliver import mark_handed, next_message
from approvals.ledger.tenure import raise_fence
from approvals.rules.words import RunStatus, Say
from tests.workers.bench import Bench
from workers.answers import Answer, answer_to
from workers.interrupts import Asked, Unshowable, read_interrupts
from workers.thread import Thread

STRIKE = ["strike", {"target": "staging"}]


def test_a_message_that_the_thread_holds_already_is_not_given_twice(bench: Bench) -> None:
    """The worker dies after the agent paused and before the message was marked as delivered."""
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    bench.sql("UPDATE messages SET delivered_at = NULL")
    bench.decide(bench.only(run_id), Say.APPROVE)
    runner.advance(run_id)
    assert len(bench.effects()) == 1
    assert len(bench.approvals(run_id)) == 1
    assert bench.run(run_id).status is RunStatus.DONE


def test_a_message_that_was_handed_but_never_arrived_is_given_again(bench: Bench) -> None:
    """The worker dies before the agent's first checkpoint."""
    run_id = bench.ask([STRIKE])
    run = raise_fence(bench.db, run_id)
    assert run is not None
    message = next_message(bench.db, run)
    assert message is not None
    mark_handed(bench.db, run, message)
    bench.runner().advance(run_id)
    assert len(bench.approvals(run_id)) == 1


def test_answering_a_question_that_is_gone_answers_no_other(bench: Bench) -> None:
    """Our own resume is strict: a second answer to an answered call must not reach the next one."""
    runner = bench.runner()
    run_id = bench.ask([STRIKE], [STRIKE])
    runner.advance(run_id)
    bench.decide(bench.only(run_id), Say.REJECT)
    first = bench.only(run_id)
    runner.advance(run_id)
    before = bench.history(runner, run_id)
    thread = Thread(runner.agents["tester"], run_id, runner.stopping)
    raised = None
    try:
        answer = answer_to([bench.again(first)])
        assert isinstance(answer, Answer)
        thread.answer(first.interrupt_id, answer)
    except Exception as error:  # noqa: BLE001 - which one is LangGraph's business; that there is one is ours
        raised = type(error).__name__
    assert raised == "UnknownInterruptError"
    assert bench.history(runner, run_id) == before


def test_interrupts_that_are_listed_twice_are_one() -> None:
    one = Interrupt(value={"question": "?"}, id="a" * 32)
    strange = Interrupt(value={"action_requests": [{"name": "x", "args": {}}], "review_configs": []}, id="b" * 32)
    assert [type(p) for p in read_interrupts([one, one, strange])] == [Asked, Unshowable]
