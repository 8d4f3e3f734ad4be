"""`countersign demo --script`: one whole walk on real processes, told as it happens. Exit code 0 only if every
step came out right."""

import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from demo.house import DidNotStart
from demo.interactive import begin
from demo.services import EmbeddedUnavailable, ServerFailed
from demo.slack.messages import Message
from demo.transcript import Transcript
from demo.world import World, demo_world
from workers.agents.fleet import fleet_of

STEP_SECONDS = 40.0
QUESTION = "checkout is throwing 500s, restart it in prod"
ANSWER = "roll back"
# Of the demo's configuration: an expiry to watch, but not for a minute.
SOONER = {"timeout: 1m": "timeout: 8s"}
REASON = "wait for the database failover"


class WentWrong(Exception):
    """A step did not come out as it must."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The walk's own view of the world: what people see in one thread."""

    world: World
    out: Transcript
    root: str

    def thread(self) -> list[Message]:
        """The bot's messages in the thread."""
        return [m for m in self.world.slack.thread(self.world.people.ops, self.root) if m.bot_id]

    def card(self, words: str) -> Message | None:
        """The card whose header holds these words."""
        return next((m for m in self.thread() if words.lower() in header(m).lower()), None)

    def wait(self, what: str, found: Callable[[], Message | None]) -> Message:
        """Until somebody could see it in Slack."""
        try:
            seen = self.world.slack.wait_for(found, timeout=STEP_SECONDS)
        except TimeoutError as error:
            raise WentWrong(f"{what}: not seen within {STEP_SECONDS:.0f} s") from error
        if seen is None:
            raise WentWrong(f"{what}: not seen")
        return seen

    def closed(self, card: Message, says: str) -> Message | None:
        """The same message, once it says this."""
        return next((m for m in self.thread() if m.ts == card.ts and says in all_text(m)), None)

    def wait_card(self, words: str, says: str) -> Message:
        """Until a card says something, and carries no buttons any more."""

        def found() -> Message | None:
            card = self.card(words)
            return card if card and says in all_text(card) else None

        return self.wait(f"the card {words!r} saying {says!r}", found)


