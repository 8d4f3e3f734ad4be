"""What we lean on in LangChain, LangGraph and RQ that they do not document, or call private. When one of
these fails after an upgrade, read what the named part of ours relies on before anything else."""

import inspect

import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph._internal import _constants as langgraph_names
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde import _msgpack
from langgraph.errors import UnknownInterruptError
from langgraph.types import Command
from rq.job import Job
from rq.worker import SimpleWorker
from rq.worker.base import BaseWorker

from approvals.rules.words import Say
from tests.workers.bench import Bench, a_policy
from workers.gate import AskedNow, CountersignGate
from workers.own_questions import RESUME, SCRATCHPAD, SEND
from workers.question import Reach

STRIKE = ["strike", {"target": "staging"}]


def test_hitl_reads_an_assigned_interrupt_on_by_get_alone(bench: Bench) -> None:
    """gate.py: the mapping enumerates nothing and answers every `get`; `[name]` and `in` would find it empty."""
    source = inspect.getsource(HumanInTheLoopMiddleware._resolve_per_call)
    assert "self.interrupt_on.get(" in source
    assert isinstance(CountersignGate(Reach(bench.db, a_policy(), lambda _: 0)).interrupt_on, AskedNow)


def test_hitl_builds_its_interrupt_value_in_a_method_that_we_extend() -> None:
    """gate.py: `_tool_approval_request` carries the provenance; without it every call would be foreign."""
    assert list(inspect.signature(HumanInTheLoopMiddleware._tool_approval_request).parameters) == [
        "self",
        "request",
        "config",
    ]


def test_strict_resume_refuses_a_question_that_is_gone(bench: Bench) -> None:
    """thread.py: without the key this answers another question, or does nothing and says so to nobody."""
    runner = bench.runner()
    run_id = bench.ask([STRIKE])
    runner.advance(run_id)
    config = {"configurable": {"thread_id": run_id, "__pregel_strict_resume": True}}
    with pytest.raises(UnknownInterruptError):
        runner.agents["tester"].invoke(Command(resume={"0" * 32: {"type": "approve"}}), config)  # type: ignore[arg-type]


def test_strict_resume_does_not_start_a_thread_that_never_was(bench: Bench) -> None:
    config = {"configurable": {"thread_id": "never", "__pregel_strict_resume": True}}
    with pytest.raises(UnknownInterruptError):
        bench.runner().agents["tester"].invoke(Command(resume={"0" * 32: {"type": "approve"}}), config)  # type: ignore[arg-type]


def test_an_interrupt_keeps_its_id_in_another_process(bench: Bench) -> None:
    """steps.py keys rows by it."""
    run_id = bench.ask([STRIKE])
    bench.runner().advance(run_id)
    approval = bench.only(run_id)
    bench.decide(approval, Say.APPROVE)
    bench.runner().advance(run_id)
    assert len(bench.approvals(run_id)) == 1
    assert len(bench.effects()) == 1


def test_langgraphs_clone_of_the_saver_stays_on_the_kept_connection(bench: Bench) -> None:
    """checkpoints.py: compile() clones the saver; a clone with its own connection would write without the lock."""
    runner = bench.runner()
    saver = runner.agents["tester"].checkpointer
    assert isinstance(saver, PostgresSaver)
    assert saver.conn is runner.kept.now
    runner.kept.drop()
    fresh = runner.kept.fresh()
    assert saver.conn is fresh


def test_strict_msgpack_is_a_constant_read_on_import() -> None:
    """checkpoints.py refuses to run without it."""
    assert _msgpack.STRICT_MSGPACK_ENABLED is True


def test_rqs_loop_asks_for_maintenance_where_no_job_is_in_hand() -> None:
    """queue.py takes the stop there: before a job is popped, and never between the pop and the run."""
    work = inspect.getsource(BaseWorker.work)
    assert work.index("self.should_run_maintenance_tasks") < work.index("self.dequeue_job_and_maintain_ttl")
    assert "except StopRequested:" in work
    dequeue = inspect.getsource(BaseWorker.dequeue_job_and_maintain_ttl)
    assert dequeue.index("self.should_run_maintenance_tasks") < dequeue.index("self.queue_class.dequeue_any")


def test_rq_runs_a_simple_workers_job_through_the_func_property() -> None:
    """queue.py's allow-list is that property."""
    assert "self.func(" in inspect.getsource(Job._execute)
    assert "fork" not in inspect.getsource(SimpleWorker.execute_job).replace("do not fork", "")


def test_langgraph_keeps_a_tasks_answers_where_the_guard_marks_them() -> None:
    """own_questions.py: `interrupt()` reads them there by their position, and asks under their number."""
    names = langgraph_names
    assert (names.CONFIG_KEY_SCRATCHPAD, names.CONFIG_KEY_SEND, names.RESUME) == (SCRATCHPAD, SEND, RESUME)
