"""One browser tab in which people are played, at a desk or on a phone: what they do, and what they then see."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, Locator, Page, expect

DESK: Final = {"width": 1280, "height": 860}
PHONE: Final = {"width": 360, "height": 740}
# A worker, the clock or Slack's answer may take a while where two cores have much to do.
PATIENCE_MS: Final = 30_000
STICKING_OUT: Final = """() => [...document.querySelectorAll("body *")].filter((node) => {
  const box = node.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
}).map((node) => node.className || node.tagName)"""


@dataclass(frozen=True, slots=True)
class Seat:
    """The page as somebody has it before them. `pictures`: the folder for screenshots."""

    tab: Page
    pictures: Path

    @property
    def is_phone(self) -> bool:
        return (self.tab.viewport_size or DESK)["width"] == PHONE["width"]

    @property
    def thread(self) -> Locator:
        return self.tab.get_by_role("region", name="Thread")

    @property
    def form(self) -> Locator:
        return self.tab.get_by_role("dialog")

    @property
    def lock_screen(self) -> Locator:
        return self.tab.get_by_role("region", name=re.compile("Lock screen"))

    @property
    def fleet(self) -> Locator:
        return self.tab.get_by_role("region", name="The fleet (simulated)")

    def become(self, name: str) -> None:
        """Play somebody else, where we are."""
        person = self.tab.get_by_role("group", name="You are").get_by_role("button", name=re.compile(f"^{name}"))
        person.click()
        expect(person).to_have_attribute("aria-pressed", "true")

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Look at the lock screen and the fleet, and come back: on a phone they are a screen of their own."""
        if not self.is_phone:
            yield
            return
        tabs = self.tab.get_by_role("navigation", name="Screens")
        tabs.get_by_role("button", name=re.compile("^Phone")).click()
        yield
        tabs.get_by_role("button", name="Chats").click()

    def write(self, text: str, box: str = "Message #ops") -> None:
        """Type it as a person does, and send it."""
        writing = self.tab.get_by_role("textbox", name=box)
        writing.press_sequentially(text)
        writing.press("Enter")

    def open_app(self) -> None:
        """The direct conversation with the app."""
        self.tab.get_by_role("navigation", name="Conversations").get_by_role("button", name="Countersign").first.click()
        self.tab.get_by_role("textbox", name="Message Countersign").wait_for()

    def open_thread(self, of: str) -> None:
        """The thread of the newest message with these words, once somebody has answered in it."""
        said = self.tab.get_by_role("region", name="Conversation").get_by_role("article").filter(has_text=of).last
        said.get_by_role("button", name=re.compile(r"\d+ repl")).click(timeout=PATIENCE_MS)
        expect(self.thread).to_be_visible()

    def card(self, headline: str) -> Locator:
        """The card on the screen whose headline says this."""
        heading = self.tab.get_by_role("heading", name=re.compile(re.escape(headline)))
        return self.tab.get_by_role("article").filter(has=heading)

    def sees(self, headline: str, *says: str | re.Pattern[str]) -> Locator:
        """The card, once it says all of this."""
        card = self.card(headline)
        for words in says:
            expect(card).to_contain_text(words, timeout=PATIENCE_MS)
        return card

    def press(self, headline: str, name: str) -> None:
        self.card(headline).get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)

    def choose(self, headline: str, name: str) -> None:
        """From the card's own menu."""
        self.press(headline, "More actions of this card")
        self.tab.get_by_role("menuitem", name=name).click()

    def agree(self, *says: str) -> None:
        """To the dialog that asks before a click goes out."""
        dialog = self.tab.get_by_role("alertdialog")
        for words in says:
            expect(dialog).to_contain_text(words)
        dialog.get_by_role("button", name="Approve", exact=True).click()

    def picture(self, name: str, show: Locator | None = None) -> None:
        """What is on the screen now; `show` is brought into view first. Nothing may stick out of the window."""
        if show:
            show.evaluate("node => node.scrollIntoView({block: 'start'})")
        self.tab.mouse.move(0, 0)
        self.tab.screenshot(path=self.pictures / f"{'phone' if self.is_phone else 'walk'}-{name}.png", scale="css")
        assert self.tab.evaluate(STICKING_OUT) == []


@contextmanager
def seated(context: BrowserContext, page_url: str, name: str, size: dict[str, int], pictures: Path) -> Iterator[Seat]:
    """A tab in which `name` is played. What the page itself complains of fails the test."""
    complaints: list[str] = []
    tab = context.new_page()
    tab.set_viewport_size({"width": size["width"], "height": size["height"]})
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(f"{page_url}?as={name}")
    tab.get_by_role("textbox", name="Message #ops").wait_for()
    yield Seat(tab, pictures)
    assert complaints == []
