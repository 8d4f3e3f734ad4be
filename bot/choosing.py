"""Which agent somebody's words go to: whom they name, who is there for them in this channel, and why not. Asks Slack;
keeps nothing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from approvals.ledger.turn_away import NotThere
from approvals.rules.addressed import Addressed, Misspelt, Named, Nameless, addressed
from approvals.rules.may_ask import Askable, Pick, Spot, may_ask, pick
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import Approvers
from bot.cards.agents import ask_which, listed, misspelt, no_words, refused
from bot.desk import Desk, Who

# All that was written; with more words around it, it is a request.
LISTS: Final = re.compile(r"\s*(agents|help)\s*[?.!]*\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The agent, and the words without its name."""

    agent: str
    words: str


@dataclass(frozen=True, slots=True)
class NotChosen:
    """No agent gets it; `words` say why. `asked`: the one that is not there for them, if that is why."""

    words: str
    asked: NotThere | None = None


def read(desk: Desk, text: str) -> Addressed:
    """Whom it is for."""
    return addressed(text, [one.name for one in desk.agents])


def askers(desk: Desk, found: Addressed) -> tuple[Approvers, ...]:
    """The sets of people that it depends on whether the agent is there for somebody."""
    of = [one for one in desk.agents if not isinstance(found, Named) or one.name == found.agent]
    return tuple(dict.fromkeys(people for one in of for people in one.people or ()))


def called(desk: Desk, name: str) -> Askable:
    """An agent as the configuration has it; one that left it is there for every member, and its worker says so."""
    return next((one for one in desk.agents if one.name == name), Askable(name))


def choose(desk: Desk, found: Addressed, person: Person, channel_id: str) -> Chosen | NotChosen:
    """`person` was looked up towards `askers`, and is a member."""
    match found:
        case Named(name, words):
            agent = called(desk, name)
            because = may_ask(agent, person, spot_of(desk, [agent], channel_id))
            if because:
                return NotChosen(refused(agent, because), NotThere(name, because))
            return Chosen(name, words) if words else NotChosen(no_words(name))
        case Nameless(words):
            picked = pick(desk.agents, person, spot_of(desk, desk.agents, channel_id))
            if isinstance(picked, Pick):
                return Chosen(picked.agent.name, words)
            said = ask_which(picked.agent, picked.because, picked.able, desk.agents)
            return NotChosen(said, NotThere(picked.agent.name, picked.because))
        case Misspelt():
            able, first = there_for(desk, person, channel_id)
            return NotChosen(misspelt(found, first, able, desk.agents))
        case _:
            assert_never(found)


def there_for(desk: Desk, person: Person, channel_id: str) -> tuple[tuple[Askable, ...], str]:
    """The agents that a member may ask in this channel, and the name of the one that is asked where none is named."""
    spot = spot_of(desk, desk.agents, channel_id)
    picked = pick(desk.agents, person, spot)
    able = tuple(one for one in desk.agents if may_ask(one, person, spot) is None)
    return able, picked.agent.name if isinstance(picked, Pick) else ""


def list_agents(desk: Desk, who: Who, channel_id: str) -> str:
    """For whoever wants to know; empty where there is nothing to choose from, and for who is no member."""
    if not several(desk):
        return ""
    person = desk.people.towards((who.user_id, who.team_id), askers(desk, Nameless("")))
    if person.standing is not Standing.MEMBER:
        return ""
    able, first = there_for(desk, person, channel_id)
    return listed(able, first, desk.agents)


def several(desk: Desk) -> bool:
    """Whether it matters which agent, or who asks where."""
    return len(desk.agents) > 1 or any(one != Askable(one.name) for one in desk.agents)


def spot_of(desk: Desk, agents: Iterable[Askable], channel_id: str) -> Spot:
    """Slack is asked for the channel's name only where one of these agents depends on it."""
    return desk.channels.spot(channel_id) if any(one.by_channel_name for one in agents) else Spot(channel_id)
