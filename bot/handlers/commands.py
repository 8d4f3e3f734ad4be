"""`/countersign`: what waits, work for an agent, the emergency stop, the end of a run. Each is answered in words that
only the one who typed it sees."""

from typing import Final

import structlog
from slack_bolt import Ack, App, BoltContext

from approvals.ledger.end_run import Ended
from approvals.ledger.start_run import Started
from approvals.rules.words import Door
from bot.asking import BEGUN, NotAsked, ask
from bot.cards.escape import escape_to
from bot.cards.more_answers import cancel_answer
from bot.choosing import several
from bot.desk import Desk, Who
from bot.ending import NOT_KNOWN, end, see_to_ended
from bot.handlers.edge import SAID, never_raises
from bot.listing import agents_for, list_for
from bot.payloads import Body
from bot.spoken import Command, read_command
from bot.stopping import go_on, stop

COMMAND: Final = "/countersign"
HELP: Final = (
    f"`{COMMAND}`: what waits for you, for your teams, and of what you asked for; my Home has it too, with buttons.\n"
    f"`{COMMAND} ask` and your words: I post them in this channel, and an agent works in the thread of that post.\n"
    f"`{COMMAND} agents`: which agents you can ask here, and how to ask a certain one.\n"
    f"`{COMMAND} cancel` and a number such as A-9Q2M7F3K: that run ends.\n"
    f"`{COMMAND} freeze` and why: no gated call of any run starts, until `{COMMAND} unfreeze`.\n"
    "You can also mention me in a channel, write to me directly, or choose *Hand to an agent* in the menu of any "
    "message. What needs a second pair of eyes I ask for in the thread, before it runs."
)
NO_WORDS: Final = "Write what to do after `ask`."
VERB_ROOM: Final = 40
NOTHING_NAMED: Final = f"Name the run by the number on one of its cards: `{COMMAND} cancel A-9Q2M7F3K`."

log = structlog.get_logger()


def register(app: App, desk: Desk) -> None:
    def run(ack: Ack, body: Body, context: BoltContext) -> None:
        command = read_command(body, desk.bot_user_id)
        ack(text=answer(desk, command, context) if isinstance(command, Command) else HELP)

    @never_raises
    def carry_on(context: BoltContext) -> None:
        done = context.get(SAID)
        if isinstance(done, Started):
            log.info("mention.accepted", run_id=done.run.id, channel_id=done.run.channel_id, way="command")
            desk.wakeups.wake(done.run.id)
        elif isinstance(done, Ended):
            see_to_ended(desk, done)

    app.command(COMMAND)(ack=run, lazy=[carry_on])


def answer(desk: Desk, command: Command, context: BoltContext) -> str:
    """What it came to; what is left to do is in the context."""
    verb, _, rest = command.text.strip().partition(" ")
    words, who = rest.strip(), Who(command.user_id, command.team_id)
    match verb.lower():
        case "" | "list":
            return list_for(desk, who)
        case "help":
            return f"{HELP}\n{agents_for(desk, who, command.channel_id)}" if several(desk) else HELP
        case "agents":
            return agents_for(desk, who, command.channel_id)
        case "ask" if words:
            context[SAID] = asked = ask(desk, command, words)
            return asked.words if isinstance(asked, NotAsked) else BEGUN
        case "freeze":
            return stop(desk, who, words or None)
        case "unfreeze":
            return go_on(desk, who)
        case "cancel" if words:
            context[SAID] = ended = end(desk, words, who, Door.SLACK_COMMAND)
            return cancel_answer(ended) if ended else NOT_KNOWN
        case "cancel":
            return NOTHING_NAMED
        case "ask":
            return f"{NO_WORDS}\n{HELP}"
        case _:
            return f"I do not know `{escape_to(verb, VERB_ROOM)}`.\n{HELP}"
