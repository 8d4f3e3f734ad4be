"""What is noted on a run, for people to see: that its agent was let run and what it raised, that it rests, failed, was
given up or has ended. Decides nothing, and runs nothing but what it is handed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
import structlog
from langgraph.errors import GraphDrained, UnknownInterruptError, is_invalid_resume

from approvals.ledger.cancel_run import end_cancelled
from approvals.ledger.database import Database
from approvals.ledger.run_status import TRIES, note_failure, note_stuck, set_status
from approvals.ledger.status_line import note_doing
from approvals.ledger.tenure import FenceRaised
from approvals.records import ApprovalId, Run, RunId
from approvals.rules.words import RunStatus
from workers.ending import RunCancelled
from workers.progress import Teller
from workers.trouble import Trouble, trouble_of

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Showing:
    """How the rest of the house hears of what changed. Neither call raises on Slack trouble."""

    card: Callable[[ApprovalId], None]
    posts: Callable[[RunId], None]
    status_line: Callable[[RunId], None]
    # Before the process ends: what was asked for is shown, if Slack is quick enough.
    finish: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Noting:
    """What the runner does to how a run stands."""

    db: Database
    showing: Showing
    teller: Teller

    def rest(self, run: Run, doing: str, *, ended: bool) -> None:
        """The last thing that the status line says in this tenure."""
        self.teller.hush()
        note_doing(self.db, run.id, doing, ended=ended)
        self.showing.status_line(run.id)

    def cancelled(self, run: Run) -> bool:
        """Whether somebody has ended the run; then it ends here, between two steps."""
        cancelled = end_cancelled(self.db, run)
        if cancelled is None:
            return False
        for approval in cancelled:
            self.showing.card(approval.id)
        self.rest(run, "cancelled", ended=True)
        return True

    def unreadable(self, run: Run, reason: str) -> None:
        """Closed after a few tries: by itself and in sight of everybody, its approvals can lead nowhere."""
        if run.failures + 1 < TRIES:
            self.fail(run, Trouble(reason))
        else:
            self.give_up(run, reason)

    def give_up(self, run: Run, reason: str) -> None:
        """It cannot go on, and trying again would not help."""
        for cancelled in note_stuck(self.db, run, reason):
            self.showing.card(cancelled.id)
        self.rest(run, "stopped", ended=True)

    def let_run(self, run: Run, push: Callable[[], None], refused: Callable[[Exception], bool] | None = None) -> bool:
        """Let the agent run; whether to look for another step. Whatever it raises is noted on the run."""
        set_status(self.db, run, RunStatus.RUNNING)
        try:
            push()
        except (FenceRaised, psycopg.OperationalError):
            raise
        except GraphDrained:
            # Stopped between two of the agent's steps: another worker goes on from there.
            return False
        except RunCancelled:
            # Cut off in its words: nothing of them is saved, and the run is ended between this step and the next.
            return False
        except UnknownInterruptError:
            # The question is gone: read again, and do what the thread now calls for.
            return True
        except Exception as error:
            if refused is not None and is_invalid_resume(error):
                return refused(error)
            log.warning("agent.raised", run_id=run.id, error=type(error).__name__, exc_info=True)
            self.fail(run, trouble_of(error, datetime.now(UTC)))
            return False
        return True

    def fail(self, run: Run, trouble: Trouble) -> None:
        """It did not come to an end: tried again, or stopped where people see it."""
        # Nothing that it was about to say may come after this.
        self.teller.hush()
        status = note_failure(self.db, run, trouble.reason, tries=trouble.tries, not_before=trouble.not_before)
        log.warning("run.faltered", run_id=run.id, status=status, reason=trouble.reason)
        self.showing.status_line(run.id)
