"""Which agents there are, how they are called, and why one is not there: for the one who asked, and no other. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from approvals.rules.addressed import Misspelt
from approvals.rules.may_ask import DIRECT, Askable, NotAskable
from approvals.rules.rule import Approvers
from bot.cards.escape import escape_to
from bot.cards.words import NAME, place, several, who

EXAMPLE: Final = "why is it slow?"
NONE_HERE: Final = "No agent is there for you here."
HOW: Final = "Write its name and a colon before your words:"


def listed(able: Sequence[Askable], first: str, every: Sequence[Askable]) -> str:
    """Those that are there for somebody, and how to call them; where none is, where the others are. `first` is who is
    asked where no name is given; empty if that is nobody."""
    if not able:
        return "\n".join([NONE_HERE, *(f"• {_name(one)}: {terms(one)}" for one in every)])
    lines = [f"• {_name(one)}{' (asked where you give no name)' if one.name == first else ''}" for one in able]
    return "\n".join(["Agents that you can ask here:", *lines, f"{HOW} {_call(able[-1])}"])


def refused(agent: Askable, because: NotAskable) -> str:
    """Why an agent is not there for somebody: who may ask it, and where."""
    match because:
        case NotAskable.CHANNEL:
            return f"Not taken: {_name(agent)} cannot be asked here. {_can(agent)}"
        case NotAskable.PERSON:
            return f"Not taken: you are not one of those who may ask {_name(agent)}. {_can(agent)}"
        case NotAskable.CHANNEL_UNREAD:
            return (
                f"Not taken: {_name(agent)} can be asked in some channels only, and Slack does not tell me what this "
                "one is called. Please write it again in a moment."
            )
        case NotAskable.PERSON_UNREAD:
            return (
                f"Not taken: only some people may ask {_name(agent)}, and I could not find out whether you are one of "
                "them: Slack or a look-up did not answer. Please write it again in a moment."
            )
        case _:
            assert_never(because)


def ask_which(agent: Askable, because: NotAskable, able: Sequence[Askable], every: Sequence[Askable]) -> str:
    """No name was given, and it is not clear who was meant."""
    return f"{refused(agent, because)}\n{listed(able, '', every)}" if able else refused(agent, because)


def misspelt(found: Misspelt, first: str, able: Sequence[Askable], every: Sequence[Askable]) -> str:
    """A name that none has, and one that looks like it."""
    typed = escape_to(found.typed, NAME)
    meant = f'Not taken: no agent is called "{typed}". {_meant(found.close, able, every)}'.rstrip()
    else_ = (
        f" If these are words for {escape_to(first, NAME)}, begin with `{escape_to(first, NAME)}:`." if first else ""
    )
    return f"{meant}{else_}\n{listed(able, first, every)}"


def _meant(close: str, able: Sequence[Askable], every: Sequence[Askable]) -> str:
    """The one that looks like it, where they may ask it; else where and by whom it is asked."""
    if any(one.name == close for one in able):
        return f"Did you mean {escape_to(close, NAME)}?"
    return "".join(f"{_name(one)} is not there for you here. {_can(one)}" for one in every if one.name == close)


def no_words(agent: str) -> str:
    """It was called, and nothing was asked of it."""
    return f"Write in the same message what {escape_to(agent, NAME)} shall do: `{escape_to(agent, NAME)}: {EXAMPLE}`"


def belongs_to(owner: str, named: str) -> str:
    """Another agent was called in the thread of a run."""
    return (
        f"Not taken: this thread belongs to {escape_to(owner, NAME)}; write to me outside of it to ask "
        f"{escape_to(named, NAME)}."
    )


def terms(agent: Askable) -> str:
    """`in #db and in direct messages, by @dba`."""
    where, people = _where(agent.channels), _people(agent.people)
    return f"{where}, by {people}" if people else f"{where}, by every member"


def _can(agent: Askable) -> str:
    if agent.channels == () or agent.people == ():
        return "By the configuration nobody can ask it."
    by = f" by {_people(agent.people)}" if agent.people is not None else ""
    return f"It can be asked {_where(agent.channels)}{by}."


def _where(channels: Iterable[str] | None) -> str:
    if channels is None:
        return "everywhere"
    named = [("in direct messages" if one == DIRECT else f"in {_place(one)}") for one in channels]
    return several(named) if named else "nowhere"


def _place(channel: str) -> str:
    return escape_to(channel, NAME) if channel.startswith("#") else place(channel)


def _people(people: Iterable[Approvers] | None) -> str:
    """Nobody's phone rings: it is read by one person only."""
    if people is None:
        return ""
    named: list[str] = []
    for one in people:
        named += map(who, one.users)
        named += [f"@{escape_to(one.usergroup.removeprefix('@'), NAME)}"] if one.usergroup else []
        named += [f"whoever is on call ({escape_to(one.name, NAME)})"] if one.lookup else []
    return several(named) if named else "nobody"


def _name(agent: Askable) -> str:
    return escape_to(agent.name, NAME)


def _call(agent: Askable) -> str:
    return f"`{_name(agent)}: {EXAMPLE}`"
