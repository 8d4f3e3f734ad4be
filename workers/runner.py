"""Advances one run: takes its lock, raises its fence, and does the next thing until nothing is left. Decides
nothing (steps.py does) and permits nothing (guard.py does)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import assert_never

import psycopg
import structlog

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel_run import cancel_asked, cancel_run
from approvals.ledger.database import Database
from approvals.ledger.deliver import next_message
from approvals.ledger.find import approvals_of
from approvals.ledger.freeze import find_freeze
from approvals.ledger.lose import lose_started
from approvals.ledger.run_status import set_status
from approvals.ledger.tenure import FenceRaised, held, raise_fence
from approvals.ledger.work import has_work
from approvals.records import Approval, Run, RunId
from approvals.rules.words import Effect, RunStatus
from workers.agents.speech import Speech
from workers.answers import NoAnswer, answer_to
from workers.asking import Asking
from workers.at_rest import waiting_for
from workers.checkpoints import Kept, prune
from workers.drafter import Drafter
from workers.ending import Ending
from workers.fences import Fences
from workers.foreign import Terms
from workers.hearing import Hearing
from workers.hiding import Hiding
from workers.listening import Listener, shown_as_written
from workers.noting import Noting, Showing
from workers.progress import Teller, Watches
from workers.steps import (
    Abandon,
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
)
from workers.stopping import Stopping
from workers.thread import Agent, Standing, Thread, Unreadable
from workers.trouble import Trouble

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Runner:
    """Everything kept per process."""

    db: Database
    kept: Kept
    agents: Mapping[str, Agent]
    fences: Fences
    showing: Showing
    teller: Teller
    terms: Terms
    stopping: Stopping = field(default_factory=Stopping)
    speech: Mapping[str, Speech] = field(default_factory=dict)
    # None: what the agent says is said when all of it is there.
    drafter: Drafter | None = None

    @property
    def asking(self) -> Asking:
        """What this process does to the rows of what agents ask."""
        return Asking(self.db, self.terms, self.showing.card)

    @property
    def noting(self) -> Noting:
        """What this process does to how a run stands."""
        return Noting(self.db, self.showing, self.teller)

    @property
    def hearing(self) -> Hearing:
        """What this process does to the words that go in and out."""
        return Hearing(self.db, self.teller, self.drafter)

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
                thread = self._thread(run)
                self._work(run, thread)
                self._settle_rest(run, thread)
            else:
                self.noting.give_up(run, f"there is no agent named {run.agent} in the configuration any more.")
        except FenceRaised as error:
            log.warning("run.taken_over", run_id=run_id, error=str(error))
            self.kept.drop()
        except psycopg.OperationalError as error:
            # Postgres was away in the middle: the rows say how far it got, the sweep brings somebody back.
            log.warning("run.database_away", run_id=run_id, error=type(error).__name__)
            self.kept.drop()
        finally:
            del self.fences.held[run_id]
            if self.drafter is not None:
                self.drafter.close(run_id)
                self.drafter.hold(run_id, held=False)
        self.showing.posts(run_id)

    def _thread(self, run: Run) -> Thread:
        watches = Watches(self.teller, run.id)
        speech = self.speech.get(run.agent, Speech())
        agent = self.agents[run.agent]
        hiding = Hiding(self.db, self.terms.policy, agent, run.id)
        drafter = self.drafter if shown_as_written(agent, speech) else None
        if drafter is not None:
            # Words come before the call that says which of them nobody may be shown.
            drafter.hold(run.id, held=hiding.any)
        listener = Listener(run, drafter, self.teller, watches)
        ending = Ending(partial(cancel_asked, self.db, run.id), watches.calls)
        return Thread(agent, run.id, self.stopping, watches, listener, speech, hiding.secrets, ending)

    def _settle(self, run: Run, standing: Standing, *, left_over: bool) -> None:
        """Before anything else is shown: words come before the card of the call that they explain."""
        if self.hearing.settle(run, standing, left_over=left_over):
            self.showing.posts(run.id)

    def _settle_rest(self, run: Run, thread: Thread) -> None:
        """What was heard in a push after which nobody looked: it raised, was drained, or the run was cancelled."""
        if self.drafter is None or not self.drafter.hears(run.id):
            return
        standing = thread.read_or_say()
        if isinstance(standing, Standing):
            self._settle(run, standing, left_over=False)

    def _work(self, run: Run, thread: Thread) -> None:
        last: Step | None = None
        while not self.stopping.asked:
            if self.noting.cancelled(run):
                return thread.drop_words()
            standing = thread.read_or_say()
            if isinstance(standing, Unreadable):
                self.hearing.take_back(run)
                return self.noting.unreadable(run, standing.reason)
            self._settle(run, standing, left_over=run.has_drafts and last is None)
            facts = self._facts(run, standing)
            if unfinished(facts.approvals):
                return
            step = next_step(facts)
            if step == last:
                return self.noting.fail(run, Trouble("it made no progress."))
            last = step
            if not self._do(run, thread, standing, step):
                return

    def _facts(self, run: Run, standing: Standing) -> Facts:
        return Facts(
            open_tasks=standing.open_tasks,
            half_done=standing.half_done,
            pending=standing.pending,
            approvals=tuple(approvals_of(self.db, run.id)),
            message=next_message(self.db, run),
            gated=not self.terms.ungated(run.agent),
            unanswered=standing.unanswered,
            frozen=find_freeze(self.db) is not None,
            cancelled_at=run.cancelled_at,
            open_calls=standing.open_calls,
        )

    def _do(self, run: Run, thread: Thread, standing: Standing, step: Step) -> bool:
        """One step; whether to look for another."""
        match step:
            case Record() | Close() | Abandon():
                self._write(run, thread, standing, step)
                return True
            case Apply(approvals, interrupt_id):
                return self._apply(run, thread, approvals, interrupt_id)
            case Continue():
                return self.noting.let_run(run, thread.go_on)
            case Deliver(message):
                self.hearing.keep_answer(run, standing)
                return self.noting.let_run(run, lambda: self.hearing.deliver(run, thread, standing, message))
            case EndRun(_, reason):
                cancel_run(self.db, run.id, WORKER, reason)
                return True
            case GiveUp(reason):
                self.noting.give_up(run, reason)
                return False
            case RestWaiting(approvals):
                set_status(self.db, run, RunStatus.WAITING)
                for lost in (a for a in approvals if a.effect is Effect.UNKNOWN):
                    self.showing.card(lost.id)
                self.noting.rest(run, waiting_for(approvals), ended=False)
                return False
            case RestDone():
                self.hearing.keep_answer(run, standing)
                set_status(self.db, run, RunStatus.DONE)
                prune(self.kept.saver, run.id)
                self.noting.rest(run, "done", ended=True)
                return False
            case _:
                assert_never(step)

    def _write(self, run: Run, thread: Thread, standing: Standing, step: Record | Close | Abandon) -> None:
        """A step that changes rows, and runs nothing of the agent."""
        match step:
            case Record(questions):
                self.asking.record(run, thread, standing, questions)
            case Close(approvals):
                self.asking.close(run, approvals)
            case Abandon(reason):
                self.asking.give_up_turn(run, thread, reason)
            case _:
                assert_never(step)

    def _apply(self, run: Run, thread: Thread, approvals: Sequence[Approval], interrupt_id: str) -> bool:
        answer = answer_to(approvals)
        if isinstance(answer, NoAnswer):
            raise RuntimeError(f"{approvals[0].id} has no answer for its pause, and was to be applied all the same.")
        refused = partial(self._refused, run, thread)
        return self.noting.let_run(run, lambda: thread.answer(interrupt_id, answer), refused)

    def _refused(self, run: Run, thread: Thread, error: Exception) -> bool:
        """LangGraph checks an answer against the question's own schema before it saves it: it saved nothing, and a
        second try would end the same way."""
        log.warning("answer.refused", run_id=run.id, error=type(error).__name__)
        self.asking.give_up_turn(run, thread, "the agent's own check refused the answer")
        return True
