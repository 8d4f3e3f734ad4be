"""Tools that make use of what Countersign offers to whoever writes one: a secret, a fingerprint, a time limit."""

from threading import Event
from typing import Any

from langchain_core.tools import BaseTool, tool
from langgraph.types import interrupt
from pydantic import SecretStr

from tests.workers.agents import made
from workers.agents.fleet import Fleet

# What the world looks like, in this process.
WORLD: dict[str, Any] = {}
# A tool waits for it, and a test sets it.
GO_ON = Event()


def secretive(fleet: Fleet) -> list[BaseTool]:
    @tool
    def login(user: str, password: SecretStr) -> str:
        """Log in."""
        fleet.act("login", user=user, password=password.get_secret_value())
        return f"logged in with {password.get_secret_value()}"

    return [login]


def version_of(**args: Any) -> object:
    found = WORLD[args["target"]]
    if isinstance(found, Exception):
        raise found
    return found


def fingerprinted(fleet: Fleet) -> list[BaseTool]:
    @tool(extras={"fingerprint": version_of})
    def strike(target: str, times: int = 1) -> str:
        """An effect."""
        fleet.act("strike", target=target, times=times)
        return f"struck {target} x{times}"

    return [strike]


def without_fingerprint(fleet: Fleet) -> list[BaseTool]:
    (strike,) = fingerprinted(fleet)
    strike.extras = None
    return [strike]


def changing_the_world(fleet: Fleet) -> list[BaseTool]:
    @tool(extras={"fingerprint": version_of})
    def strike(target: str) -> str:
        """An effect that stops in the middle, when the world is another one already."""
        WORLD[target] = "changed by the call itself"
        answer = interrupt({"question": "Go on?"})
        fleet.act("strike", target=target)
        return f"struck {target}: {answer}"

    return [strike]


def slow_tools(fleet: Fleet, limit: Any = 0.05) -> list[BaseTool]:
    @tool(extras={"time_limit": limit})
    def strike(target: str) -> str:
        """An effect that comes late."""
        if target == "slow":
            GO_ON.wait(60)
        fleet.act("strike", target=target)
        return f"struck {target}"

    return [strike]


def with_time(fleet: Fleet) -> list[BaseTool]:
    @tool(extras={"time_limit": 60})
    def strike(target: str) -> str:
        """An effect that asks in the middle."""
        answer = interrupt({"question": f"Strike {target}?"})
        fleet.act("strike", target=target)
        return f"struck {target}: {answer}"

    return [strike]


with_secret = made(secretive)
with_fingerprint = made(fingerprinted)
fingerprint_gone = made(without_fingerprint)
with_changing_world = made(changing_the_world)
slow = made(slow_tools)
asking_in_time = made(with_time)
wrong_limit = made(lambda fleet: slow_tools(fleet, "30s"))
