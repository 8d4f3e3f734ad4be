"""One say from the command line: by the same rule as every other door, then a wake-up."""

from dataclasses import dataclass

from redis import Redis

from approvals.ledger.database import Database
from approvals.ledger.decide import Counted, Decided, Outcome, decide
from approvals.ledger.find import find_approval
from approvals.process import CannotStart
from approvals.records import Approval, ApprovalId, ApprovalKey
from approvals.rules.words import Door, Say, Status
from approvals.settings import Settings
from approvals.wakeup import Wakeups, connect
from ops.sentences import sentence
from ops.who import who_is

SWEEP_WAKES = "The sweep wakes the run"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed. `revision` and `attempt`: those that the person looked at, if they say so."""

    approval_id: str
    say: Say
    user_id: str
    note: str | None
    revision: int | None
    attempt: int | None

    def key(self, approval: Approval | None) -> ApprovalKey:
        """The approval as it was looked at; as it stands, where they did not say."""
        now = approval.key if approval else ApprovalKey(ApprovalId(self.approval_id), 1, 1)
        return ApprovalKey(now.id, self.revision or now.revision, self.attempt or now.attempt)


@dataclass(frozen=True, slots=True)
class Said:
    """What came of it. `woken` is None where no run had to be woken."""

    outcome: Outcome
    words: str
    woken: bool | None

    @property
    def recorded(self) -> bool:
        """Whether it counts."""
        return isinstance(self.outcome, Decided | Counted)


def record(db: Database, settings: Settings, asked: Asked) -> Said:
    """Look, ask who it is, decide, and wake the run."""
    redis = redis_of(settings)
    approval = find_approval(db, asked.approval_id)
    known = who_is(asked.user_id, approval, settings)
    outcome = decide(db, asked.key(approval), asked.say, known.person, Door.COMMAND_LINE, asked.note)
    words = sentence(outcome, asked.say, known)
    woken = wake(redis, outcome)
    if woken is False and isinstance(outcome, Decided):
        why = "Redis does not answer" if redis else "REDIS_URL is not set"
        words = f"{words} {SWEEP_WAKES} within seconds, as {why} here."
    return Said(outcome, words, woken)


def redis_of(settings: Settings) -> Redis | None:
    """A client, which has not connected yet; None where none is named. Before anything is recorded: an address
    that cannot be one is a mistake to correct first."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return None
    try:
        return connect(url)
    except ValueError:
        raise CannotStart("REDIS_URL is not an address that Redis understands; correct it.") from None


def wake(redis: Redis | None, outcome: Outcome) -> bool | None:
    """After the commit. A refusal may have found the approval expired: the agent is told that too."""
    approval = outcome.approval
    if approval is None or approval.status is Status.PENDING:
        return None
    return Wakeups(redis).wake(approval.run_id) if redis else False
