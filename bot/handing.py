"""A message is handed to an agent: which are there for whom; who does it, can we work there, then one ledger verb,
while Slack waits."""

from dataclasses import dataclass
from typing import Final

import psycopg
import structlog

from approvals.ledger.find import find_run_in
from approvals.ledger.start_run import NewMessage, OtherAgents, Started, start_run
from approvals.ledger.turn_away import NotThere, turn_away
from approvals.records import Run
from approvals.rules.addressed import Addressed, Named, Nameless
from approvals.rules.may_ask import asked_by
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door
from bot.cards.agents import belongs_to, listed, refused
from bot.choosing import Chosen, NotChosen, askers, called, choose, several, there_for
from bot.desk import Desk, Who
from bot.forms.hand_over import Choice, HandOver, prompt_of
from bot.handed import Handed
from bot.hearing import refusal
from bot.messenger import Later, Never
from bot.patience import TooLate

NOT_HERE: Final = (
    "I am not in the channel of that message, so no agent can work there. Invite me with `/invite @countersign`, then "
    "hand it over again."
)
SLACK_SILENT: Final = "Slack does not tell me whether I am in that channel. Please send it again in a moment."
NOT_KEPT: Final = "I could not take that down: my database does not answer. Please send it again in a moment."
TOO_LATE: Final = "That took longer than Slack waits. Please send it again: the agent gets it once all the same."

# The form is to be opened within Slack's three seconds too.
OFFER_SECONDS: Final = 1.2

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NotHanded:
    """No agent has it. `again`: sending the same form once more may do."""

    words: str
    again: bool


def hand_over(desk: Desk, handed: HandOver, who: Who, team_id: str, view_id: str) -> Started | NotHanded:
    """Once per form, however often it is sent."""
    try:
        done = desk.patience.wait(lambda: _hand_over(desk, handed, who, team_id, view_id))
    except psycopg.Error as error:
        log.warning("shortcut.not_kept", channel_id=handed.channel_id, error=type(error).__name__)
        return NotHanded(NOT_KEPT, again=True)
    return NotHanded(TOO_LATE, again=True) if isinstance(done, TooLate) else done


def offer(desk: Desk, handed: Handed) -> Choice | NotHanded:
    """Which agents this person may hand the message to. What cannot be found out in time is left to the moment in which
    the form is sent, and then refuses."""
    if not several(desk):
        return Choice()
    try:
        offered = desk.patience.wait(lambda: _offer(desk, handed), OFFER_SECONDS)
    except psycopg.Error as error:
        log.warning("shortcut.not_looked_up", channel_id=handed.channel_id, error=type(error).__name__)
        return _all(desk)
    return _all(desk) if isinstance(offered, TooLate) else offered


def _all(desk: Desk) -> Choice:
    names = tuple(one.name for one in desk.agents)
    return Choice(names, names[0])


def _offer(desk: Desk, handed: Handed) -> Choice | NotHanded:
    run = find_run_in(desk.db, handed.team_id, handed.channel_id, handed.thread_ts)
    if run is not None:
        return Choice((run.agent,))
    person = desk.people.towards((handed.user_id, handed.user_team_id), askers(desk, Nameless("")))
    if person.standing is not Standing.MEMBER:
        # Refused when it is sent, in words of its own; until then there is nothing for them to see.
        return Choice()
    if person.unread_groups:
        return _all(desk)
    able, first = there_for(desk, person, handed.channel_id)
    if not able:
        return NotHanded(listed(able, first, desk.agents), again=False)
    return Choice(tuple(one.name for one in able), first)


def _hand_over(desk: Desk, handed: HandOver, who: Who, team_id: str, view_id: str) -> Started | NotHanded:
    run = find_run_in(desk.db, team_id, handed.channel_id, handed.thread_ts)
    found: Addressed = Named(run.agent, ".") if run else Named(handed.agent, ".") if handed.agent else Nameless(".")
    person = desk.people.towards((who.user_id, who.team_id), askers(desk, found))
    if person.standing is not Standing.MEMBER:
        turn_away(desk.db, person, handed.channel_id, handed.thread_ts, Door.SHORTCUT)
        return NotHanded(refusal(person), again=person.standing is Standing.UNKNOWN)
    inside = desk.messenger.is_in(handed.channel_id)
    if isinstance(inside, Later | Never):
        return NotHanded(SLACK_SILENT, again=True)
    if not inside:
        return NotHanded(NOT_HERE, again=True)
    chosen = _to_its_run(desk, run, handed, person) if run else choose(desk, found, person, handed.channel_id)
    if isinstance(chosen, NotChosen):
        if chosen.asked:
            turn_away(desk.db, person, handed.channel_id, handed.thread_ts, Door.SHORTCUT, chosen.asked)
        return NotHanded(chosen.words, again=True)
    prompt = prompt_of(handed, f"<@{who.user_id}>")
    message = NewMessage(team_id, handed.channel_id, handed.thread_ts, f"form-{view_id}", who.user_id, prompt)
    started = start_run(desk.db, chosen.agent, message, Door.SHORTCUT)
    if isinstance(started, OtherAgents):
        return NotHanded(belongs_to(started.run.agent, chosen.agent), again=False)
    return started


def _to_its_run(desk: Desk, run: Run, handed: HandOver, person: Person) -> Chosen | NotChosen:
    """A thread with a run belongs to that run's agent."""
    if handed.agent and handed.agent != run.agent:
        return NotChosen(belongs_to(run.agent, handed.agent))
    agent = called(desk, run.agent)
    because = asked_by(agent, person)
    return NotChosen(refused(agent, because), NotThere(agent.name, because)) if because else Chosen(run.agent, "")
