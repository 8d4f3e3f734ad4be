"""`/countersign`: hand work to an agent from anywhere, and what else there is to know."""

from typing import Final

import structlog
from slack_bolt import Ack, App, BoltContext

from approvals.ledger.start_run import Started
from bot.asking import BEGUN, NotAsked, ask
from bot.desk import Desk
from bot.handlers.edge import SAID, never_raises
from bot.payloads import Body
from bot.spoken import Command, read_command

COMMAND: Final = "/countersign"
ASK: Final = "ask"
HELP: Final = (
    f"`{COMMAND} ask` and your words: I post them in this channel, and an agent works in the thread of that post.\n"
    "You can also mention me in a channel, write to me directly, or choose *Hand to an agent* in the menu of any "
    "message. What needs a second pair of eyes I ask for in the thread, before it runs."
)

log = structlog.get_logger()


def register(app: App, desk: Desk) -> None:
    def run(ack: Ack, body: Body, context: BoltContext) -> None:
        command = read_command(body, desk.bot_user_id)
        prompt = words_to_ask(command.text) if isinstance(command, Command) else ""
        if not isinstance(command, Command) or not prompt:
            ack(text=HELP)
            return
        asked = ask(desk, command, prompt)
        context[SAID] = asked
        ack(text=asked.words if isinstance(asked, NotAsked) else BEGUN)

    @never_raises
    def carry_on(context: BoltContext) -> None:
        asked = context.get(SAID)
        if isinstance(asked, Started):
            log.info("mention.accepted", run_id=asked.run.id, channel_id=asked.run.channel_id, way="command")
            desk.wakeups.wake(asked.run.id)

    app.command(COMMAND)(ack=run, lazy=[carry_on])


def words_to_ask(typed: str) -> str:
    """What stands behind `ask`; empty if it is no such command."""
    verb, _, words = typed.strip().partition(" ")
    return words.strip() if verb.lower() == ASK else ""
