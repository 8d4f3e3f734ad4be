"""Shows beside the agent's work: in order, each once, and whatever one of them does."""

import threading

from approvals.records import ApprovalId, RunId
from workers.shower import Shower


class Slow:
    """A Slack that answers when it is told to."""

    def __init__(self) -> None:
        self.go, self.begun = threading.Event(), threading.Event()
        self.shown: list[str] = []

    def card(self, approval_id: ApprovalId) -> None:
        self.begun.set()
        self.go.wait(10)
        self.shown.append(approval_id)
        if approval_id == "A-BAD":
            raise RuntimeError("Slack said something odd")

    def posts(self, run_id: RunId | None = None) -> None:
        self.shown.append(f"posts of {run_id}")

    def status_line(self, run_id: RunId) -> None:
        self.shown.append(f"line of {run_id}")


def test_nobody_waits_for_slack_and_all_is_shown_in_order_and_once() -> None:
    slack = Slow()
    shower = Shower(slack)
    shower.card(ApprovalId("A-1"))
    assert slack.begun.wait(10)
    for _ in range(3):
        shower.card(ApprovalId("A-2"))
        shower.posts(RunId("r"))
    shower.status_line(RunId("r"))
    assert slack.shown == []
    slack.go.set()
    shower.finish()
    assert slack.shown == ["A-1", "A-2", "posts of r", "line of r"]


def test_what_cannot_be_shown_stops_nothing() -> None:
    slack = Slow()
    slack.go.set()
    shower = Shower(slack)
    shower.card(ApprovalId("A-BAD"))
    shower.card(ApprovalId("A-2"))
    shower.finish()
    assert slack.shown == ["A-BAD", "A-2"]


def test_the_end_waits_for_a_bounded_time_only() -> None:
    slack = Slow()
    shower = Shower(slack)
    shower.card(ApprovalId("A-1"))
    shower.finish(0.05)
    assert slack.shown == []
    slack.go.set()
    shower.finish()
    assert slack.shown == ["A-1"]


def test_what_changes_while_it_is_shown_is_shown_again() -> None:
    slack = Slow()
    shower = Shower(slack)
    shower.card(ApprovalId("A-1"))
    assert slack.begun.wait(10)
    shower.card(ApprovalId("A-1"))
    slack.go.set()
    shower.finish()
    assert slack.shown == ["A-1", "A-1"]
