"""The real parts that a script measures: embedded servers, the stand-in Slack, the bot and the workers as processes."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage

from approvals.ledger.database import Database
from approvals.ledger.find import list_approvals
from approvals.ledger.start_run import NewMessage, start_run
from approvals.records import Approval, RunId
from approvals.rules.words import Status
from approvals.wakeup import Wakeups, connect
from bench import agents
from demo.services import postgres, redis_server
from demo.world import World, house_with_slack
from workers.checkpoints import Kept

CONFIG = """
agents:
  bench: {factory: "bench.agents:build", model: "python:bench.agents:model"}
approvers:
  oncall: {usergroup: oncall-sre}
defaults: {approvers: [oncall], timeout: 1d}
"""
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything, running; nothing is waiting yet."""

    world: World
    db: Database
    wakeups: Wakeups

    def ask(self, key: str, history: int = 0) -> RunId:
        """A run whose agent will want the call `key`, with that many messages before it. Not woken yet."""
        people, slack = self.world.people, self.world.slack
        root = slack.say(people.ana, people.ops, f"bench {key}")
        message = NewMessage(slack.workspace.team_id, people.ops, root, root, people.ana, key)
        run = start_run(self.db, "bench", message).run
        if history:
            add_history(self.db.url, run.id, history)
        return run.id

    def wait_for_cards(self, count: int) -> dict[str, Approval]:
        """The approvals that wait, by the key of their call, once so many have a card in Slack."""
        until(lambda: len(self.shown()) >= count)
        return self.shown()

    def shown(self) -> dict[str, Approval]:
        """Those with a card."""
        with self.db.transaction() as tx:
            rows = tx.execute("SELECT approval_id FROM cards WHERE ts IS NOT NULL").fetchall()
        carded = {row["approval_id"] for row in rows}
        waiting = list_approvals(self.db, status=Status.PENDING, limit=100_000)
        return {a.args_json.split('"')[3]: a for a in waiting if a.id in carded}

    def card_ts(self, approval: Approval) -> str:
        """Where its card is in #ops."""
        with self.db.transaction() as tx:
            row = tx.execute("SELECT ts FROM cards WHERE approval_id = %s", (approval.id,)).fetchone()
        assert row is not None
        return str(row["ts"])

    def fresh(self, count: int, prefix: str) -> list[Approval]:
        """So many approvals that wait, with their cards."""
        before = len(self.shown())
        keys = [f"{prefix}n{number}" for number in range(count)]
        for key in keys:
            self.wakeups.wake(self.ask(key))
        cards = self.wait_for_cards(before + count)
        return [cards[key] for key in keys]

    def status_of(self, run_id: RunId) -> str:
        """How the run stands."""
        with self.db.transaction() as tx:
            row = tx.execute("SELECT status FROM runs WHERE id = %s", (run_id,)).fetchone()
        return str(row["status"]) if row else ""

    def count(self, table: str, condition: str) -> int:
        """How many rows."""
        with self.db.transaction() as tx:
            row = tx.execute(f"SELECT count(*) AS n FROM {table} WHERE {condition}").fetchone()
        return int(row["n"]) if row else 0


def add_history(database_url: str, run_id: RunId, count: int) -> None:
    """Messages of earlier turns, as the agent's own thread holds them."""
    kept = Kept(database_url)
    agent = agents.build(model=agents.model(), middleware=[], checkpointer=kept.saver)
    pairs = [(HumanMessage(f"question {n}"), AIMessage(f"answer {n}")) for n in range(count // 2)]
    config = {"configurable": {"thread_id": run_id}}
    agent.update_state(config, {"messages": [one for pair in pairs for one in pair]}, as_node="model")
    kept.drop()


def until(done: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait for it, or raise TimeoutError."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the parts that are measured did not get there")
        time.sleep(0.005)


@contextmanager
def running(*, workers: int = 1, bot: bool = True) -> Iterator[Parts]:
    """A bot and so many workers on servers of their own; no clock, so that nothing else happens."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="countersign-bench-")))
        os.environ[agents.EFFECTS_FILE] = str(folder / "effects")
        os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
        database_url, redis_url = stack.enter_context(postgres()), stack.enter_context(redis_server()).url
        config = folder / "countersign.yml"
        config.write_text(CONFIG, encoding="utf-8")
        world = stack.enter_context(house_with_slack(database_url, redis_url, config, folder))
        world.house.release()
        if bot:
            world.slack.events_url = world.house.start_bot()
        if workers:
            world.house.start_workers(workers)
        db = stack.enter_context(Database(database_url, max_size=8))
        yield Parts(world, db, Wakeups(connect(redis_url)))
