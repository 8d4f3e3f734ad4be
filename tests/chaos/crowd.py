"""People who go on working while everything breaks: they ask again where nobody answered, and click again where
the click failed."""

import json
import random
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg

from demo.slack.inputs import CannotDo
from demo.slack.messages import Message
from tests.chaos.town import Town

CALLS_PER_RUN = 5
CLICKS_AT_ONCE = 8
DECIDING = ("approve", "reject", "run_again")
# Of a hundred waiting approvals, so many are left to the clock.
LEFT_TO_EXPIRE = 3


class Crowd:
    """Ana asks; Bo and Cy decide."""

    def __init__(self, town: Town, approvals: int) -> None:
        self.town, self.slack, self.people = town, town.lab.world.slack, town.lab.world.people
        self.wanted, self.asked = approvals, 0
        # What was asked for under which ts, so that it can be asked for again where nobody took it.
        self.mentions: dict[str, str] = {}
        self.pool = ThreadPoolExecutor(CLICKS_AT_ONCE)
        self.bot = self.slack.workspace.app.user_id

    def ask(self) -> None:
        """One more mention, with a few calls that nobody else makes."""
        if self.asked >= self.wanted:
            return
        calls = [["strike", {"target": f"t{self.asked + n}"}] for n in range(min(CALLS_PER_RUN, self.left()))]
        self.asked += len(calls)
        self.say(f"<@{self.bot}> {json.dumps([calls])}")

    def say(self, words: str) -> None:
        self.mentions[self.slack.say(self.people.ana, self.people.ops, words)] = words

    def ask_again(self) -> None:
        """Slack brings a mention four times, and then gives up; whoever got no answer writes it once more."""
        if self.slack.courier.busy():
            return
        taken = {row["ts"] for row in self.town.lab.sql("SELECT ts FROM messages")}
        for ts in self.mentions.keys() - taken:
            self.say(self.mentions.pop(ts))
            self.town.seen["mentions written again"] += 1

    def left(self) -> int:
        return self.wanted - self.asked

    def click_around(self) -> None:
        """Click on some of the cards that have buttons now."""
        list(self.pool.map(self.click, self.some(self.open_cards())))

    def open_cards(self) -> list[tuple[Message, str]]:
        """Cards with a button that decides at once, and one such button."""
        found = []
        for message in self.slack.messages(self.people.ops):
            if message.metadata:
                offered = [c.action_id for c in self.slack.controls(message.channel_id, message.ts)]
                if able := [one for one in offered if one in DECIDING]:
                    found.append((message, random.choice(able)))
        return found

    def some(self, cards: Iterable[tuple[Message, str]]) -> list[tuple[Message, str]]:
        cards = list(cards)
        return random.sample(cards, min(len(cards), CLICKS_AT_ONCE * 4))

    def click(self, what: tuple[Message, str]) -> None:
        message, button = what
        seen = self.town.seen
        try:
            delivery = self.slack.click(
                random.choice((self.people.bo, self.people.cy)), message.channel_id, message.ts, button
            )
        except CannotDo:
            # Somebody was quicker.
            return
        seen["clicks"] += 1
        seen["clicks acknowledged" if delivery.ok else "clicks that failed"] += 1
        if delivery.ok and delivery.ms > 3000:
            seen["acks later than 3 s"] += 1

    def let_some_expire(self) -> None:
        """Time passes quickly for some."""
        try:
            sql = "UPDATE approvals SET expires_at = now() WHERE status = 'pending' AND random() * 100 < %s"
            self.town.lab.sql(sql, LEFT_TO_EXPIRE)
        except psycopg.Error:
            time.sleep(0.1)

    def state(self) -> dict[str, Any]:
        """How many approvals there are, and how many still wait."""
        try:
            (row,) = self.town.lab.sql(
                "SELECT count(*) AS opened, count(*) FILTER (WHERE status = 'pending' OR effect = 'unknown'"
                " OR applied_at IS NULL) AS waiting FROM approvals"
            )
        except psycopg.Error:
            return {"opened": 0, "waiting": self.wanted}
        return row
