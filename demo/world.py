"""A whole world on one laptop: servers, a stand-in Slack with people in it, and our own processes."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from approvals.config.values import Config
from demo.fleet_panel import fleet_panel
from demo.house import House
from demo.services import postgres, redis_server
from demo.slack.page.page import Page, Person
from demo.slack.standin import StandIn
from demo.slack.workspace import Workspace
from demo.yours import found_beside, furnish, has_fleet, named_in
from workers.agents.fleet import Fleet

# What a process of ours would read from the newcomer's own environment: the demo is not about that.
NOT_OURS = ("DATABASE_URL", "REDIS_URL", "SLACK_", "COUNTERSIGN_", "PORT", "LOG_FORMAT", "FLEET_")

COLLEAGUE = "colleague, may not approve"


@dataclass(frozen=True, slots=True)
class People:
    """Ana asks; Bo and Cy are on call; Dee is a colleague who is not; Eve belongs to another company. All of them
    are in #ops, where a monitoring app writes too."""

    ana: str
    bo: str
    cy: str
    dee: str
    eve: str
    monitor: str
    ops: str


@dataclass(frozen=True, slots=True)
class World:
    """Everything, running. `fleet` is what the bundled agent acts on; `new` are those whom a configuration of one's own
    names by their ids."""

    slack: StandIn
    house: House
    people: People
    fleet: Fleet
    new: tuple[Person, ...] = ()


def settle_in(workspace: Workspace) -> People:
    """The people, their channel, and the group that is on call."""
    ana, bo = workspace.add_user("ana", real_name="Ana"), workspace.add_user("bo", real_name="Bo")
    cy, dee = workspace.add_user("cy", real_name="Cy"), workspace.add_user("dee", real_name="Dee")
    eve = workspace.add_user("eve", real_name="Eve", team_id="T0OTHERCO")
    monitor = workspace.add_app("monitoring")
    workspace.add_group("oncall-sre", [bo, cy])
    ops = workspace.add_channel("ops", [ana, bo, cy, dee, eve, monitor], is_ext_shared=True)
    return People(ana, bo, cy, dee, eve, monitor, ops)


def page_for(people: People, fleet: Fleet, dee_is: str = COLLEAGUE) -> Page:
    """Who can be played, and the fleet beside the conversation."""
    roles = {
        people.ana: "asks the agent",
        people.bo: "on call, may approve",
        people.cy: "on call, may approve",
        people.dee: dee_is,
        people.eve: "from another company",
    }
    return Page([Person(user_id, role) for user_id, role in roles.items()], lambda: fleet_panel(fleet))


def page_for_yours(config: Config, people: People, fleet: Fleet, new: list[Person]) -> Page:
    """The same people in the places of a configuration of one's own; the fleet only if an agent acts on it."""
    groups = named_in(config).groups
    role = f"in {', '.join(groups)}" if groups else COLLEAGUE
    page = page_for(people, fleet)
    played = [
        *(replace(one, role=role) if one.user_id in (people.bo, people.cy) else one for one in page.people),
        *new,
    ]
    return replace(page, people=played, panel=page.panel if has_fleet(config) else None)


def environ_for(slack: StandIn, fleet: Fleet, database_url: str, redis_url: str, config: Path) -> dict[str, str]:
    """What every process gets: what the newcomer has, less what could reach their own servers."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    return kept | {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SLACK_BOT_TOKEN": slack.installation.bot_token,
        "SLACK_SIGNING_SECRET": slack.installation.signing_secret,
        "SLACK_API_URL": slack.api_url,
        "COUNTERSIGN_CONFIG": str(config),
        "FLEET_FILE": str(fleet.path),
    }


@contextmanager
def house_with_slack(
    database_url: str,
    redis_url: str,
    config: Path,
    folder: Path,
    more: Mapping[str, str] | None = None,
    *,
    port: int = 0,
    dee_is: str = COLLEAGUE,
    yours: Config | None = None,
) -> Iterator[World]:
    """A stand-in Slack, with its page, and an empty house on servers that are there already. `yours`: a configuration
    that is not the demo's own; whom and what it names is there."""
    workspace = Workspace()
    people, fleet = settle_in(workspace), Fleet(folder / "fleet.jsonl")
    page, new, beside = page_for(people, fleet, dee_is), list[Person](), dict[str, str]()
    if yours:
        everybody = [people.ana, people.bo, people.cy, people.dee]
        new = furnish(workspace, named_in(yours), [people.bo, people.cy], everybody)
        page, beside = page_for_yours(yours, people, fleet, new), found_beside(yours, os.environ)
    with ExitStack() as stack:
        slack = stack.enter_context(StandIn(workspace, port=port, page=page))
        environ = environ_for(slack, fleet, database_url, redis_url, config) | beside | dict(more or {})
        house = stack.enter_context(House(environ, folder))
        yield World(slack, house, people, fleet, tuple(new))
        # Nothing more is delivered to a bot that is being stopped.
        slack.events_url = None


@contextmanager
def demo_world(
    changes: Mapping[str, str] | None = None,
    *,
    port: int = 0,
    dee_is: str = COLLEAGUE,
    yours: Config | None = None,
) -> Iterator[World]:
    """The demo's own: embedded servers, nothing kept afterwards. Nothing of ours is running yet. `changes` are
    texts of the demo's configuration and what stands in their place; `dee_is`: what the page calls Dee;
    `yours`: a configuration in the place of the demo's."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="countersign-")))
        database_url = stack.enter_context(postgres())
        redis_url = stack.enter_context(redis_server()).url
        config = yours.path if yours else write_config(folder, changes or {})
        yield stack.enter_context(
            house_with_slack(database_url, redis_url, config, folder, port=port, dee_is=dee_is, yours=yours)
        )


def write_config(folder: Path, changes: Mapping[str, str]) -> Path:
    """The demo's configuration, changed where the caller says so."""
    text = Path(__file__).with_name("countersign.yml").read_text(encoding="utf-8")
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"the demo's configuration does not say {old!r}")
        text = text.replace(old, new)
    config = folder / "countersign.yml"
    config.write_text(text, encoding="utf-8")
    return config
