"""`countersign demo`: everything running on this machine, one address to open, until Ctrl-C."""

import errno
import os
import signal
import sys
import time
from types import FrameType
from typing import Final, NoReturn

from rich.console import Console

from demo.house import DidNotStart, House
from demo.provider import SCRIPTED, choose_model
from demo.services import EmbeddedUnavailable, ServerFailed
from demo.world import World, demo_world

ALERT: Final = (
    "*checkout: 5xx above 30 % in prod*\n38 % of its requests are answered by 500 since 02:58, from 12 of 12 pods."
)
LOOK_SECONDS: Final = 0.5
SAID_LAST: Final = 2_000


def main(*, port: int = 0, model: str | None = None) -> int:
    """0 when it was stopped, 1 if a part of it failed, 2 where it cannot run."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    console, problems = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        chosen = choose_model(os.environ, model)
        console.print("Starting PostgreSQL, Redis, a stand-in for Slack, and the four processes of Countersign …")
        with demo_world({SCRIPTED: chosen.model}, port=port) as world:
            begin(world)
            console.print(welcome(world, chosen.sentence))
            stay(world.house)
    except EmbeddedUnavailable as error:
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
        console.print("\nStopped. Nothing is left running, and nothing is kept.")
    return 0


def begin(world: World) -> None:
    """All processes, each as an operator starts it; and an alert to hand to the agent."""
    alert(world)
    world.house.release()
    world.slack.events_url = world.house.start_bot()
    world.house.start_workers(1)
    world.house.start_clock()


def alert(world: World) -> None:
    """What another tool has posted already, when the first person looks."""
    world.slack.post_as(world.people.monitor, world.people.ops, ALERT)


def welcome(world: World, about_model: str) -> str:
    """What to do now."""
    return (
        f"\n[bold]Open {world.slack.page_url}[/]\n\n"
        "You are Ana. Write in #ops, for example:\n"
        "  [bold]@countersign checkout is throwing 500s, restart it in prod[/]\n"
        "Then become Bo, who is on call, and decide. The fleet beside the conversation shows what really happened.\n\n"
        f"{about_model}\nCtrl-C stops everything."
    )


def stay(house: House) -> None:
    """Until somebody stops it, or a process ends that must not: DidNotStart with what it said last."""
    while True:
        for name in house.ended():
            raise DidNotStart(f"the {name} process ended by itself. It said last:\n{house.log(name)[-SAID_LAST:]}")
        time.sleep(LOOK_SECONDS)


def leave(number: int, _frame: FrameType | None) -> NoReturn:
    """The usual exit code of a program that a signal ended, after everything was stopped."""
    sys.exit(128 + number)
