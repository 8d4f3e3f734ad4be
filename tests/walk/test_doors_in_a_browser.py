"""The other ways to an agent, each briefly, by people at the page."""

import re

from playwright.sync_api import expect

from demo.world import World
from tests.walk.conftest import Sit
from tests.walk.seat import DESK, PATIENCE_MS


def last_effect(world: World) -> dict[str, object]:
    return {name: value for name, value in world.fleet.effects()[-1].items() if name != "at"}


def test_a_direct_message_whose_card_waits_with_those_on_call(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        seat.open_app()
        seat.write("restart search in prod", "Message Countersign")
        seat.open_thread("restart search in prod")
        mirror = seat.sees("prod - Restart search", "It is decided in")
        expect(mirror.get_by_role("button", name="Approve")).to_have_count(0)

        seat.become("Bo")
        seat.open_app()
        seat.press("prod - Restart search", "Approve")
        seat.agree()
        seat.sees("Done - prod - Restart search", "search restarted (rolling) in prod")
        seat.picture("direct-message")
        assert last_effect(world) == {
            "action": "restart_service",
            "environment": "prod",
            "service": "search",
            "mode": "rolling",
        }

        seat.become("Ana")
        seat.open_app()
        seat.open_thread("restart search in prod")
        seat.sees("Done - prod - Restart search", "search restarted (rolling) in prod")


def test_a_slash_command(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        seat.write("/countersign ask scale search to 4 in prod")
        seat.open_thread("scale search to 4 in prod")
        seat.become("Cy")
        seat.press("prod - Scale search to 4", "Approve")
        seat.sees("Done - prod - Scale search to 4", "4/4 ready")
        assert last_effect(world)["replicas"] == 4


def test_an_alert_of_another_app_is_handed_to_the_agent(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        alert = seat.tab.get_by_role("article").filter(has_text="checkout: 5xx above 30 % in prod").first
        expect(alert).to_contain_text("Monitoring")
        alert.hover()
        alert.get_by_role("button", name="More actions").click()
        seat.tab.get_by_role("menuitem", name="Hand to an agent").click()
        expect(seat.form.get_by_label("The message")).to_have_value(re.compile("For 10 minutes, 38 % of its requests"))
        seat.form.get_by_label("What shall be done with it?").fill("restart it")
        seat.picture("hand-over")
        seat.form.get_by_role("button", name="Hand over").click()
        seat.open_thread("checkout: 5xx above 30 % in prod")
        seat.thread.get_by_text("Handed over: the agent works in this thread.").wait_for(timeout=PATIENCE_MS)
        seat.become("Bo")
        seat.press("prod - Restart checkout", "Reject")
        seat.sees("Rejected - prod - Restart checkout", "It did not run.")
        seat.picture("handed-over")


def test_who_may_not_decide_is_told_so_and_nothing_runs(world: World, sit: Sit) -> None:
    with sit("ana", DESK) as seat:
        before = world.fleet.effects()
        seat.write("@Countersign scale payments to 7 in prod")
        seat.open_thread("scale payments to 7 in prod")
        for name, says in (("Dee", "the policy does not let you decide this"), ("Eve", "you belong to another one")):
            seat.become(name)
            seat.press("prod - Scale payments to 7", "Approve")
            seat.thread.get_by_text(says).wait_for(timeout=PATIENCE_MS)
        assert world.fleet.effects() == before
