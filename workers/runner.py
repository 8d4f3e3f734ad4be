"""Advances one run: takes its lock, raises its fence, and does the next thing until nothing is left. Decides
nothing (steps.py does) and permits nothing (guard.py does)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

import psycopg
import structlog
from langgraph.errors import GraphDrained, UnknownInterruptError

from approvals.ledger.apply import mark_applied, withdraw
from approvals.ledger.audit import WORKER
from approvals.ledger.cancel_run import cancel_run, end_cancelled
from approvals.ledger.database import Database
from approvals.ledger.deliver import mark_delivered, mark_handed, next_message
from approvals.ledger.find import approvals_of
from approvals.ledger.freeze import find_freeze
from approvals.ledger.lose import lose_started
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.ledger.posts import say
from approvals.ledger.run_status import TRIES, note_failure, note_stuck, set_status
from approvals.ledger.status_line import note_doing
from approvals.ledger.tenure import FenceRaised, held, raise_fence
from approvals.ledger.work import has_work
from approvals.records import Approval, ApprovalId, Message, Run, RunId
from approvals.rules.words import RunStatus, Status
from workers.checkpoints import Kept, prune
from workers.outcomes import as_text
from workers.progress import THINKING, Teller, Watches
from workers.steps import (
    Apply,
    Close,
    Continue,
    Deliver,
    EndRun,
    Facts,
    GiveUp,
    Record,
    RestDone,
    RestWaiting,
    Step,
    next_step,
    unfinished,
    waiting_for,
)
from workers.stopping import Stopping
from workers.thread import Agent, Standing, Thread, Unreadable

log = structlog.get_logger()


@dataclass(slots=True)
class Fences:
    """The fence of each run that this process holds now; the gate asks for it at call time."""

    held: dict[RunId, int] = field(default_factory=dict)

    def of(self, run_id: RunId) -> int:
        """Raises FenceRaised for a run that is not held: a left-over thread of an earlier tenure."""
        if run_id not in self.held:
            raise FenceRaised(f"run {run_id} is not held by this process")
        return self.held[run_id]


@dataclass(frozen=True, slots=True)
class Showing:
    """How the rest of the house hears of what changed. Neither call raises on Slack trouble."""

    card: Callable[[ApprovalId], None]
    posts: Callable[[RunId], None]
    status_line: Callable[[RunId], None]


@dataclass(frozen=True, slots=True)
class Runner:
    """Everything kept per process."""

    db: Database
    kept: Kept
    agents: Mapping[str, Agent]
    fences: Fences
    showing: Showing
    teller: Teller
    stopping: Stopping = field(default_factory=Stopping)

    def advance(self, run_id: RunId) -> None:
        """Do all there is to do in one run. Busy means somebody else is at it, and they look again after
        they let go; so nothing is lost by leaving at once."""
        while has_work(self.db, run_id) and not self.stopping.asked:
            with held(self.kept.fresh(), run_id) as ours:
                if not ours:
                    return
                self._tenure(run_id)

    def _tenure(self, run_id: RunId) -> None:
        run = raise_fence(self.db, run_id)
        if run is None:
            return
        self.fences.held[run_id] = run.fence
        try:
            for lost in lose_started(self.db, run):
                self.showing.card(lost.id)
            if run.agent in self.agents:
                self._work(run, Thread(self.agents[run.agent], run_id, self.stopping, Watches(self.teller, run_id)))
            else:
                self._give_up(run, f"there is no agent named {run.agent} in the configuration any more.")
        except FenceRaised as error:
            log.warning("run.taken_over", run_id=run_id, error=str(error))
            self.kept.drop()
        except psycopg.OperationalError as error:
            # Postgres was away in the middle: the rows say how far it got, the sweep brings somebody back.
            log.warning("run.database_away", run_id=run_id, error=type(error).__name__)
            self.kept.drop()
        finally:
            del self.fences.held[run_id]
        self.showing.posts(run_id)

    def _work(self, run: Run, thread: Thread) -> None:
        last: Step | None = None
        while not self.stopping.asked and not self._cancelled(run):
            standing = thread.read_or_say()
            if isinstance(standing, Unreadable):
                return self._unreadable(run, standing.reason)
            facts = self._facts(run, standing)
            if unfinished(facts.approvals):
                return
            step = next_step(facts)
            if step == last:
                self._fail(run, "it made no progress")
                return
            last = step
            if not self._do(run, thread, standing, step):
                return

    def _cancelled(self, run: Run) -> bool:
        """Whether somebody has ended the run; then it ends here, between two steps."""
        cancelled = end_cancelled(self.db, run)
        if cancelled is None:
            return False
        for approval in cancelled:
            self.showing.card(approval.id)
        self._rest(run, "cancelled", ended=True)
        return True

    def _unreadable(self, run: Run, reason: str) -> None:
        """Closed after a few tries: by itself and in sight of everybody, its approvals can lead nowhere."""
        (self._fail if run.failures + 1 < TRIES else self._give_up)(run, reason)

    def _facts(self, run: Run, standing: Standing) -> Facts:
        return Facts(
            open_tasks=standing.open_tasks,
            half_done=standing.half_done,
            pending=standing.pending,
            approvals=tuple(approvals_of(self.db, run.id)),
            message=next_message(self.db, run),
            frozen=find_freeze(self.db) is not None,
            cancelled_at=run.cancelled_at,
        )

    def _do(self, run: Run, thread: Thread, standing: Standing, step: Step) -> bool:
        """One step; whether to look for another."""
        match step:
            case Record(proposals):
                return self._record(run, proposals)
            case Close(approvals):
                return self._close(run, approvals)
            case Apply(approval, interrupt_id):
                return self._push(run, lambda: thread.answer(interrupt_id, approval))
            case Continue():
                return self._push(run, thread.go_on)
            case Deliver(message):
                self._keep_answer(run, standing)
                return self._push(run, lambda: self._deliver(run, thread, standing, message))
            case EndRun(approval):
                cancel_run(
                    self.db, run.id, WORKER, f"Nobody decided {approval.id} in time, and the policy ends the run."
                )
                return True
            case GiveUp(reason):
                return self._give_up(run, reason)
            case RestWaiting(approvals):
                set_status(self.db, run, RunStatus.WAITING)
                return self._rest(run, waiting_for(approvals), ended=False)
            case RestDone():
                self._keep_answer(run, standing)
                set_status(self.db, run, RunStatus.DONE)
                prune(self.kept.saver, run.id)
                return self._rest(run, "done", ended=True)
            case _:
                assert_never(step)

    def _rest(self, run: Run, doing: str, *, ended: bool) -> bool:
        """The last thing that the status line says in this tenure."""
        self.teller.hush()
        note_doing(self.db, run.id, doing, ended=ended)
        self.showing.status_line(run.id)
        return False

    def _record(self, run: Run, proposals: Sequence[Proposal]) -> bool:
        """All rows first, then the cards: Slack may be slow, and nothing pending may wait for it."""
        for opened in [open_approval(self.db, run, proposal) for proposal in proposals]:
            if opened is not None:
                self.showing.card(opened.id)
        return True

    def _close(self, run: Run, approvals: Sequence[Approval]) -> bool:
        for approval in approvals:
            close = withdraw if approval.status is Status.PENDING else mark_applied
            close(self.db, run, approval.id)
            self.showing.card(approval.id)
        return True

    def _give_up(self, run: Run, reason: str) -> bool:
        for cancelled in note_stuck(self.db, run, reason):
            self.showing.card(cancelled.id)
        return self._rest(run, "stopped", ended=True)

    def _push(self, run: Run, push: Callable[[], None]) -> bool:
        """Let the agent run. Whatever it raises is noted on the run, for people to see."""
        set_status(self.db, run, RunStatus.RUNNING)
        try:
            push()
        except (FenceRaised, psycopg.OperationalError):
            raise
        except GraphDrained:
            # Stopped between two of the agent's steps: another worker goes on from there.
            return False
        except UnknownInterruptError:
            # The question is gone: read again, and do what the thread now calls for.
            return True
        except Exception as error:
            log.warning("agent.raised", run_id=run.id, error=type(error).__name__, exc_info=True)
            self._fail(run, f"the agent raised {type(error).__name__}. The worker's log has more.")
            return False
        return True

    def _fail(self, run: Run, reason: str) -> None:
        status = note_failure(self.db, run, reason)
        log.warning("run.faltered", run_id=run.id, status=status, reason=reason)
        failed = status is RunStatus.FAILED
        self._rest(run, "stopped" if failed else "trying again after an error", ended=failed)

    def _deliver(self, run: Run, thread: Thread, standing: Standing, message: Message) -> None:
        """Once, whatever happened to an earlier try: the thread itself knows whether it holds the message."""
        if message.id not in standing.message_ids:
            mark_handed(self.db, run, message)
            note_doing(self.db, run.id, THINKING, message=message)
            self.teller.say(run.id, THINKING)
            thread.deliver(message)
        mark_delivered(self.db, run, message)

    def _keep_answer(self, run: Run, standing: Standing) -> None:
        answer = standing.answer
        text = as_text(answer.text) if answer else ""
        if answer is not None and text.strip():
            say(self.db, run.id, key=f"answer-{answer.id}", kind="answer", text=text)
