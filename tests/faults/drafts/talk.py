"""What people see of an agent that speaks, and when it may go on."""

import json
from multiprocessing.context import ForkServerProcess
from typing import Any

from approvals.records import RunId
from bot.cards.says import says
from demo.slack.messages import Message
from tests.faults import bodies
from tests.faults.lab import Lab
from tests.faults.oracle import same

CONFIG = """\
agents:
  tester: {factory: "tests.workers.talking:build", model: "python:tests.workers.talking:model"}
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], timeout: 30m}
tools:
  look: {gate: never}
  delegate: {gate: never}
"""
# Words of an agent that may call something with a hidden argument are shown only when they are whole.
HIDING = f"{CONFIG}  strike: {{redact: [target]}}\n"
START, APPEND, STOP = "chat.startStream", "chat.appendStream", "chat.stopStream"
FIRST, SECOND, LAST = "The first words. ", "Then some more. ", "And [the end](https://example.com) <!channel>."
WHOLE = FIRST + SECOND + LAST
GROWING = [FIRST, {"wait": "a"}, SECOND, {"wait": "b"}, LAST]


def words_of(lab: Lab) -> list[Message]:
    """What our bot says in the thread, but for the line of what it does."""
    mine = [m for m in lab.world.slack.messages(lab.world.people.ops) if m.bot_id]
    return [m for m in mine if "message_id" not in (m.metadata or {}).get("event_payload", {})]


def shows(lab: Lab, words: str) -> Message | None:
    return next((m for m in words_of(lab) if words.strip() in json.dumps(m.blocks, ensure_ascii=False)), None)


def calls(lab: Lab, method: str) -> list[Any]:
    return lab.world.slack.journal.calls(method)


def is_said(lab: Lab, message: Message, text: str) -> bool:
    """It is what rendering the row says, and no longer a stream."""
    wanted = says("answer", text)
    return same(list(wanted.blocks), message.blocks) and message.text == wanted.text and not message.streaming


def speaking(lab: Lab, *turns: Any) -> tuple[RunId, ForkServerProcess]:
    run_id = lab.ask(*(turns or ({"say": GROWING},)))
    return run_id, lab.start(bodies.advance, run_id)


def go(lab: Lab, *names: str) -> None:
    for name in names:
        lab.let_go(name)


def end(lab: Lab, process: ForkServerProcess) -> None:
    process.join(30)
    assert process.exitcode == 0, lab.said()
    lab.check()


def line_of(lab: Lab) -> str:
    """The newest status line, as people read it."""
    messages = lab.world.slack.messages(lab.world.people.ops)
    lines = [m.text for m in messages if "message_id" in (m.metadata or {}).get("event_payload", {})]
    return lines[-1] if lines else ""
