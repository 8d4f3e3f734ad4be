"""`/countersign ask`: the words are posted for all to see, and the post is the thread in which an agent works."""

from dataclasses import dataclass
from typing import Final

import psycopg
import structlog

from approvals.ledger.start_run import NewMessage, OtherAgents, Started, start_run
from approvals.ledger.turn_away import turn_away
from approvals.rules.may_ask import NotAskable
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door
from bot.cards.agents import belongs_to
from bot.cards.escape import escape
from bot.cards.sizes import cut_bytes
from bot.choosing import Chosen, NotChosen, askers, choose, read
from bot.desk import Desk
from bot.hearing import refusal
from bot.marks import Kind, no_row
from bot.messenger import Later, Never, Sent
from bot.patience import TooLate
from bot.spoken import Command

BEGUN: Final = "Begun. The agent works in the thread of the message that I posted here for you."
NOT_HERE: Final = "I am not in this channel, so no agent can work here. Use `/invite @countersign`, then ask again."
NOT_POSTED: Final = (
    "Slack did not take my message, so no agent was asked. Please ask again in a moment; if a message of mine with "
    "your words does appear here, nobody works on it."
)
NOT_KEPT: Final = "I could not take that down: my database does not answer. No agent was asked. Please ask again."
TOO_LATE: Final = (
    "That took longer than Slack waits. If my message with your words stands here and does not say otherwise, the "
    "agent has it; else please ask again."
)
NOBODY_ASKED: Final = "(No agent was asked: my database did not answer. Please ask again.)"
# Of the bytes that Slack takes in an edit; the rest is for the line above.
ROOT_BYTES: Final = 3_600
NO_WAY_IN: Final = frozenset({"not_in_channel", "channel_not_found"})

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NotAsked:
    """No agent was asked; `words` says why."""

    words: str


def ask(desk: Desk, command: Command, prompt: str) -> Started | NotAsked:
    """In the time that Slack gives."""
    try:
        asked = desk.patience.wait(lambda: _ask(desk, command, prompt))
    except psycopg.Error as error:
        log.warning("command.not_kept", channel_id=command.channel_id, error=type(error).__name__)
        return NotAsked(NOT_KEPT)
    return NotAsked(TOO_LATE) if isinstance(asked, TooLate) else asked


def _ask(desk: Desk, command: Command, prompt: str) -> Started | NotAsked:
    found = read(desk, prompt)
    # A command comes with the workspace that it was typed in; whose member the person is, Slack says.
    person = desk.people.towards((command.user_id, command.team_id), askers(desk, found))
    if person.standing is not Standing.MEMBER:
        turn_away(desk.db, person, command.channel_id, "", Door.SLACK_COMMAND)
        return NotAsked(refusal(person))
    chosen = choose(desk, found, person, command.channel_id)
    if isinstance(chosen, NotChosen):
        return _not_asked(desk, command, person, chosen)
    words = root_words(command.user_id, chosen)
    match desk.messenger.post(command.channel_id, None, words, mark=no_row(Kind.ASKED)):
        case Sent(ts, channel_id):
            return _begin(desk, command, chosen, channel_id or command.channel_id, ts)
        case Never(error) if error in NO_WAY_IN:
            return NotAsked(NOT_HERE)
        case Later(_, error) | Never(error):
            log.warning("command.not_posted", channel_id=command.channel_id, error=error)
            return NotAsked(NOT_POSTED)


def _not_asked(desk: Desk, command: Command, person: Person, chosen: NotChosen) -> NotAsked:
    # What a channel is called is hidden from whoever is not in it.
    if (
        chosen.asked
        and chosen.asked.because == NotAskable.CHANNEL
        and desk.messenger.is_in(command.channel_id) is False
    ):
        return NotAsked(NOT_HERE)
    if chosen.asked:
        turn_away(desk.db, person, command.channel_id, "", Door.SLACK_COMMAND, chosen.asked)
    return NotAsked(chosen.words)


def _begin(desk: Desk, command: Command, chosen: Chosen, channel_id: str, ts: str) -> Started | NotAsked:
    message = NewMessage(command.team_id, channel_id, ts, ts, command.user_id, chosen.words)
    try:
        started = start_run(desk.db, chosen.agent, message, Door.SLACK_COMMAND)
    except psycopg.Error:
        # Else people would wait in the thread of a message that nobody works on.
        words = f"{root_words(command.user_id, chosen)}\n{NOBODY_ASKED}"
        desk.messenger.update(channel_id, ts, words, ())
        raise
    if isinstance(started, OtherAgents):
        return NotAsked(belongs_to(started.run.agent, chosen.agent))
    return started


def root_words(user_id: str, chosen: Chosen) -> str:
    """What everybody in the channel reads."""
    return cut_bytes(f"<@{user_id}> asks {escape(chosen.agent)}: {escape(chosen.words)}", ROOT_BYTES)
