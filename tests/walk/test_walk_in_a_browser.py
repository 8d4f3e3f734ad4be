"""The walk of the README, by people at the page: four calls and a question, decided in every way there is. After
each step: what the page shows, and what was done to the fleet according to the fleet's own file."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

from demo.world import World
from tests.walk.ages import time_is_up
from tests.walk.conftest import Sit
from tests.walk.seat import DESK, PATIENCE_MS, PHONE, Seat

QUESTION = "Agent oncall has a question"
PAGE = "Page team database"
REASON = "wait for the database failover"


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk about one service. `before`: how much was done to the fleet until then."""

    seat: Seat
    world: World
    service: str
    before: int

    @property
    def asked(self) -> str:
        return f"{self.service} is throwing 500s, restart it in prod"

    @property
    def restart(self) -> str:
        return f"prod - Restart {self.service}"

    @property
    def scale(self) -> str:
        return f"prod - Scale {self.service}"

    @property
    def deploy(self) -> str:
        return f"prod - Deploy {self.service} 4.11"

    def effects(self) -> list[dict[str, Any]]:
        """What this walk has done to the fleet, in order."""
        return self.world.fleet.effects()[self.before :]

    def done(self) -> list[str]:
        return [effect["action"] for effect in self.effects()]


@pytest.mark.parametrize(("size", "service"), [(DESK, "checkout"), (PHONE, "payments")], ids=["desk", "phone"])
def test_the_walk(world: World, sit: Sit, size: dict[str, int], service: str) -> None:
    with sit("ana", size) as seat:
        walk = Walk(seat, world, service, len(world.fleet.effects()))
        ana_asks(walk)
        bo_is_called(walk)
        bo_approves(walk)
        bo_edits(walk)
        bo_rejects(walk)
        ana_answers(walk)
        nobody_answers(walk)


def ana_asks(walk: Walk) -> None:
    """Three cards of one turn. Who asked may not approve, and is told so."""
    seat = walk.seat
    seat.write(f"@Countersign {walk.asked}")
    seat.open_thread(walk.asked)
    for headline in (walk.restart, walk.scale, PAGE):
        seat.sees(headline, "@oncall-sre may decide. Not @Ana, who asked.")
    seat.thread.get_by_text("Waiting for 3 approvals").wait_for(timeout=PATIENCE_MS)
    seat.press(walk.restart, "Approve")
    seat.agree()
    refused = seat.thread.get_by_text("Not recorded: you told this agent to do it, so somebody else must approve.")
    refused.wait_for()
    seat.thread.get_by_role("button", name="Dismiss").click()
    expect(refused).to_have_count(0)
    assert walk.done() == []


def bo_is_called(walk: Walk) -> None:
    """Bo's phone has rung, with what and where in front; a touch leads to the card."""
    seat = walk.seat
    seat.become("Bo")
    with seat.beside():
        ring = seat.lock_screen.get_by_role("button", name=f"PROD high risk: Restart {walk.service}.")
        expect(ring).to_be_visible()
        seat.picture("0-lock-screen")
    seat.picture("1-cards", seat.card(walk.restart))


def bo_approves(walk: Walk) -> None:
    seat = walk.seat
    seat.press(walk.restart, "Approve")
    seat.picture("confirm")
    seat.agree(f"prod - Restart {walk.service}?", "It runs at once and cannot be called back.")
    seat.sees(f"Done - {walk.restart}", f"{walk.service} restarted (rolling) in prod")
    with seat.beside():
        expect(seat.fleet).to_contain_text(f"prod {walk.service} restarted (rolling)")
    assert walk.done() == ["restart_service"]


def bo_edits(walk: Walk) -> None:
    """A wrong value stays in the form, with its complaint; the right one runs, and the card keeps both."""
    seat = walk.seat
    seat.press(walk.scale, "Edit")
    replicas = seat.form.get_by_label("replicas")
    replicas.fill("many")
    seat.form.get_by_role("button", name="Save and approve").click()
    expect(seat.form.get_by_role("alert")).to_have_text("Enter a number.")
    seat.picture("2-edit")
    assert walk.done() == ["restart_service"]
    replicas.fill("6")
    seat.form.get_by_role("button", name="Save and approve").click()
    seat.sees(f"Done - {walk.scale} to 6", "6/6 ready", "replicas 5 → 6")
    with seat.beside():
        expect(seat.fleet).to_contain_text("6 replicas, 4.12")
    assert walk.done() == ["restart_service", "scale"]
    assert walk.effects()[-1]["replicas"] == 6


def bo_rejects(walk: Walk) -> None:
    seat = walk.seat
    seat.choose(PAGE, "Reject with reason…")
    seat.form.get_by_label("Reason").fill(REASON)
    seat.form.get_by_role("button", name="Send").click()
    seat.sees(f"Rejected - {PAGE}", REASON, "It did not run.")
    seat.picture("3-decided", seat.card(walk.scale))
    assert walk.done() == ["restart_service", "scale"]


def ana_answers(walk: Walk) -> None:
    """A plain reply in the thread is the answer, and no more than that."""
    seat = walk.seat
    seat.become("Ana")
    seat.sees(QUESTION, f"Shall I roll {walk.service} back to 4.11, or wait for the fix?")
    seat.picture("4-question", seat.card(QUESTION))
    seat.write("roll back", "Reply in the thread")
    seat.sees("Answered - Question of agent oncall", "roll back")
    assert walk.done() == ["restart_service", "scale"]


def nobody_answers(walk: Walk) -> None:
    """One yes of two, and then the time is over: nothing runs, and nobody said no."""
    seat = walk.seat
    seat.become("Bo")
    seat.press(walk.deploy, "Approve")
    seat.agree("Yours is vote 1 of 2. Nothing runs until a second person approves.")
    seat.sees(walk.deploy, "1 of 2 approvals")
    seat.thread.get_by_text("1 more is needed").wait_for()
    seat.picture("5-one-of-two", seat.card(walk.deploy))
    time_is_up(walk.world, "deploy")
    seat.sees(f"Expired - {walk.deploy}", "It did not run.", "1 of 2 approvals")
    seat.picture("6-expired", seat.card(walk.deploy))
    told = seat.thread.get_by_role("article").filter(has_text="Here is what came of it")
    for line in (r"restart_service: done", r"scale: done", REASON, "deploy: not done.*nobody answered"):
        expect(told).to_contain_text(re.compile(line), timeout=PATIENCE_MS)
    seat.picture("7-answer", told)
    assert walk.done() == ["restart_service", "scale"]
