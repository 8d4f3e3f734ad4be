"""A report as people see it: in the page, at a desk and on a phone; and its chart, on a dark and a light screen.

With the variable of the pictures set, what is seen here is left in that folder: docs/pictures is made so.
"""

import os
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, expect

from approvals.rules.report import Day
from approvals.rules.rule import Approvers
from approvals.rules.transitions import UNKNOWN
from approvals.rules.words import Risk, Status
from demo.slack.page.page import Page, Person
from demo.slack.standin import StandIn
from tests.approvals.ledger.report_world import closed
from tests.fixtures.environment import PICTURES
from tests.workers.report_place import ReportPlace, report_place, rule
from workers.reports.chart import DPI, INCHES, POINTS, draw

WIDTH = round(INCHES[0] * DPI)
# As high as the report, so that one picture shows all of it.
PHONE, DESK = (360, 1560), (1280, 1320)
TEAMS = (Approvers(name="oncall", usergroup="oncall-sre"), Approvers(name="leads", users=("U1",)))


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    return Path(os.environ.get(PICTURES, tmp_path))


@pytest.fixture
def place(database_url: str, redis_url: str) -> Iterator[ReportPlace]:
    people: list[Person] = []
    page = Page(people, panel=lambda: {"title": "Fleet", "rows": [], "log": []})
    with StandIn(page=page) as slack, report_place(slack, database_url, redis_url) as made:
        people.append(Person(made.ana, "on call"))
        yield made


def a_fortnight(place: ReportPlace) -> None:
    """Nights in which nobody answers, a harmless tool, one that takes two teams, an effect that nobody knows of."""
    asking = {"rule": rule(summary="prod - Scale checkout to 12"), "tool": "scale"}
    for day in range(13):
        night = 24 * day + 9
        for number in range(1 + day % 3):
            closed_at(place, Status.EXPIRED if day % 4 else Status.APPROVED, night + number, 30, **asking)
        for number in range(4):
            closed_at(place, Status.APPROVED, 24 * day + 15 + number, 1 + number / 10, tool="get_pods", rule=rule())
        both = rule(summary="prod - Restart checkout", risk=Risk.HIGH, approvers=TEAMS)
        for number in range(day % 5):
            status = Status.REJECTED if number == 3 else Status.APPROVED
            closed_at(place, status, 24 * day + 16 + number / 4, 6 + 3 * number, tool="restart_service", rule=both)
    for number in range(5):
        closed_at(place, Status.APPROVED, 14 + number, 0.04, tool="get_pods", rule=rule())
    waiting = place.ledger.approval(rule=rule(summary="prod - Page the database team"), tool="page_team")
    place.ledger.sql("UPDATE approvals SET expires_at = now() + interval '3 hours' WHERE id = %s", waiting.id)
    lost = place.ledger.approval(UNKNOWN, rule=rule(summary="prod - Restart payments"), tool="restart_service")
    place.ledger.sql("UPDATE approvals SET effect_started_at = now() - interval '5 hours' WHERE id = %s", lost.id)


def closed_at(place: ReportPlace, status: Status, hours: float, minutes: float, **more: Any) -> None:
    closed(place.ledger, status, timedelta(hours=hours), timedelta(minutes=minutes), **more)


@pytest.mark.parametrize(("name", "size"), [("desk", DESK), ("phone", PHONE)])
def test_a_report_reads_well_in_the_page(
    place: ReportPlace, context: BrowserContext, pictures: Path, name: str, size: tuple[int, int]
) -> None:
    a_fortnight(place)
    place.ledger.sql("UPDATE approvals SET requesters = ARRAY[%s]", place.ana)
    place.due()
    assert place.steps() == 1
    tab = context.new_page()
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.goto(f"{place.slack.page_url}?as=ana")

    expect(tab.get_by_text("Worth a look")).to_be_visible()
    tab.screenshot(path=pictures / f"report-{name}.png", scale="css")
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    tab.get_by_role("button", name="2 replies").click()
    chart = tab.get_by_role("img", name="Decisions and expiries by day").last
    expect(chart).to_have_js_property("naturalWidth", WIDTH)
    shown = chart.bounding_box()
    assert shown is not None
    # As it is seen, no letter of it is smaller than 12 px.
    assert POINTS * DPI / 72 * shown["width"] / WIDTH >= 12
    chart.scroll_into_view_if_needed()
    tab.screenshot(path=pictures / f"report-{name}-thread.png", scale="css")


def test_the_chart_has_a_panel_of_its_own_and_reads_on_a_dark_and_on_a_light_screen(pictures: Path) -> None:
    days = [Day(date(2026, 10, 1) + timedelta(days=n), (n * 7) % 13, n % 4) for n in range(14)]
    (pictures / "report-chart.png").write_bytes(draw(days))
    with Image.open(pictures / "report-chart.png") as image:
        # Nothing of what is behind it shows through.
        assert set(image.convert("RGBA").getchannel("A").tobytes()) == {255}
        assert image.width == WIDTH


@pytest.mark.parametrize("count", [1, 2, 14, 31])
def test_any_number_of_days_is_drawn(count: int) -> None:
    days = [Day(date(2026, 10, 1) + timedelta(days=n), 0, 0) for n in range(count)]
    assert draw(days).startswith(b"\x89PNG")
    assert draw([Day(day.day, 1_000_000, 3) for day in days]).startswith(b"\x89PNG")
