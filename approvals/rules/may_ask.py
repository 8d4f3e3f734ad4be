"""Whether somebody may ask an agent for something, and where. Pure; who the person is, and what the channel is
called, was looked up before. What agents then do is the policy's affair, and so is who decides it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from approvals.rules.may_decide import Person, allows
from approvals.rules.places import is_direct
from approvals.rules.rule import Approvers

# In a list of channels: the conversation of one person with the app.
DIRECT: Final = "direct"


@dataclass(frozen=True, slots=True)
class Askable:
    """An agent as people see it. `channels`: ids, `#names` and `direct`; `people`: sets of them. None: everywhere, and
    every member; an empty one: nowhere, nobody."""

    name: str
    channels: tuple[str, ...] | None = None
    people: tuple[Approvers, ...] | None = None

    @property
    def by_channel_name(self) -> bool:
        """Whether one must know how a channel is called."""
        return any(one.startswith("#") for one in self.channels or ())


@dataclass(frozen=True, slots=True)
class Spot:
    """Where somebody speaks. `name` is without its #; None: Slack did not say."""

    channel_id: str
    name: str | None = ""


class NotAskable(StrEnum):
    """Why an agent is not there for somebody. What could not be read refuses, and is no no."""

    CHANNEL = "channel"
    PERSON = "person"
    CHANNEL_UNREAD = "channel_unread"
    PERSON_UNREAD = "person_unread"


UNREAD: Final = (NotAskable.CHANNEL_UNREAD, NotAskable.PERSON_UNREAD)


def may_ask(agent: Askable, person: Person, spot: Spot) -> NotAskable | None:
    """None if this member of the workspace may ask this agent here, else why not."""
    return asked_in(agent, spot) or asked_by(agent, person)


def asked_in(agent: Askable, spot: Spot) -> NotAskable | None:
    """Whether here, whoever it is."""
    if agent.channels is None or spot.channel_id in agent.channels:
        return None
    if is_direct(spot.channel_id):
        return None if DIRECT in agent.channels else NotAskable.CHANNEL
    if spot.name is None and agent.by_channel_name:
        return NotAskable.CHANNEL_UNREAD
    return None if f"#{spot.name}" in agent.channels else NotAskable.CHANNEL


def asked_by(agent: Askable, person: Person) -> NotAskable | None:
    """Whether by this member, wherever it is."""
    if agent.people is None or any(allows(one, person, asked=False) for one in agent.people):
        return None
    unread = {one.group for one in agent.people} & person.unread_groups
    return NotAskable.PERSON_UNREAD if unread else NotAskable.PERSON


@dataclass(frozen=True, slots=True)
class Pick:
    """The agent that is asked where no name was given."""

    agent: Askable


@dataclass(frozen=True, slots=True)
class NoPick:
    """There is none, or it is not clear which: `agent` could be asked but for `because`; `able` can be."""

    agent: Askable
    because: NotAskable
    able: tuple[Askable, ...]


def pick(agents: Sequence[Askable], person: Person, spot: Spot) -> Pick | NoPick:
    """The first of the configuration; where that one is not there for this person, the only other one that is. What
    could not be read decides for nobody: a failure must not hand words to another agent than else."""
    first = agents[0]
    because = may_ask(first, person, spot)
    if because is None:
        return Pick(first)
    verdicts = {one.name: may_ask(one, person, spot) for one in agents}
    able = tuple(one for one in agents if verdicts[one.name] is None)
    unread = next((one for one in agents if verdicts[one.name] in UNREAD), None)
    if unread is not None:
        return NoPick(unread, verdicts[unread.name] or because, able)
    return Pick(able[0]) if len(able) == 1 else NoPick(first, because, able)
