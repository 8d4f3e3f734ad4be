"""A run's questions as rows: opened, closed when the agent has gone on, given up with the turn that asked them. Pushes
no agent."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from approvals.ledger.abandon import abandon
from approvals.ledger.apply import mark_applied, withdraw
from approvals.ledger.database import Database
from approvals.ledger.find import approvals_of, setting_of
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.records import Approval, ApprovalId, Run
from approvals.rules.redact import hide_text
from approvals.rules.words import Shape, Status
from workers.foreign import Terms, propose
from workers.interrupts import Asked
from workers.telling import told_when_abandoned
from workers.thread import Standing, Thread


@dataclass(frozen=True, slots=True)
class Asking:
    """What the runner does to the rows of what an agent asks."""

    db: Database
    terms: Terms
    show: Callable[[ApprovalId], None]

    def record(self, run: Run, thread: Thread, standing: Standing, questions: Sequence[Proposal | Asked]) -> None:
        """All rows first, then the cards: Slack may be slow, and nothing pending may wait for it."""
        setting = setting_of(self.db, run.id)
        proposals = [
            one if isinstance(one, Proposal) else propose(self.terms, setting, with_schema(one, thread), standing.claim)
            for one in questions
        ]
        # The words of a turn are about all its calls: each card would show what another one hides.
        told = [replace(one, claim=hide_text(one.claim, standing.secrets)) for one in proposals]
        for opened in [open_approval(self.db, run, proposal) for proposal in told]:
            if opened is not None:
                self.show(opened.id)

    def close(self, run: Run, approvals: Sequence[Approval]) -> None:
        """The agent has gone on from them."""
        for approval in approvals:
            end = withdraw if approval.status is Status.PENDING else mark_applied
            end(self.db, run, approval.id)
            self.show(approval.id)

    def give_up_turn(self, run: Run, thread: Thread, reason: str) -> None:
        """The rows first: from then on nothing of the turn can run, wherever this ends."""
        known = approvals_of(self.db, run.id)
        for closed in abandon(self.db, run, reason):
            self.show(closed.id)
        thread.close_turn(lambda call: told_when_abandoned(call["name"], call["id"], known, reason))


def with_schema(asked: Asked, thread: Thread) -> Asked:
    """With what the tool's arguments may be, where the question about the call does not say it."""
    if asked.shape is not Shape.BATCHED:
        return asked
    return replace(asked, args_schema=thread.arguments_of(asked.kind) or plain_schema(asked.args_json))


def plain_schema(args_json: str) -> dict[str, Any]:
    """The arguments as they are, each of its own kind: text stays text in a form."""
    kinds = ((str, "string"), (bool, "boolean"), (int, "integer"), (float, "number"))
    args: dict[str, object] = json.loads(args_json)
    named = {name: next((kind for of, kind in kinds if isinstance(value, of)), None) for name, value in args.items()}
    return {"type": "object", "properties": {name: {"type": kind} if kind else {} for name, kind in named.items()}}
