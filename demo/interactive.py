"""`countersign demo`: everything running on this machine, one address to open, until Ctrl-C."""

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from rich.console import Console

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.config.values import Config
from demo.house import DidNotStart, House, WrongStart
from demo.provider import SCRIPTED, choose_model
from demo.services import EmbeddedUnavailable, ServerFailed
from demo.world import World, demo_world
from demo.yours import absolute, welcome_to

ALERT: Final = (
    "*checkout: 5xx above 30 % in prod*\n"
    "For 10 minutes, 38 % of its requests have been answered by 500, from 12 of 12 pods."
)
Down = Callable[[Path], Sequence[str]]
LOOK_SECONDS: Final = 0.5
SAID_LAST: Final = 2_000
ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def nothing_down(_: Path) -> Sequence[str]:
    """Of whoever does not look."""
    return ()


def main(*, port: int = 0, model: str | None = None, config: Path | None = None, down: Down = nothing_down) -> int:
    """0 when it was stopped, 1 if a part of it failed, 2 where it cannot run. `config`: a configuration file of one's
    own in the place of the demo's. `down` says of one which of its MCP servers are not there."""
    for number in ENDINGS:
        signal.signal(number, leave)
    console, problems = Console(highlight=False, soft_wrap=True), Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        yours = load_config(absolute(config)) if config else None
        chosen = choose_model(os.environ, model)
        console.print("Starting PostgreSQL, Redis, a stand-in for Slack, and the processes of Countersign …")
        with demo_world({SCRIPTED: chosen.model}, port=port, yours=yours) as world:
            begin(world, with_alert=yours is None)
            console.print(
                welcome_to_yours(world, yours, down(yours.path)) if yours else welcome(world, chosen.sentence)
            )
            stay(world.house, console)
    except (EmbeddedUnavailable, ConfigError, WrongStart) as error:
        problems.print(f"countersign: {error}", markup=False)
        return 2
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        problems.print(f"countersign: port {port} is in use; choose another with --port, or none.", markup=False)
        return 2
    except (DidNotStart, ServerFailed) as error:
        problems.print(f"countersign: {error}", markup=False)
        return 1
    except KeyboardInterrupt:
        console.print("Stopped. Nothing is left running, and nothing is kept.")
    return 0


def begin(world: World, *, with_alert: bool = True) -> None:
    """All processes, each as an operator starts it; then an alert to hand to the agent of the demo."""
    world.house.release()
    world.slack.events_url = world.house.start_bot()
    world.house.start_workers(1)
    world.house.start_clock()
    if with_alert:
        alert(world)


def alert(world: World) -> None:
    """What another tool has posted when the first person looks."""
    world.slack.post_as(world.people.monitor, world.people.ops, ALERT)


def welcome(world: World, about_model: str) -> str:
    """What to do now."""
    return (
        f"\n[bold]Open {world.slack.page_url}[/]\n\n"
        "You are Ana. Write in #ops, for example:\n"
        "  [bold]@Countersign checkout is throwing 500s, restart it in prod[/]\n"
        "Then become Bo, who is on call, and decide. The simulated fleet beside the conversation shows what really "
        "happened.\n\n"
        f"{about_model}\nCtrl-C stops everything."
    )


def welcome_to_yours(world: World, config: Config, down: Sequence[str]) -> str:
    """The same for an agent of one's own."""
    users = world.slack.workspace.users
    return welcome_to(
        config, world.slack.page_url, [(users[one.user_id].real_name, one.role) for one in world.new], down
    )


def stay(house: House, console: Console) -> None:
    """Until somebody stops it, or a process ends that must not: DidNotStart with what it said last."""
    try:
        while not (ended := house.ended()):
            time.sleep(LOOK_SECONDS)
    except KeyboardInterrupt:
        console.print("\nStopping …")
        raise
    name, code = ended[0]
    said = house.log(name)[-SAID_LAST:].strip()
    raise DidNotStart(f"the {name} process ended by itself ({ending(code)}). It said last:\n{said}")


def ending(code: int) -> str:
    """How a process ended, from its exit code as subprocess gives it."""
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End, with the usual exit code of a program that a signal ended. Everything is stopped on the way, which takes
    a moment; whoever presses Ctrl-C again meanwhile must not interrupt just that."""
    for one in ENDINGS:
        signal.signal(one, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)
