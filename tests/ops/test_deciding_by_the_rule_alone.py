"""`approvals decide` where no Slack is named: only whom the rule lists by id is known."""

import pytest

from approvals.records import RunId
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import Effect, Status
from approvals.wakeup import Wakeups, connect
from tests.ops.conftest import ANA, BO, CY, LISTED, Place

GROUP = (Approvers(name="oncall", usergroup="oncall-sre"),)


def queued(redis_url: str) -> set[RunId] | None:
    with connect(redis_url) as redis:
        return Wakeups(redis).queued()


def test_whom_the_rule_lists_approves_and_the_log_says_through_which_door(place: Place) -> None:
    approval = place.approval()
    ended = place.decide(approval, "approve", BO)
    assert ended.code == 0
    assert "Your approval is recorded: prod - Restart checkout." in ended.out
    assert (place.now(approval).status, place.now(approval).decided_by) == (Status.APPROVED, BO)
    assert ("approve", BO, "command line") in place.audit()


def test_a_recorded_decision_wakes_the_run(place: Place, redis_url: str) -> None:
    place.environ["REDIS_URL"] = redis_url
    approval = place.approval()
    ended = place.decide(approval, "approve", BO)
    assert "sweep" not in ended.out
    assert queued(redis_url) == {approval.run_id}


@pytest.mark.parametrize(
    ("environ", "why"),
    [({}, "REDIS_URL is not set"), ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "Redis does not answer")],
)
def test_without_redis_it_counts_and_the_sweep_goes_on(place: Place, environ: dict[str, str], why: str) -> None:
    place.environ |= environ
    ended = place.decide(place.approval(), "approve", BO)
    assert (ended.code, ended.err) == (0, "")
    assert f"The sweep wakes the run within seconds, as {why} here." in ended.out


def test_the_requester_is_refused_though_the_rule_lists_them(place: Place) -> None:
    approval = place.approval(asked_by=CY)
    ended = place.decide(approval, "approve", CY)
    assert ended.code == 1
    assert ended.one_line.startswith(
        f"countersign: Not recorded: you told this agent to do it, so somebody else must approve. {BO} can, until "
    )
    assert place.now(approval).status is Status.PENDING
    assert place.audit()[-1] == ("refused", CY, "command line")


def test_the_requester_may_reject(place: Place) -> None:
    approval = place.approval(asked_by=CY)
    assert place.decide(approval, "reject", CY, "--reason", "wait for the failover").code == 0
    assert (place.now(approval).status, place.now(approval).reason) == (Status.REJECTED, "wait for the failover")


def test_whoever_asked_approves_where_the_rule_says_requester(place: Place) -> None:
    approval = place.approval(approvers=(Approvers(name=REQUESTER),))
    assert place.decide(approval, "approve", ANA).code == 0


def test_whom_the_rule_does_not_list_is_refused_and_told_what_to_set(place: Place) -> None:
    ended = place.decide(place.approval(), "approve", "U1EVE")
    assert ended.code == 1
    assert "it is not known who U1EVE is. SLACK_BOT_TOKEN is not set" in ended.one_line


def test_nobody_is_in_a_group_that_cannot_be_read(place: Place) -> None:
    ended = place.decide(place.approval(approvers=GROUP), "approve", BO)
    assert ended.code == 1
    assert "SLACK_BOT_TOKEN is not set" in ended.one_line


def test_whom_the_rule_lists_decides_beside_a_group_that_cannot_be_read(place: Place) -> None:
    assert place.decide(place.approval(approvers=GROUP + LISTED), "approve", BO).code == 0


def test_an_empty_list_of_approvers_means_nobody(place: Place) -> None:
    assert place.decide(place.approval(approvers=()), "approve", BO).code == 1


def test_a_vote_short_of_the_quorum_is_recorded(place: Place) -> None:
    approval = place.approval(quorum=2)
    ended = place.decide(approval, "approve", BO)
    assert ended.code == 0
    assert ended.out.startswith(f"Your approval is recorded (1 of 2). {CY} was told. Until 2")
    assert place.now(approval).status is Status.PENDING
    assert place.decide(approval, "approve", CY).code == 0
    assert place.now(approval).status is Status.APPROVED


