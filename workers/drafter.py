"""Shows an answer while the agent still writes it. A thread of its own tells Slack, so that neither Slack nor its
limits can hold the agent up; the rows say what it has told, so that others can finish it when this process is gone."""

import threading
import time
from dataclasses import dataclass, field
from typing import Final

import structlog

from approvals.failpoints import Point, reach
from approvals.ledger.database import Database, storable
from approvals.ledger.drafts import Draft, draft_shown, give_back_draft, hold_draft, open_draft
from approvals.ledger.find import secrets_of_run
from approvals.records import Run, RunId
from approvals.rules.redact import hide_beginning
from bot.cards.says import certain
from bot.drafting import Drafting, Growth

# What is said in less is posted whole, as ever: Slack allows twenty beginnings a minute.
FIRST_SECONDS: Final = 0.4
# Slack allows about a hundred additions a minute, and fifty edits, shared by every run.
APPEND_SECONDS: Final = 0.75
EDIT_SECONDS: Final = 1.0
# After the database was away.
RETRY_SECONDS: Final = 5.0

log = structlog.get_logger()


@dataclass(slots=True)
class Telling:
    """One message of the agent's on its way, from `at` on. `ids`: all that it was called by. `over`: no more of it is
    shown before it is whole. `closed`: no word comes any more, and nothing is begun any more."""

    run: Run
    message_id: str
    at: float
    ids: set[str] = field(default_factory=set)
    pieces: list[str] = field(default_factory=list)
    told: int = 0
    growth: Growth | None = None
    secrets: frozenset[str] = frozenset()
    over: bool = False
    closed: bool = False


class Drafter:
    """Any thread may hear and close; one tells."""

    def __init__(self, db: Database, drafting: Drafting) -> None:
        self._db, self._drafting = db, drafting
        self._changed = threading.Condition()
        # Held while a row is begun, never while Slack is asked: who closes waits for a statement at most.
        self._beginning = threading.Lock()
        self._sending = threading.Lock()
        self._tellings: dict[tuple[RunId, str], Telling] = {}
        self._closed: list[Telling] = []
        self._held: set[RunId] = set()
        self._thread: threading.Thread | None = None

    def hold(self, run_id: RunId, *, held: bool) -> None:
        """Whether what the run's agent says is shown only when it is whole."""
        with self._changed:
            (self._held.add if held else self._held.discard)(run_id)

    def hear(self, run: Run, message_id: str, words: str, called: str) -> None:
        """Some more words of a message, which is `called` so by now. Returns at once."""
        with self._changed:
            known = self._tellings.get((run.id, message_id))
            if known is None and not words:
                return
            if known is None:
                known = Telling(run, message_id, at=time.monotonic() + FIRST_SECONDS, ids={message_id})
                known.over = run.id in self._held
                self._tellings[run.id, message_id] = known
            known.ids.add(called)
            if not words:
                return
            known.pieces.append(words)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="drafter")
                self._thread.start()
            self._changed.notify()

    def hears(self, run_id: RunId) -> bool:
        """Whether a message of the run was heard and not closed."""
        with self._changed:
            return any(one.run.id == run_id for one in self._tellings.values())

    def close(self, run_id: RunId) -> dict[str, frozenset[str]]:
        """The agent has stopped: the messages of the run that were heard, each with all its ids. When this returns,
        every one that is shown has its row, and no other gets one."""
        with self._changed:
            closed = [one for one in self._tellings.values() if one.run.id == run_id]
            for telling in closed:
                telling.closed = True
                del self._tellings[run_id, telling.message_id]
            self._closed.extend(closed)
        if closed:
            with self._beginning:
                pass
        return {telling.message_id: frozenset(telling.ids) for telling in closed}

    def rest(self, run_id: RunId) -> None:
        """Wait for what is being sent of the run's closed messages, and give their rows to whoever finishes them."""
        with self._changed:
            resting = [one for one in self._closed if one.run.id == run_id]
            self._closed = [one for one in self._closed if one.run.id != run_id]
        if resting:
            with self._sending:
                pass
        for telling in resting:
            if telling.growth:
                give_back_draft(self._db, telling.growth.draft.post_id)

    def _work(self) -> None:
        while True:
            with self._changed:
                telling = self._next()
            with self._sending:
                self._tell(telling)

    def _next(self) -> Telling:
        """The one that may be told some more of, longest due first."""
        while True:
            due = [one for one in self._tellings.values() if one.told < len(one.pieces) and not one.over]
            first = min(due, key=lambda one: one.at, default=None)
            now = time.monotonic()
            if first is not None and first.at <= now:
                return first
            self._changed.wait(None if first is None else first.at - now)

    def _tell(self, telling: Telling) -> None:
        telling.told = len(telling.pieces)
        try:
            self._tell_some(telling, "".join(telling.pieces[: telling.told]))
        except Exception as error:  # noqa: BLE001 - the edge of a thread: the whole is shown when it is there
            log.warning("draft.not_told", run_id=telling.run.id, error=type(error).__name__)
            telling.at = time.monotonic() + RETRY_SECONDS

    def _tell_some(self, telling: Telling, heard: str) -> None:
        words = certain(hide_beginning(storable(heard), telling.secrets))
        if not words or not self._begin(telling):
            return
        growth = telling.growth
        if growth is None or not hold_draft(self._db, growth.draft.post_id, words, streaming=growth.streaming):
            telling.over = True
            return
        reach(Point.BEFORE_DRAFT_SENT)
        grown = self._drafting.grow(growth, words)
        reach(Point.AFTER_DRAFT_SENT)
        telling.growth, telling.over = grown, grown.over
        draft_shown(self._db, growth.draft.post_id, grown.ts, len(grown.shown), streaming=grown.streaming)
        if grown.shown != words and not grown.over:
            telling.told = 0
        telling.at = time.monotonic() + max(grown.wait, pause(grown))

    def _begin(self, telling: Telling) -> bool:
        """Whether there is a row, and so something to show."""
        if telling.growth is not None:
            return True
        telling.secrets = secrets_of_run(self._db, telling.run.id)
        streaming = self._drafting.streams_in(telling.run.channel_id)
        with self._beginning:
            if telling.closed:
                return False
            draft = open_draft(self._db, telling.run, telling.message_id, streaming=streaming)
        if draft is None:
            telling.over = True
            return False
        telling.growth = begun(draft, streaming=streaming)
        return True


def begun(draft: Draft, *, streaming: bool) -> Growth:
    """In a channel Slack wants to know for whom a stream is."""
    return Growth(draft, streaming=streaming and (draft.channel_id.startswith("D") or draft.recipient is not None))


def pause(growth: Growth) -> float:
    """Until some more may be told."""
    if growth.ts is None and not growth.streaming:
        return 0.0
    return APPEND_SECONDS if growth.streaming else EDIT_SECONDS
