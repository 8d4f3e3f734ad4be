"""`runs retry`: by the same rule as the button on the status line of a run that failed."""

from approvals.ledger.run_status import note_failure
from approvals.ledger.tenure import raise_fence
from approvals.records import RunId
from approvals.rules.words import Status
from approvals.wakeup import Wakeups, connect
from tests.ops.conftest import ANA, BO, Place


def fail(place: Place, run_id: RunId) -> None:
    run = raise_fence(place.db, run_id)
    assert run is not None
    note_failure(place.db, run, "the model's provider refused the key.", tries=1)


def test_who_asked_has_a_failed_run_tried_again(place: Place, redis_url: str) -> None:
    place.environ["REDIS_URL"] = redis_url
    approval = place.approval()
    fail(place, approval.run_id)
    stranger = place.cli("runs", "retry", approval.run_id, "--as", "U1DEE")
    assert (stranger.code, "only who told this agent what to do" in stranger.err) == (1, True)
    tried = place.cli("runs", "retry", approval.id, "--as", ANA)
    assert (tried.code, tried.out.startswith("Tried again")) == (0, True)
    assert ("try_again", ANA, "command line") in place.audit()
    assert place.now(approval).status is Status.PENDING
    with connect(redis_url) as redis:
        assert Wakeups(redis).queued() == {RunId(approval.run_id)}
    again = place.cli("runs", "retry", approval.run_id, "--as", BO)
    assert (again.code, "It goes on already" in again.err) == (1, True)


def test_a_run_that_is_not_there_cannot_be_tried_again(place: Place) -> None:
    tried = place.cli("runs", "retry", "A-NOSUCH", "--as", BO)
    assert (tried.code, "I know no such run" in tried.err) == (1, True)
