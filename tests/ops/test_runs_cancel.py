"""`runs cancel`: by the same rule as the button on a run's status line."""

from approvals.records import RunId
from approvals.rules.words import Status
from approvals.wakeup import Wakeups, connect
from tests.ops.conftest import ANA, BO, Place


def test_who_asked_ends_the_run_by_the_number_of_a_card(place: Place, redis_url: str) -> None:
    place.environ["REDIS_URL"] = redis_url
    approval = place.approval()
    ended = place.cli("runs", "cancel", approval.id, "--as", ANA)
    assert (ended.code, ended.out.startswith("The run ends; what has begun still reports.")) == (0, True)
    assert place.now(approval).status is Status.CANCELLED
    assert ("cancel_run", ANA, "command line") in place.audit()
    with connect(redis_url) as redis:
        assert Wakeups(redis).queued() == {RunId(approval.run_id)}


def test_who_may_decide_ends_it_too_and_a_stranger_does_not(place: Place) -> None:
    approval = place.approval()
    refused = place.cli("runs", "cancel", approval.run_id, "--as", "U1DEE")
    assert (refused.code, "only who told this agent what to do" in refused.err) == (1, True)
    assert ("refused", "U1DEE", "command line") in place.audit()
    assert place.cli("runs", "cancel", approval.run_id, "--as", BO).code == 0
    over = place.cli("runs", "cancel", approval.run_id, "--as", BO)
    assert (over.code, "has come to its end already" in over.err) == (1, True)


def test_a_run_that_is_not_there(place: Place) -> None:
    ended = place.cli("runs", "cancel", "A-NOSUCH", "--as", BO)
    assert (ended.code, "I know no such run" in ended.err) == (1, True)
