"""A whole world on one laptop: servers, a stand-in Slack with people in it, and our own processes."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.house import House
from demo.services import postgres, redis_server
from demo.slack.standin import StandIn
from demo.slack.workspace import Workspace

# What a process of ours would read from the newcomer's own environment: the demo is not about that.
NOT_OURS = ("DATABASE_URL", "REDIS_URL", "SLACK_", "COUNTERSIGN_", "PORT", "LOG_FORMAT", "FLEET_")


@dataclass(frozen=True, slots=True)
class People:
    """Ana asks; Bo and Cy are on call; Dee is not. All are in #ops."""

    ana: str
    bo: str
    cy: str
    dee: str
    ops: str


@dataclass(frozen=True, slots=True)
class World:
    """Everything, running."""

    slack: StandIn
    house: House
    people: People


def settle_in(workspace: Workspace) -> People:
    """The people, their channel, and the group that is on call."""
    ana, bo = workspace.add_user("ana", real_name="Ana"), workspace.add_user("bo", real_name="Bo")
    cy, dee = workspace.add_user("cy", real_name="Cy"), workspace.add_user("dee", real_name="Dee")
    workspace.add_group("oncall-sre", [bo, cy])
    return People(ana, bo, cy, dee, ops=workspace.add_channel("ops", [ana, bo, cy, dee]))


def environ_for(slack: StandIn, folder: Path, database_url: str, redis_url: str, config: Path) -> dict[str, str]:
    """What every process gets: what the newcomer has, less what could reach their own servers."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    return kept | {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SLACK_BOT_TOKEN": slack.installation.bot_token,
        "SLACK_SIGNING_SECRET": slack.installation.signing_secret,
        "SLACK_API_URL": slack.api_url,
        "COUNTERSIGN_CONFIG": str(config),
        "FLEET_FILE": str(folder / "fleet.jsonl"),
    }


@contextmanager
def house_with_slack(
    database_url: str, redis_url: str, config: Path, folder: Path, more: Mapping[str, str] | None = None
) -> Iterator[World]:
    """A stand-in Slack and an empty house on servers that are there already."""
    workspace = Workspace()
    people = settle_in(workspace)
    with ExitStack() as stack:
        slack = stack.enter_context(StandIn(workspace))
        environ = environ_for(slack, folder, database_url, redis_url, config) | dict(more or {})
        house = stack.enter_context(House(environ, folder))
        yield World(slack, house, people)
        # Nothing more is delivered to a bot that is being stopped.
        slack.events_url = None


@contextmanager
def demo_world() -> Iterator[World]:
    """The demo's own: embedded servers, nothing kept afterwards. Nothing of ours is running yet."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="countersign-")))
        database_url = stack.enter_context(postgres())
        redis_url = stack.enter_context(redis_server()).url
        config = Path(__file__).with_name("countersign.yml")
        yield stack.enter_context(house_with_slack(database_url, redis_url, config, folder))
