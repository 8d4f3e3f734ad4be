"""The safe floor: what no correct product can be much below. One warm process; a lock on a kept connection,
`get_state`, a row committed before the tool and updated after it, a strict resume by id, sync durability."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Command

from bench import agents
from workers.checkpoints import Kept
from workers.thread import STRICT_RESUME


class Floor:
    """LangGraph and Postgres, and nothing of ours but the kept connection."""

    def __init__(self, database_url: str) -> None:
        self._kept = Kept(database_url)
        self._ledger = psycopg.connect(database_url, autocommit=True)
        self._ledger.execute("CREATE TABLE IF NOT EXISTS bench_ledger (key text PRIMARY KEY, status text)")
        gate = HumanInTheLoopMiddleware({"act": True}, interrupt_mode="per_call")
        self._agent = agents.build(model=agents.model(), middleware=[gate], checkpointer=self._kept.saver)

    def pause(self, key: str, history: int) -> None:
        """A thread that waits for a yes to the call `key`."""
        config = self._config(key)
        if history:
            pairs = [(HumanMessage(f"question {n}"), AIMessage(f"answer {n}")) for n in range(history // 2)]
            self._agent.update_state(config, {"messages": [m for pair in pairs for m in pair]}, as_node="model")
        self._agent.invoke({"messages": [HumanMessage(key)]}, config, durability="sync")

    def decide(self, key: str) -> int:
        """The yes, to the end of the turn; when it began, in nanoseconds."""
        began = time.monotonic_ns()
        with self._locked(key):
            config = self._config(key)
            (interrupt,) = self._agent.get_state(config).interrupts
            self._ledger.execute("INSERT INTO bench_ledger VALUES (%s, 'started')", (key,))
            self._agent.invoke(Command(resume={interrupt.id: {"type": "approve"}}), config, durability="sync")
            self._ledger.execute("UPDATE bench_ledger SET status = 'done' WHERE key = %s", (key,))
        return began

    def close(self) -> None:
        self._kept.drop()
        self._ledger.close()

    @contextmanager
    def _locked(self, key: str) -> Iterator[None]:
        connection = self._kept.fresh()
        connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 1))", (key,))
        yield
        connection.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 1))", (key,))

    @staticmethod
    def _config(key: str) -> dict[str, Any]:
        return {"configurable": {"thread_id": f"floor-{key}", STRICT_RESUME: True}}