def main() -> int:
    """Play it; 0 if every step came out right, 1 if one did not, 2 where it cannot be played."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    console = Console(highlight=False, soft_wrap=False)
    try:
        began = time.monotonic()
        with demo_world(SOONER) as world:
            play(world, console)
        console.print(
            f"\n[bold green]Every step came out right[/] ({time.monotonic() - began:.0f} s). Nothing is left running."
        )
    except EmbeddedUnavailable as error:
        Console(stderr=True).print(f"countersign: {error}", markup=False)
        return 2
    except (WentWrong, DidNotStart, ServerFailed) as error:
        console.print(f"\n[bold red]It went wrong:[/] {error}", markup=True)
        return 1
    return 0


def play(world: World, console: Console) -> None:
    """The walk, chapter by chapter."""
    out = Transcript(console, names(world))
    out.chapter("A company in a box")
    out.tells("PostgreSQL and Redis run, embedded. Slack is a stand-in on this machine; the model is a script.")
    begin(world)
    out.step("bot, worker and clock are running, each a process of its own")
    walk = ask(world, out)
    approve(walk)
    edit(walk)
    reject(walk)
    answer(walk)
    stay_silent(walk)
    hear_the_end(walk)


def ask(world: World, out: Transcript) -> Walk:
    """Ana asks; three cards come from one turn."""
    people, slack = world.people, world.slack
    out.chapter("03:11, #ops")
    text = f"<@{slack.workspace.app.user_id}> {QUESTION}"
    walk = Walk(world, out, slack.say(people.ana, people.ops, text))
    out.says("ana", f"@Countersign {QUESTION}")
    for words in ("Restart checkout", "Scale checkout", "Page team database"):
        card = walk.wait(f"a card for {words!r}", lambda words=words: walk.card(words))  # type: ignore[misc]
        out.card(card.blocks)
    check(not effects(world), "nothing has run yet")
    out.step("three gated calls, three cards; read_logs was free and has run already; nothing else has")
    for note in slack.notifications(people.bo)[:3]:
        out.rings("bo", note.text)
    return walk


def approve(walk: Walk) -> None:
    """Ana may not; Bo may, and it runs at once."""
    slack, people, out = walk.world.slack, walk.world.people, walk.out
    out.chapter("One is approved")
    restart = walk.wait("the card to restart", lambda: walk.card("Restart checkout"))
    slack.click(people.ana, people.ops, restart.ts, "approve")
    told = walk.wait("an answer to Ana", lambda: last(slack.ephemerals(people.ana)))
    out.tells("Ana presses Approve on her own request.")
    out.says("countersign", f"(only to Ana) {told.text}")
    check("Not recorded" in told.text, "Ana was told why not")
    out.tells("Bo presses Approve.")
    slack.click(people.bo, people.ops, restart.ts, "approve")
    out.card(walk.wait_card("Restart checkout", "checkout restarted").blocks)
    check(done(walk.world) == ["restart_service"], "checkout was restarted once, and nothing else was done")
    out.step("approved, run once, the result is on the card; the other two still wait")


def edit(walk: Walk) -> None:
    """Cy corrects a call; what Cy wrote runs, and the card keeps both."""
    slack, people, out = walk.world.slack, walk.world.people, walk.out
    out.chapter("One is edited")
    scale = walk.wait("the card to scale", lambda: walk.card("Scale checkout"))
    slack.click(people.cy, people.ops, scale.ts, "edit")
    view = slack.wait_for(lambda: slack.view(people.cy), timeout=STEP_SECONDS)
    field = field_of((view or {}).get("blocks", []), "replicas")
    out.tells("Cy presses Edit and writes 6 into the field replicas.")
    slack.submit(people.cy, {field: "6"})
    out.card(walk.wait_card("Scale checkout", "6/6 ready").blocks)
    check(effects(walk.world)[-1]["replicas"] == 6, "checkout has six replicas, not five")
    out.step("what Cy wrote ran, by Cy's yes; the agent is told what ran instead")


def reject(walk: Walk) -> None:
    """Cy rejects, with a reason; nothing runs."""
    slack, people, out = walk.world.slack, walk.world.people, walk.out
    out.chapter("One is rejected, with a reason")
    page = walk.wait("the card to page", lambda: walk.card("Page team"))
    slack.click(people.cy, people.ops, page.ts, "reject_with_reason", option="Reject with reason…")
    walk.world.slack.wait_for(lambda: slack.view(people.cy), timeout=STEP_SECONDS)
    out.tells(f"Cy opens the card's menu, chooses “Reject with reason…” and writes: {REASON}")
    slack.submit(people.cy, {"note": REASON})
    out.card(walk.wait_card("Page team", REASON).blocks)
    check(len(effects(walk.world)) == 2, "nobody was paged")
    out.step("rejected; nothing ran")


def answer(walk: Walk) -> None:
    """The agent asks; Ana answers by a plain reply."""
    slack, people, out = walk.world.slack, walk.world.people, walk.out
    out.chapter("The agent asks")
    question = walk.wait("the question", lambda: walk.card("question"))
    out.card(question.blocks)
    slack.say(people.ana, people.ops, ANSWER, walk.root)
    out.says("ana", ANSWER)
    walk.wait("the answered card", lambda: walk.closed(question, "Answered"))
    out.step("a plain reply in the thread is the answer; it approves nothing")


def stay_silent(walk: Walk) -> None:
    """Nobody answers the last; the clock ends it."""
    out = walk.out
    out.chapter("One is answered by nobody")
    walk.wait("the card to deploy", lambda: walk.card("Deploy checkout"))
    out.tells("The agent would roll back. Its card has a few seconds left, and nobody looks at it.")
    out.card(walk.wait_card("Deploy checkout", "Expired").blocks)
    check(len(effects(walk.world)) == 2, "nothing was deployed")
    out.step("expired by the clock: no person said no, and the card says so")


def hear_the_end(walk: Walk) -> None:
    """The agent heard about each and carries on."""
    out = walk.out
    out.chapter("The agent carries on")
    ended = walk.wait(
        "the agent's answer",
        lambda: next((m for m in walk.thread() if "what came of it" in all_text(m) and not m.streaming), None),
    )
    out.card(ended.blocks)
    for words in ("checkout restarted", "Executed instead", REASON, "nobody answered"):
        check(words in all_text(ended), f"the agent was told {words!r}")
    check(done(walk.world) == ["restart_service", "scale"], "the fleet has seen two effects in all")
    out.step("the agent was told what ran, what a person changed, who refused and why, and that nobody answered")


def names(world: World) -> dict[str, str]:
    """Slack's tokens, as people read them."""
    users = {f"<@{getattr(world.people, name)}>": f"@{name}" for name in ("ana", "bo", "cy", "dee")}
    groups = {f"<!subteam^{group.id}>": f"@{group.handle}" for group in world.slack.workspace.groups.values()}
    return users | groups | {f"<@{world.slack.workspace.app.user_id}>": "@Countersign"}


def effects(world: World) -> list[dict[str, object]]:
    """What was done to the fleet, from the fleet's own file."""
    return fleet_of(world.house.environ).effects()


def done(world: World) -> list[object]:
    """Which effects there were, in order."""
    return [effect["action"] for effect in effects(world)]


def field_of(blocks: list[dict[str, Any]], name: str) -> str:
    """The block of a form in which an argument is written."""
    return next(str(b["block_id"]) for b in blocks if b["type"] == "input" and b["label"]["text"] == name)


def header(message: Message) -> str:
    """A card's header."""
    return next((str(b["text"]["text"]) for b in message.blocks if b["type"] == "header"), "")


def all_text(message: Message) -> str:
    """Every text on a message, for looking things up."""
    return message.text + repr(message.blocks)


def last(messages: list[Message]) -> Message | None:
    """The newest of some messages."""
    return messages[-1] if messages else None


def check(right: bool, what: str) -> None:
    """A fact that must hold, whatever was on the screen."""
    if not right:
        raise WentWrong(f"this does not hold: {what}")
