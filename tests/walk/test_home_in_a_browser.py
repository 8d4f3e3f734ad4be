"""Silence and the Home at the page: a call is escalated, and the lead who is called decides it from the Home."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from demo.interactive import begin
from demo.world import World, demo_world
from tests.walk.ages import ten_minutes_of_silence
from tests.walk.conftest import Sit
from tests.walk.seat import DESK, PATIENCE_MS, Seat

ASKED = "search is throwing 500s, restart it in prod"
RESTART = "prod - Restart search"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """One of its own: here Dee is a lead."""
    with demo_world(dee_is="lead") as running:
        begin(running)
        yield running


def test_an_escalated_call_is_decided_from_the_home(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        seat.write(f"@Countersign {ASKED}")
        seat.open_thread(ASKED)
        seat.sees(RESTART, "@oncall-sre may decide. Not @Ana, who asked.")
        ten_minutes_of_silence(world, "restart_service", world.people.dee)
        seat.become("Dee")
        seat.sees(RESTART, "Reminded", re.compile(r"Escalated @Dee, \d"))
        expect(seat.thread.get_by_text("leads may decide too from now on.")).to_be_visible(timeout=PATIENCE_MS)
        seat.picture("8-escalated", seat.card(RESTART))
        decided_at_home(seat)


def decided_at_home(seat: Seat) -> None:
    home = seat.tab.get_by_role("navigation", name="Conversations").get_by_role("button", name="Countersign – Home")
    home.click()
    waiting = seat.tab.get_by_text("Waiting on me (1)")
    expect(waiting).to_be_visible(timeout=PATIENCE_MS)
    seat.picture("9-home")
    seat.tab.get_by_role("button", name="Approve", exact=True).first.click()
    seat.agree("It runs at once and cannot be called back.")
    expect(seat.form).to_contain_text("Your approval is recorded", timeout=PATIENCE_MS)
    seat.form.get_by_role("button", name="Close").first.click()
    expect(waiting).to_have_count(0, timeout=PATIENCE_MS)
