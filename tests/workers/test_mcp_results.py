"""What an MCP server answers, for the model and for people."""

import pytest
from langchain_core.messages import ToolMessage

from approvals.rules.words import Effect, Gate, Say
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.mcp_worker import worker
from tests.workers.mcp_world import DID_WEB, WEB, Place


def test_what_the_server_says_of_its_failure_is_told_and_on_record(bench: Bench, place: Place) -> None:
    place.tell(on_call="error")
    with worker(bench, place) as ours:
        approval = ours.asked([WEB])
        bench.decide(approval, Say.APPROVE)
        failed = ours.go_on(approval)
        assert (failed.effect, failed.result) == (Effect.FAILED, "no such deployment: web")
        assert ours.heard(approval.run_id) == "heard: no such deployment: web"


def test_a_free_call_that_fails_is_an_answer_and_no_error_of_the_run(bench: Bench, stdio: Place) -> None:
    stdio.tell(on_call="error")
    with worker(bench, stdio, policy=a_policy(**{"k8s.*": a_rule(Gate.NEVER)})) as ours:
        run_id = ours.ask([WEB])
        assert ours.heard(run_id) == "heard: no such deployment: web"
        assert stdio.did() == [DID_WEB]


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        ("image", "A picture:\n(image, image/png, 2 bytes)"),
        ("sound", "(a sound, audio/wav, which is not passed on)"),
        ("structured", '{"replicas": 5}'),
    ],
)
def test_what_is_not_text_ends_as_text_for_people(bench: Bench, stdio: Place, how: str, shown: str) -> None:
    stdio.tell(on_call=how)
    with worker(bench, stdio) as ours:
        approval = ours.asked([WEB])
        bench.decide(approval, Say.APPROVE)
        done = ours.go_on(approval)
        assert (done.effect, done.result) == (Effect.DONE, shown)
        told = next(m for m in bench.history(ours.runner, approval.run_id) if isinstance(m, ToolMessage))
        assert told.status == "success"
        assert (told.name, [block["type"] for block in told.content_blocks][-1]) == (
            "k8s__scale",
            "image" if how == "image" else "text",
        )
