"""A worker is asked to stop in the middle of a turn; and what a turn that is over leaves behind."""

from langchain_core.messages import ToolMessage

from approvals.records import RunId
from approvals.rules.words import RunStatus
from tests.workers.bench import Bench
from workers.runner import Runner


def test_a_worker_that_is_asked_to_stop_ends_the_step_and_another_goes_on(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["look", {}]], [["look", {}]])
    ask_to_stop_at_the_first_tool(runner)
    runner.advance(run_id)
    assert bench.run(run_id).status is RunStatus.RUNNING
    assert isinstance(bench.history(runner, run_id)[-1], ToolMessage)
    other = bench.runner()
    other.advance(run_id)
    assert bench.run(run_id).status is RunStatus.DONE
    assert bench.heard(other, run_id) == "heard: looked | looked"


def ask_to_stop_at_the_first_tool(runner: Runner) -> None:
    """As SIGTERM does, in the middle of the agent's turn."""
    say = runner.teller.say

    def stop(run_id: RunId, doing: str) -> None:
        if doing.startswith("calling"):
            runner.stopping.ask()
        say(run_id, doing)

    runner.teller.say = stop  # type: ignore[method-assign]


def test_a_finished_turn_keeps_one_checkpoint(bench: Bench) -> None:
    runner = bench.runner()
    run_id = bench.ask([["look", {}]], [["look", {}]])
    runner.advance(run_id)
    with bench.db.transaction() as tx:
        row = tx.execute("SELECT count(*) AS n FROM checkpoints WHERE thread_id = %s", (run_id,)).fetchone()
    assert row == {"n": 1}
    bench.ask([["look", {}]], run=bench.run(run_id))
    runner.advance(run_id)
    assert bench.heard(runner, run_id) == "heard: looked"