def test_the_second_decision_is_refused_and_says_who_was_first(place: Place) -> None:
    approval = place.approval()
    place.decide(approval, "approve", BO)
    ended = place.decide(approval, "reject", CY)
    assert ended.code == 1
    assert f"{BO} approved it already, " in ended.one_line
    assert " UTC" in ended.one_line


def test_an_older_revision_is_refused(place: Place) -> None:
    ended = place.decide(place.approval(), "approve", BO, "--revision", "7")
    assert ended.code == 1
    assert "it is at revision 1, attempt 1 now" in ended.one_line


def test_an_unknown_id_is_refused_with_a_sentence(place: Place) -> None:
    ended = place.cli("approvals", "decide", "A-NOTHING", "approve", "--as", BO)
    assert ended.code == 1
    assert "I have no such request on record" in ended.one_line


def test_what_happened_is_told_with_a_note_that_becomes_the_result(place: Place) -> None:
    lost = place.lost()
    assert "say it-happened, it-did-not-happen or run-again" in place.decide(lost, "approve", CY).one_line
    assert place.decide(lost, "it-happened", CY, "--note", "all pods new at 03:14").code == 0
    assert (place.now(lost).effect, place.now(lost).result) == (Effect.DONE, "all pods new at 03:14")


def test_it_did_not_happen(place: Place) -> None:
    lost = place.lost()
    assert place.decide(lost, "it-did-not-happen", CY).code == 0
    assert place.now(lost).effect is Effect.FAILED


def test_run_again_opens_the_next_attempt(place: Place) -> None:
    lost = place.lost()
    ended = place.decide(lost, "run-again", CY)
    assert "as attempt 2" in ended.out
    assert (place.now(lost).status, place.now(lost).attempt) == (Status.APPROVED, 2)


def test_as_json_it_says_what_came_of_it(place: Place) -> None:
    approval = place.approval()
    refused = place.decide(approval, "approve", "U1EVE", "--json")
    assert (refused.code, refused.err) == (1, "")
    assert refused.json | {"sentence": ""} == {
        "id": approval.id,
        "recorded": False,
        "outcome": "refused",
        "sentence": "",
        "because": "not_allowed",
        "why": "who_unknown",
        "have": None,
        "need": None,
        "status": "pending",
        "effect": "none",
        "woken": None,
    }
    recorded = place.decide(approval, "approve", BO, "--json")
    assert recorded.code == 0
    assert (recorded.json["recorded"], recorded.json["status"], recorded.json["woken"]) == (True, "approved", False)


@pytest.mark.parametrize(
    "argv",
    [
        ("A-1", "approve"),
        ("A-1", "maybe", "--as", BO),
        ("A-1", "approve", "--as", "@bo"),
        ("A-1", "approve", "--as", BO, "--revision", "0"),
        ("A-\udcff", "approve", "--as", BO),
    ],
)
def test_wrong_usage_is_exit_code_2_and_records_nothing(place: Place, argv: tuple[str, ...]) -> None:
    assert place.cli("approvals", "decide", *argv).code == 2
    assert place.audit() == []


def test_a_redis_address_that_cannot_be_one_records_nothing(place: Place) -> None:
    place.environ["REDIS_URL"] = "redis://localhost:nope/0"
    approval = place.approval()
    ended = place.decide(approval, "approve", BO)
    assert ended.code == 2
    assert "REDIS_URL" in ended.one_line
    assert place.now(approval).status is Status.PENDING


def test_a_call_that_is_too_long_for_a_card_is_decided_here(place: Place) -> None:
    approval = place.approval(args_json='{"service":"' + "x" * 10_000 + '"}')
    assert place.decide(approval, "approve", BO).code == 0


def test_a_reader_that_went_away_changes_no_exit_code(place: Place) -> None:
    approval = place.approval()
    process = place.start("approvals", "decide", approval.id, "approve", "--as", BO, "--json")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(30) == 0
