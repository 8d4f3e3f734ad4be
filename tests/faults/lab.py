"""A deployment to be broken: stand-in Slack, database and queue of its own, and processes that can be made to die
at a named point."""

import itertools
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from approvals.config.load import load_config
from approvals.ledger.database import Database
from approvals.ledger.find import find_run
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.work import runs_to_wake
from approvals.records import Approval, RunId
from approvals.rules.words import Say
from approvals.settings import CLOCK_NEEDS, WORKER_NEEDS, load_settings
from approvals.wakeup import Wakeups, connect
from bot.messenger import connect as connect_slack
from bot.people import People
from bot.show import Show
from demo.house import answers, free_port
from demo.world import house_with_slack
from tests.faults import bodies
from tests.faults.oracle import Oracle
from tests.scenarios.conftest import CONFIG, PATIENCE_SECONDS, Scene
from workers.agents.fleet import Fleet
from workers.clock import assemble as assemble_clock
from workers.runner import Runner
from workers.sweep.sweep import sweep
from workers.worker import assemble, new_worker

STRIKE = ["strike", {"target": "prod"}]
KILLED = -9
# Sweeps and wake-ups until nothing is left to do. Far more than it takes; a test that needs more is stuck.
ROUNDS = 12

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.faults.bodies"])


@dataclass
class Lab(Scene):
    """A scene, with processes that die where they are told to, and the oracle."""

    folder: Path
    stack: ExitStack
    more: dict[str, str] = field(default_factory=dict)
    own: Runner | None = None
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def environ(self) -> dict[str, str]:
        return {**self.world.house.environ, **self.more}

    @property
    def log(self) -> Path:
        return self.folder / "children.log"

    def start(self, body: Callable[..., None], *args: Any, fail: str = "", **environ: str) -> ForkServerProcess:
        """A real process. `fail` is its FAILPOINT."""
        whole = {**self.environ, "FAILPOINT": fail, "FAILPOINT_DIR": str(self.folder), **environ}
        process = FORKS.Process(target=body, args=(whole, self.log, *args), daemon=True)
        process.start()
        self.stack.callback(end, process)
        return process

    def run(self, body: Callable[..., None], *args: Any, fail: str = "", **environ: str) -> int | None:
        """A process until its end; how it ended."""
        process = self.start(body, *args, fail=fail, **environ)
        process.join(PATIENCE_SECONDS)
        assert process.exitcode is not None, f"it did not end; it said:\n{self.said()}"
        return process.exitcode

    def dies(self, at: str, body: Callable[..., None], *args: Any) -> None:
        """A process that is killed at this point: it must get there."""
        code = self.run(body, *args, fail=f"{at}:kill")
        assert code == KILLED, f"{body.__name__} ended with {code} and did not reach {at}; it said:\n{self.said()}"

    def start_bot(self, fail: str = "") -> ForkServerProcess:
        """The bot, known to Slack."""
        port = free_port()
        process = self.start(bodies.serve, fail=fail, PORT=str(port))
        self.until(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
        self.world.slack.events_url = f"http://127.0.0.1:{port}/slack/events"
        return process

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:] if self.log.exists() else ""

    def reached(self, point: str) -> bool:
        return (self.folder / point).exists()

    def let_go(self, point: str) -> None:
        (self.folder / f"{point}.go").touch()

    def advance(self, run_id: RunId) -> None:
        """A worker that nothing happens to, in this process."""
        if self.own is None:
            settings = load_settings(self.environ, WORKER_NEEDS)
            self.own = assemble(settings, load_config(settings.countersign_config), self.db, new_worker(settings))
            self.stack.callback(self.own.kept.drop)
        self.own.advance(run_id)
        self.own.showing.finish()

    def sweep(self) -> dict[str, int]:
        return sweep(assemble_clock(load_settings(self.environ, CLOCK_NEEDS), self.db))

    def sql(self, statement: str, *values: object) -> list[dict[str, Any]]:
        with self.db.transaction() as tx:
            cursor = tx.execute(statement, values)
            return list(cursor.fetchall()) if cursor.description else []

    def later(self) -> None:
        """Everything that waits for its time has waited long enough."""
        for table in ("cards", "posts", "status_lines"):
            self.sql(f"UPDATE {table} SET retry_at = now(), lease_until = now() - interval '1 second'")
        self.sql("UPDATE runs SET retry_at = now()")

    def converge(self, rounds: int = ROUNDS) -> None:
        """Sweep and work until there is nothing left to do, and no longer."""
        for _ in range(rounds):
            self.later()
            swept = self.sweep()
            runs = runs_to_wake(self.db)
            for run_id in runs:
                self.advance(run_id)
            if not runs and not swept["lose"] and not swept["expire"] and not swept["show"]:
                return
        raise AssertionError(f"it does not come to rest: {swept}, {runs}")

    def converge_quietly(self) -> None:
        """A few rounds of what goes on while Slack is in trouble: cards lag, and that is not waited for."""
        for _ in range(3):
            self.later()
            self.sweep()
            for run_id in runs_to_wake(self.db):
                self.advance(run_id)

    def oracle(self) -> Oracle:
        messenger = connect_slack(load_settings(self.environ, WORKER_NEEDS))
        show = Show(self.db, messenger, People(messenger))
        people = self.world.people
        return Oracle(self.db, self.fleet, self.world.slack, show, frozenset({people.bo, people.cy}))

    def check(self) -> None:
        """Converge, and hold everything to the oracle."""
        self.converge()
        assert self.oracle().violations() == []

    def waiting(self, *turns: Any) -> Approval:
        """A call that waits for people, with its card."""
        run_id = self.ask(*(turns or ([STRIKE],)), number=next(self.numbers))
        self.advance(run_id)
        return self.approvals(run_id)[0]

    def ask_again(self, run_id: RunId, *turns: Any) -> None:
        """Ana speaks in the thread of a run that is there."""
        run = find_run(self.db, run_id)
        assert run is not None
        ts = self.world.slack.say(self.world.people.ana, run.channel_id, "and then", run.thread_ts)
        words = json.dumps(turns)
        message = NewMessage(run.team_id, run.channel_id, run.thread_ts, ts, self.world.people.ana, words)
        start_run(self.db, run.agent, message)

    def approved(self, *turns: Any) -> Approval:
        """A call that people said yes to and that nobody has woken yet."""
        approval = self.waiting(*turns)
        self.decide(approval, Say.APPROVE)
        return self.again(approval)


def end(process: ForkServerProcess) -> None:
    """Whatever became of it."""
    if process.is_alive():
        process.kill()
    process.join()


def wait_until(what: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "not within patience"
        time.sleep(0.02)


@contextmanager
def a_lab(database_url: str, redis_url: str, folder: Path, config: str = CONFIG) -> Iterator[Lab]:
    """One deployment with nothing running in it."""
    path = folder / "countersign.yml"
    path.write_text(config, encoding="utf-8")
    trap = folder / "hang-once"
    with ExitStack() as stack:
        db = stack.enter_context(Database(database_url, max_size=8))
        more = {"HANG_ONCE_FILE": str(trap), "LANGGRAPH_STRICT_MSGPACK": "true"}
        world = stack.enter_context(house_with_slack(database_url, redis_url, path, folder, more))
        fleet = Fleet(folder / "fleet.jsonl")
        processes = stack.enter_context(ExitStack())
        yield Lab(world, db, Wakeups(connect(redis_url)), fleet, trap, folder, processes)
