"""The walk of the README, by people at the page: four calls and a question, decided in every way there is. After
each step: what the page shows, and what was done to the fleet according to the fleet's own file."""

import re

from demo.world import World
from tests.walk.ages import time_is_up
from tests.walk.conftest import Sit
from tests.walk.seat import DESK, PHONE, Seat

ASKED = "checkout is throwing 500s, restart it in prod"
RESTART, SCALE, PAGE = "prod - Restart checkout", "prod - Scale checkout", "Page team database"
DEPLOY = "prod - Deploy checkout 4.11"
QUESTION = "Agent oncall has a question"
REASON = "wait for the database failover"


def done(world: World) -> list[object]:
    """What was done to the fleet, in order."""
    return [effect["action"] for effect in world.fleet.effects()]


def test_the_walk_at_a_desk(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        ana_asks(seat, world)
        bo_approves(seat, world)
        bo_edits(seat, world)
        bo_rejects(seat, world)
        ana_answers(seat, world)
        nobody_answers(seat, world)


def ana_asks(seat: Seat, world: World) -> None:
    seat.write(f"@Countersign {ASKED}")
    seat.open_thread(ASKED)
    for headline in (RESTART, SCALE, PAGE):
        seat.sees(headline, "@oncall-sre may decide")
    seat.picture("walk-1-cards", seat.card(RESTART))
    assert done(world) == []


def bo_approves(seat: Seat, world: World) -> None:
    seat.become("Bo")
    seat.press(RESTART, "Approve")
    seat.agree("prod - Restart checkout?", "It runs at once and cannot be called back.")
    seat.sees(f"Done - {RESTART}", "checkout restarted (rolling) in prod")
    assert done(world) == ["restart_service"]


def bo_edits(seat: Seat, world: World) -> None:
    seat.press(SCALE, "Edit")
    replicas = seat.form.get_by_label("replicas")
    replicas.fill("many")
    seat.form.get_by_role("button", name="Save and approve").click()
    seat.form.get_by_role("alert").wait_for()
    seat.picture("walk-2-edit")
    assert done(world) == ["restart_service"]
    replicas.fill("6")
    seat.form.get_by_role("button", name="Save and approve").click()
    seat.sees("Done - prod - Scale checkout to 6", "6/6 ready")
    assert world.fleet.effects()[-1]["replicas"] == 6


def bo_rejects(seat: Seat, world: World) -> None:
    seat.choose(PAGE, "Reject with reason…")
    seat.form.get_by_label("Reason").fill(REASON)
    seat.form.get_by_role("button", name="Send").click()
    seat.sees(f"Rejected - {PAGE}", REASON)
    seat.picture("walk-3-decided", seat.card(RESTART))
    assert done(world) == ["restart_service", "scale"]


def ana_answers(seat: Seat, world: World) -> None:
    seat.become("Ana")
    seat.sees(QUESTION, "Shall I roll checkout back to 4.11, or wait for the fix?")
    seat.picture("walk-4-question", seat.card(QUESTION))
    seat.write("roll back", "Reply in the thread")
    seat.sees("Answered - Question of agent oncall", "roll back")
    assert done(world) == ["restart_service", "scale"]


def nobody_answers(seat: Seat, world: World) -> None:
    seat.become("Bo")
    seat.press(DEPLOY, "Approve")
    seat.agree("Yours is vote 1 of 2. Nothing runs until a second person approves.")
    seat.sees(DEPLOY, "1 of 2 approvals")
    time_is_up(world, "deploy")
    seat.sees(f"Expired - {DEPLOY}", "It did not run.", "1 of 2 approvals")
    seat.picture("walk-5-expired", seat.card(DEPLOY))
    seat.thread.get_by_text(re.compile("Here is what came of it")).wait_for()
    assert done(world) == ["restart_service", "scale"]
