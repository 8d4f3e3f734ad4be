"""A worker process's runner with the MCP servers of its agent, and a clock that a test turns."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from approvals.config.values import AgentConfig
from approvals.records import Approval, RunId
from approvals.rules.select_rule import Policy
from tests.workers.bench import Bench
from tests.workers.mcp_world import Place
from workers.mcp.servers import Servers
from workers.runner import Runner

PLAIN = "workers.agents.plain:build"
# Longer than any pause between two looks at a server.
LATER_SECONDS = 100.0


@dataclass
class Worker:
    bench: Bench
    servers: Servers
    runner: Runner
    clock: "Clock"

    def ask(self, *turns: Any) -> RunId:
        """A person asks for these calls, and the agent gets as far as it can."""
        run_id = self.bench.ask(*turns)
        self.runner.advance(run_id)
        return run_id

    def asked(self, *turns: Any) -> Approval:
        """The one approval that comes of it."""
        return self.bench.only(self.ask(*turns))

    def go_on(self, approval: Approval) -> Approval:
        self.runner.advance(approval.run_id)
        return self.bench.again(approval)

    def heard(self, run_id: RunId) -> str:
        return self.bench.heard(self.runner, run_id)

    def later(self) -> None:
        """Whoever was not there is tried again, and whoever was there is looked at again."""
        self.clock.seconds += LATER_SECONDS


@dataclass
class Clock:
    seconds: float = field(default=0.0)

    def __call__(self) -> float:
        return self.seconds


@contextmanager
def worker(
    bench: Bench,
    *places: Place,
    policy: Policy | None = None,
    factory: str = PLAIN,
    secrets: Mapping[str, SecretStr] | None = None,
) -> Iterator[Worker]:
    """As after a start of the process; its servers end with it."""
    mcp, clock = tuple(place.config for place in places), Clock()
    config = AgentConfig("tester", factory, "", mcp=mcp)
    with Servers([config], secrets or {}, clock) as servers:
        yield Worker(bench, servers, bench.runner(factory, policy, servers=servers, mcp=mcp), clock)
