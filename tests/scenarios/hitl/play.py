"""What people do and see, thread by thread: Ana asks, Bo and Cy decide."""

import html
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from approvals.ledger.database import Database
from demo.slack.inputs import CannotDo
from demo.slack.messages import Message
from demo.world import World
from tests.scenarios.hitl.agents import TOLD
from workers.agents.fleet import fleet_of

T = TypeVar("T")
Call = tuple[str, dict[str, Any]]
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Play:
    """The running house, and its database for what only time or an operator could do."""

    world: World
    db: Database

    def ask(self, *turns: list[Call], says: str = "I would like to do this.") -> "Talk":
        """Ana mentions the bot; each turn is the calls that the agent makes at once."""
        return self.say(json.dumps([{"says": says, "calls": calls} for calls in turns]))

    def say(self, words: str) -> "Talk":
        """Ana mentions the bot with these words."""
        people, slack = self.world.people, self.world.slack
        done_before = len(self.done())
        root = slack.say(people.ana, people.ops, f"<@{slack.workspace.app.user_id}> {typed(words)}")
        return Talk(self, root, done_before)

    def done(self) -> list[dict[str, Any]]:
        """Every effect there ever was, by the file outside the app."""
        return fleet_of(self.world.house.environ).effects()

    def until(self, what: Callable[[], T]) -> T:
        """The first truthy answer, once people can see it."""
        try:
            return self.world.slack.wait_for(what, PATIENCE_SECONDS)
        except TimeoutError as error:
            raise AssertionError(f"{error}; the worker said:\n{self.world.house.log('workers')[-3000:]}") from error


@dataclass(frozen=True)
class Talk:
    """One thread, and what was done since it began."""

    play: Play
    root: str
    done_before: int

    def effects(self) -> list[Call]:
        """What was done since Ana asked, in order, as (tool, arguments)."""
        done = self.play.done()[self.done_before :]
        return [(e["action"], {k: v for k, v in e.items() if k not in ("at", "action")}) for e in done]

    def messages(self) -> list[Message]:
        """The bot's, oldest first."""
        return [m for m in self.play.world.slack.thread(self.play.world.people.ops, self.root) if m.bot_id]

    def card_messages(self) -> list[Message]:
        return [m for m in self.messages() if m.blocks and m.blocks[0]["type"] == "header"]

    def cards(self, count: int) -> list["Card"]:
        """Exactly so many cards, oldest first; waits for the last of them."""
        self.play.until(lambda: len(self.card_messages()) >= count)
        found = [Card(self, m.ts) for m in self.card_messages()]
        assert len(found) == count
        return found

    def card(self, header: str) -> "Card":
        """The one whose header holds these words."""
        found = self.play.until(lambda: [m for m in self.card_messages() if header in words_of(m.blocks[0])])
        assert len(found) == 1, f"{len(found)} cards say {header}"
        return Card(self, found[0].ts)

    def until_it_waits(self) -> None:
        """Once the status line says so: then the worker has done all that there was to do."""
        self.play.until(lambda: any(m.text.startswith("Waiting for") for m in self.messages()))

    def told(self) -> list[list[str]]:
        """What the agent was told, by its last words: [tool, status, words] of each call."""
        (answer,) = self.play.until(lambda: [m for m in self.messages() if TOLD in m.text])
        answered: list[list[str]] = json.loads(words_of(answer.blocks[0]).removeprefix(TOLD))
        return answered


@dataclass(frozen=True)
class Card:
    """One card, by its place in Slack: what it shows is looked up anew each time."""

    talk: Talk
    ts: str

    @property
    def play(self) -> Play:
        return self.talk.play

    def message(self) -> Message:
        found = self.play.world.slack.message(self.play.world.people.ops, self.ts)
        assert found is not None
        return found

    def text(self) -> str:
        """Everything that it shows."""
        return words_of(self.message().blocks)

    def labels(self) -> list[str]:
        """What it can be pressed for."""
        return [c.label for c in self.play.world.slack.controls(self.play.world.people.ops, self.ts)]

    def approval_id(self) -> str:
        """Whose card it is."""
        metadata = self.message().metadata
        assert metadata is not None
        return str(metadata["event_payload"]["approval_id"])

    def until(self, *words: str) -> "Card":
        """Once it says all of this."""
        self.play.until(lambda: all(word in self.text() for word in words))
        return self

    def press(self, who: str, action: str, option: str | None = None) -> None:
        delivery = self.play.world.slack.click(who, self.play.world.people.ops, self.ts, action, option=option)
        assert delivery.ok, delivery

    def approve(self) -> None:
        """Bo presses Approve."""
        self.press(self.play.world.people.bo, "approve")

    def reject(self) -> None:
        """Bo presses Reject."""
        self.press(self.play.world.people.bo, "reject")

    def reject_because(self, reason: str) -> None:
        """Cy takes the longer way, through the menu."""
        cy, slack = self.play.world.people.cy, self.play.world.slack
        self.press(cy, "reject_with_reason", "Reject with reason…")
        self.play.until(lambda: slack.view(cy))
        assert slack.submit(cy, {"note": reason}).ok

    def respond(self, words: str) -> None:
        """Bo presses Respond and writes what the agent is to be told."""
        bo, slack = self.play.world.people.bo, self.play.world.slack
        self.press(bo, "respond")
        self.play.until(lambda: slack.view(bo))
        assert slack.submit(bo, {"note": words}).ok

    def edit(self) -> "Form":
        """Bo presses Edit."""
        return self.form("edit")

    def form(self, action: str) -> "Form":
        """Bo presses what opens a form."""
        self.press(self.play.world.people.bo, action)
        self.play.until(lambda: self.play.world.slack.view(self.play.world.people.bo))
        return Form(self.play)


@dataclass(frozen=True)
class Form:
    """The form that Bo has before him; fields go by the names that he reads."""

    play: Play

    def fields(self) -> dict[str, str]:
        """The block of each field, by its label."""
        view = self.play.world.slack.view(self.play.world.people.bo)
        blocks = view["blocks"] if view else []
        return {b["label"]["text"]: b["block_id"] for b in blocks if b["type"] == "input"}

    def fill(self, **values: str) -> None:
        """Change these and send it, if Slack's client lets it go."""
        fields = self.fields()
        with suppress(CannotDo):
            assert self.play.world.slack.submit(
                self.play.world.people.bo, {fields[name]: value for name, value in values.items()}
            ).ok

    def refused(self) -> dict[str, str]:
        """What is written in red, by the field's label; nothing once the form is gone."""
        errors = self.play.world.slack.view_errors(self.play.world.people.bo)
        return {name: errors[block] for name, block in self.fields().items() if block in errors}


def typed(text: str) -> str:
    """What Slack makes of the characters that a person types."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def words_of(node: Any) -> str:
    """Every text in some blocks, as a person reads it."""
    if isinstance(node, dict):
        own = node.get("text")
        rest = [value for key, value in node.items() if key != "text" or not isinstance(own, str)]
        return "\n".join(filter(None, [html.unescape(own) if isinstance(own, str) else "", words_of(rest)]))
    if isinstance(node, list):
        return "\n".join(filter(None, map(words_of, node)))
    return ""
