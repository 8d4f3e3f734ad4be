"""A configuration of one's own in the demo's world: whom and which places it names, and who plays them there."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.markup import escape

from approvals.config.values import AgentConfig, Config
from approvals.rules.may_ask import DIRECT
from approvals.rules.rule import Approvers, Rule
from demo.slack.page.page import Person
from demo.slack.workspace import Workspace

OPS: Final = "#ops"
BUNDLED: Final = "workers.agents.oncall:build"
BY_HAND: Final = "python:demo.by_hand:model"
# Whoever is named by an id is somebody new; from the seventh on they have a number.
NEW_NAMES: Final = ("fay", "gus", "hal", "ida", "jon", "kim")


@dataclass(frozen=True, slots=True)
class Named:
    """Whom a configuration names, and which places: groups by handle or id, and each id of a person with the sets of
    approvers that list it."""

    groups: tuple[str, ...]
    users: Mapping[str, tuple[str, ...]]
    channels: tuple[str, ...]


def named_in(config: Config) -> Named:
    """Everybody who may ask, decide, be called or freeze, and every channel that something goes to. Pure."""
    rules = [config.policy.defaults, *(entry.rule for entry in config.policy.tools)]
    asking = [one for agent in config.agents.values() for one in agent.people or ()]
    called = [one for rule in rules for one in called_by(rule)]
    sets = {one.name: one for one in [*config.freezers, *called, *asking]}
    ids = [user for one in sets.values() for user in one.users]
    places = [*(place for rule in rules for place in places_of(rule)), *(one.channel for one in config.reports)]
    places += [place for agent in config.agents.values() for place in agent.channels or () if place != DIRECT]
    return Named(
        groups=tuple(dict.fromkeys(one.usergroup for one in sets.values() if one.usergroup)),
        users={user: tuple(name for name, one in sets.items() if user in one.users) for user in ids},
        channels=tuple(dict.fromkeys(places)),
    )


def called_by(rule: Rule) -> Iterable[Approvers]:
    return [*rule.approvers, *(one for step in rule.escalate for one in step.to)]


def places_of(rule: Rule) -> Iterable[str]:
    return [place for place in (rule.route, *(step.channel for step in rule.escalate)) if place]


def furnish(workspace: Workspace, named: Named, on_call: list[str], everybody: list[str]) -> list[Person]:
    """Make all of it be there; whoever is new. `on_call` are in every group, and all are in every channel."""
    for group in named.groups:
        handle, group_id = spelled(group, "S")
        if handle not in {one.handle for one in workspace.groups.values()}:
            workspace.add_group(handle, on_call, id=group_id)
    new = [newcomer(workspace, number, user, sets) for number, (user, sets) in enumerate(named.users.items())]
    inside = [*everybody, *(person.user_id for person in new)]
    for channel in named.channels:
        name, channel_id = spelled(channel.removeprefix("#"), "CG")
        if name not in {one.name for one in workspace.channels.values()}:
            workspace.add_channel(name, inside, id=channel_id)
    return new


def newcomer(workspace: Workspace, number: int, user_id: str, sets: tuple[str, ...]) -> Person:
    name = NEW_NAMES[number] if number < len(NEW_NAMES) else f"person{number + 1}"
    workspace.add_user(name, id=user_id)
    return Person(user_id, f"{user_id}, in {', '.join(sets)}")


def spelled(name: str, prefixes: str) -> tuple[str, str | None]:
    """A name, and the id if that is what was written: then its name is made of it."""
    is_id = name[0] in prefixes and name.isupper()
    return (name.lower(), name) if is_id else (name, None)


def has_fleet(config: Config) -> bool:
    """Whether some agent acts on the simulated fleet."""
    return any(agent.factory == BUNDLED for agent in config.agents.values())


def found_beside(config: Config, environ: Mapping[str, str]) -> dict[str, str]:
    """What lets our processes import what stands beside the file."""
    folders = [str(config.path.parent), *filter(None, [environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(folders)}


def welcome_to(config: Config, page_url: str, new: list[tuple[str, str]], down: Sequence[str] = ()) -> str:
    """What to do now. `new`: the names of those who play somebody, and whom. `down`: what is wrong with MCP servers."""
    named, several = named_in(config), len(config.agents) > 1
    lines = [f"Bo and Cy are in {' and in '.join(named.groups)}."] if named.groups else []
    lines += [f"{name} is {role}." for name, role in new]
    agents = [line for agent in config.agents.values() for line in about(agent, several=several)]
    return "\n".join(
        [
            f"\n[bold]Open {page_url}[/]\n",
            *agents,
            *(f"[bold]!![/] {escape(line)}" for line in down),
            f"You are Ana. When you have asked, become somebody who may decide. {' '.join(lines)}\n",
            "Ctrl-C stops everything. Start it again after a change.",
        ]
    )


def about(agent: AgentConfig, *, several: bool) -> list[str]:
    """One agent, and what to write to it. A script has to be told the call, and lists its tools to whoever asks."""
    name = f"{agent.name}: " if several else ""
    lines = [f"Your agent {agent.name} is running ({escape(agent.model)}). {who_asks(agent)}Write {where(agent)}:"]
    if agent.model != BY_HAND:
        return [*lines, f"  [bold]@Countersign {name}[/]and what the agent shall do"]
    return [
        *lines,
        f"  [bold]@Countersign {name}which tools?[/]  and it lists them; then, as its model is a script, a call:",
        f"  [bold]@Countersign {name}TOOL name=value[/]",
    ]


def who_asks(agent: AgentConfig) -> str:
    """Empty where everybody may ask it."""
    if agent.people is None:
        return ""
    return f"It answers {' and '.join(one.name for one in agent.people) or 'nobody'}: become one of them. "


def where(agent: AgentConfig) -> str:
    """Where it may be asked; in #ops if that is not said."""
    if agent.channels is None or not agent.channels:
        return f"in {OPS}"
    named = ["to Countersign directly" if one == DIRECT else f"in {one}" for one in agent.channels]
    return " or ".join(named)


def absolute(path: Path) -> Path:
    """As the processes are told: they may be started elsewhere."""
    return path.expanduser().resolve()
