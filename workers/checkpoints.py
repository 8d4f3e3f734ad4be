"""The worker's kept connection: it holds the run's lock and LangGraph's saver writes over it, so that who
lost the lock can write no checkpoint. Knows no agent."""

from collections.abc import Sequence
from typing import Any

import psycopg
import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde import _msgpack
from psycopg.rows import DictRow, dict_row

from approvals.failpoints import Point, reach
from approvals.ledger.migrate import only_one_session

log = structlog.get_logger()

# A lost host must not keep a run locked: the server notices within about half a minute.
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}


class UnsafeSerializer(Exception):
    """LANGGRAPH_STRICT_MSGPACK is not in force: a checkpoint could name any class to be built on reading."""


def require_strict_msgpack() -> None:
    """LangGraph reads the variable once, on import; the entry points set it before that."""
    if not _msgpack.STRICT_MSGPACK_ENABLED:
        raise UnsafeSerializer(
            "LANGGRAPH_STRICT_MSGPACK must be true before LangGraph is imported; start the process by its own "
            "entry point (python -m workers) or set the variable."
        )


class Kept:
    """One connection for lock and saver, replaced when it is in doubt. Used by one thread at a time for the
    lock; the saver serializes its own use."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self.now = self._connect()
        self.saver = KeptSaver(self)

    def fresh(self) -> psycopg.Connection[DictRow]:
        """The connection to take a lock on: a new one if the old one is closed or broken."""
        if self.now.closed or self.now.broken:
            self.now = self._connect()
        return self.now

    def drop(self) -> None:
        """Close it: the server gives up the lock, and nothing more can be written over it."""
        self.now.close()

    def _connect(self) -> psycopg.Connection[DictRow]:
        options: dict[str, Any] = {"connect_timeout": 5, "application_name": "countersign worker", **KEEPALIVE}
        return psycopg.connect(self._url, autocommit=True, row_factory=dict_row, **options)


class KeptSaver(PostgresSaver):
    """LangGraph's saver on whatever connection is kept now. It never opens one: a saver that connects anew
    would write without the lock. LangGraph clones savers when it compiles, so the connection is looked up."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        super().__init__(kept.now)

    @property
    def conn(self) -> psycopg.Connection[DictRow]:
        """The kept connection."""
        return self.kept.now

    @conn.setter
    def conn(self, _: object) -> None:
        """PostgresSaver's constructor sets it; there is nothing to set."""

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """PostgresSaver's own, between two points at which a test can strike."""
        reach(Point.BEFORE_CHECKPOINT_SAVED)
        saved = super().put(config, checkpoint, metadata, new_versions)
        reach(Point.AFTER_CHECKPOINT_SAVED)
        return saved

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """PostgresSaver's own, between two points at which a test can strike."""
        reach(Point.BEFORE_WRITES_SAVED)
        super().put_writes(config, writes, task_id, task_path)
        reach(Point.AFTER_WRITES_SAVED)


def prune(saver: PostgresSaver, run_id: str) -> None:
    """Keep the newest checkpoint of a thread at rest: its history is the agent's, and each step stores it whole."""
    try:
        saver.prune([run_id], strategy="keep_latest")
    except NotImplementedError:
        # A thread with a delta channel (Deep Agents) is its own history, and is small as it is.
        log.debug("checkpoints.kept", run_id=run_id)


def set_up_checkpoints(database_url: str) -> None:
    """LangGraph's own tables. Once per deploy, safe to repeat and to run from several machines at once."""
    with (
        psycopg.connect(database_url, autocommit=True, row_factory=dict_row, connect_timeout=5) as connection,
        only_one_session(connection),
    ):
        PostgresSaver(connection).setup()


def checkpoints_are_set_up(database_url: str) -> bool:
    """Whether LangGraph's tables are there."""
    with psycopg.connect(database_url, connect_timeout=5) as connection:
        row = connection.execute("SELECT to_regclass('checkpoint_writes')").fetchone()
    return row is not None and row[0] is not None
