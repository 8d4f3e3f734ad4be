"""People, rules and rows for tests of the ledger: a run that a worker holds, and approvals in any state."""

import itertools
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from approvals.ledger.claim import CallRef, Claimed, ClaimOutcome, claim
from approvals.ledger.database import Database, Row
from approvals.ledger.decide import Outcome, decide
from approvals.ledger.deliver import mark_delivered, mark_handed, next_message
from approvals.ledger.find import find_approval, find_run
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval, Run, RunId
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.transitions import CLEARED, DONE, FAILED, PAUSED, STARTED, UNKNOWN, WAITING, State
from approvals.rules.words import DecisionType, Door, Effect, Gate, RunStatus, Say, Status

ANA = Person("U0ANA", "T1", Standing.MEMBER)
BO = Person("U0BO", "T1", Standing.MEMBER)
CY = Person("U0CY", "T1", Standing.MEMBER)
DEE = Person("U0DEE", "T1", Standing.MEMBER)
GUS = Person("U0BO", "T1", Standing.GUEST)

TOOL_HASH = "tool-1"
# Worlds share a database: no two messages or calls are the same.
NUMBERS = itertools.count(1)
CLOSED_STATUSES = (Status.REJECTED, Status.ANSWERED, Status.EXPIRED, Status.CANCELLED, Status.SUPERSEDED)
CLOSED = tuple(State(status, Effect.NONE) for status in CLOSED_STATUSES)
STATES = (WAITING, CLEARED, STARTED, PAUSED, DONE, FAILED, UNKNOWN, *CLOSED)


def a_rule(**more: Any) -> Rule:
    """Bo and Cy may decide; one of them is enough."""
    values: dict[str, Any] = {
        "gate": Gate.ALWAYS,
        "decisions": tuple(DecisionType),
        "approvers": (Approvers(name="oncall", users=(BO.user_id, CY.user_id)),),
        "timeout": timedelta(minutes=30),
        "remind": (timedelta(minutes=5),),
        "escalate": (Escalation(after=timedelta(minutes=10), to=(Approvers(name="leads", users=(CY.user_id,)),)),),
        "extend": 2,
    }
    return Rule(**{**values, **more})


def a_message(number: object, thread: object = None, author: str = ANA.user_id, text: str = "restart it") -> NewMessage:
    return NewMessage("T1", "C1", f"{thread or number}.0", f"{number}.0", author, text)


@dataclass
class World:
    """Ana asks. Rows are put into a state, and aged, by SQL."""

    db: Database

    def sql(self, statement: str, *values: object) -> list[Row]:
        with self.db.transaction() as tx:
            cursor = tx.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def queued_run(self) -> Run:
        """Ana's message, which the agent has not been given."""
        return start_run(self.db, "oncall", a_message(next(NUMBERS))).run

    def run(self) -> Run:
        """Ana's run, held by a worker, with her message delivered to the agent."""
        run = self.next_tenure(self.queued_run().id)
        message = next_message(self.db, run)
        assert message is not None
        mark_handed(self.db, run, message)
        mark_delivered(self.db, run, message)
        return run

    def next_tenure(self, run_id: RunId) -> Run:
        run = raise_fence(self.db, run_id)
        assert run is not None
        return run

    def rest(self, run: Run, status: RunStatus) -> None:
        self.sql("UPDATE runs SET status = %s WHERE id = %s", status, run.id)

    def proposal(self, **more: Any) -> Proposal:
        number = next(NUMBERS)
        values: dict[str, Any] = {
            "interrupt_id": f"i{number}",
            "checkpoint_ns": "",
            "tool_call_id": f"call{number}",
            "tool": "restart",
            "tool_hash": TOOL_HASH,
            "args_json": '{"service":"checkout"}',
            "rule": more.pop("rule", None) or a_rule(),
            "claim": "12 of 12 pods answer 500",
        }
        return Proposal(**{**values, **more})

    def approval(self, state: State = WAITING, *, run: Run | None = None, **more: Any) -> Approval:
        """A gated call that paused the agent, at the state given."""
        run = run or self.run()
        opened = open_approval(self.db, run, self.proposal(**more))
        assert opened is not None
        if state != WAITING:
            begun = state.effect is not Effect.NONE
            self.sql(
                "UPDATE approvals SET status = %s, effect = %s, decided_at = now(), decided_by = %s,"
                " effect_fence = %s WHERE id = %s",
                *(state.status, state.effect, BO.user_id, run.fence if begun else None, opened.id),
            )
        return self.now(opened)

    def now(self, approval: Approval) -> Approval:
        found = find_approval(self.db, approval.id)
        assert found is not None
        return found

    def run_now(self, run: Run) -> Run:
        found = find_run(self.db, run.id)
        assert found is not None
        return found

    def row(self, approval: Approval) -> Row:
        """Every column, as it is in the database."""
        return self.sql("SELECT * FROM approvals WHERE id = %s", approval.id)[0]

    def age(self, approval: Approval, by: str = "1 hour") -> None:
        """Make the approval older, and so overdue."""
        self.sql("UPDATE approvals SET expires_at = now() - %s::interval WHERE id = %s", by, approval.id)

    def decide(self, approval: Approval, say: Say, person: Person = BO, note: str | None = None) -> Outcome:
        """Through a card that shows the approval as it was when this value was read."""
        return decide(self.db, approval.key, say, person, Door.CARD, note)

    def try_claim(self, approval: Approval, **changed: Any) -> ClaimOutcome:
        """As the guard does it, but for what is changed."""
        call = CallRef(
            changed.pop("run_id", approval.run_id),
            changed.pop("checkpoint_ns", approval.checkpoint_ns),
            changed.pop("tool_call_id", approval.tool_call_id),
        )
        run = find_run(self.db, approval.run_id)
        assert run is not None
        now: dict[str, Any] = {"tool_hash": TOOL_HASH, "rule_hash": approval.rule_hash, "fence": run.fence}
        return claim(self.db, call, **{**now, **changed})

    def claim(self, approval: Approval) -> Approval:
        outcome = self.try_claim(approval)
        assert isinstance(outcome, Claimed)
        return outcome.approval

    def audit(self, approval: Approval) -> list[Row]:
        """What the log says about the approval, oldest first."""
        return self.sql("SELECT * FROM audit_log WHERE approval_id = %s ORDER BY id", approval.id)

    def actions(self, approval: Approval) -> list[str]:
        return [row["action"] for row in self.audit(approval)]
