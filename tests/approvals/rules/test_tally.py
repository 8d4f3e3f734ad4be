"""What the votes amount to."""

from datetime import UTC, datetime

from approvals.records import Vote
from approvals.rules.tally import approvals_in

AT = datetime(2026, 8, 20, 3, 11, tzinfo=UTC)


def test_no_votes_are_no_approvals() -> None:
    assert approvals_in([]) == 0


def test_different_people_count_and_the_same_one_counts_once() -> None:
    assert approvals_in([Vote(user, "approve", None, AT) for user in ("U1", "U2", "U1")]) == 2


def test_only_a_yes_is_a_yes() -> None:
    said = ("reject", "edit", "respond", "it_happened", "it_did_not_happen", "Approve", "")
    assert approvals_in([Vote(f"U{i}", word, None, AT) for i, word in enumerate(said)]) == 0
