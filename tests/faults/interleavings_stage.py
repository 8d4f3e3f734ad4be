"""The stage of the interleavings: two runs on the real ledger. The agents, Slack and Redis are played (a tool is a
list of effects, Redis a list of run ids); every row is written by the product's own verbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine

from approvals.ledger.apply import mark_applied
from approvals.ledger.claim import Claimed
from approvals.ledger.end_run import see_run
from approvals.ledger.hear import hear
from approvals.ledger.lose import lose_started
from approvals.ledger.rows import state_of
from approvals.ledger.run_status import note_failure
from approvals.ledger.start_run import NewMessage
from approvals.ledger.try_again import TriedAgain, try_again
from approvals.records import Approval, ApprovalKey, Run, RunId
from approvals.rules.digest import rule_hash
from approvals.rules.may_decide import Person
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.transitions import CLEARED, State
from approvals.rules.words import DecisionType, Door, Effect, Status
from tests.approvals.ledger.world import ANA, BO, CY, DEE, GUS, World, a_rule
from tests.faults.interleavings_oracle import Done, wrong

APPROVERS = (Approvers(name="oncall", users=(ANA.user_id, BO.user_id, CY.user_id)),)
LEADS = (Escalation(after=timedelta(minutes=10), to=(Approvers(name="leads", users=(DEE.user_id,)),)),)


@dataclass
class Hand:
    """A worker process in the middle of one call; `acted` once the tool has run."""

    claimed: Approval
    acted: bool = False


class Play(RuleBasedStateMachine):
    """Ana asks, and is on the list of approvers herself; Bo and Cy decide; Dee only after an escalation; Gus never."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world, self.db = world, world.db
        self.tool_hash, self.quorum = "tool-1", 1
        self.runs: dict[RunId, Run] = {}
        self.calls: list[Approval] = []
        self.seen: list[ApprovalKey] = []
        self.said: list[NewMessage] = []
        self.redis: list[RunId] = []
        self.hands: list[Hand] = []
        self.effects: list[Done] = []

    def policy(self, question: bool = False) -> Rule:
        """As the policy has it since the last deploy."""
        if question:
            return a_rule(decisions=(DecisionType.RESPOND,), approvers=APPROVERS, escalate=LEADS)
        return a_rule(quorum=self.quorum, approvers=APPROVERS, escalate=LEADS)

    def ask(self, run: Run, **more: Any) -> None:
        approval = self.world.approval(run=run, tool_hash=self.tool_hash, **{"rule": self.policy(), **more})
        self.calls.append(approval)
        self.seen.append(approval.key)

    def call(self, number: int) -> Approval:
        return self.world.now(self.calls[number % len(self.calls)])

    def run(self, number: int) -> Run:
        return list(self.runs.values())[number % len(self.runs)]

    def those_at(self, state: State) -> list[Approval]:
        return [a for a in map(self.world.now, self.calls) if state_of(a) == state]

    def wake(self, run_id: RunId) -> None:
        self.redis.append(run_id)

    def deliver(self, message: NewMessage, person: Person) -> None:
        if person is GUS:
            return  # The bot turns guests away before they are heard.
        hear(self.db, message, person)

    def begin(self, run_id: RunId) -> None:
        self.runs[run_id] = self.world.next_tenure(run_id)
        lose_started(self.db, self.runs[run_id])

    def fail_and_press(self, run: Run, people: Sequence[Person]) -> None:
        """The agent raised as often as it may; then all of these press, of whom the second may."""
        note_failure(self.db, run, "the agent raised ValueError.", tries=1)
        pressed = [try_again(self.db, see_run(self.db, run.id), one, Door.CARD) for one in people]
        assert sum(isinstance(one, TriedAgain) for one in pressed) == 1
        self.wake(run.id)

    def claim(self, approval: Approval, fence: int) -> None:
        question = tuple(approval.rule.decisions) == (DecisionType.RESPOND,)
        today = {"tool_hash": self.tool_hash, "rule_hash": rule_hash(self.policy(question)), "fence": fence}
        outcome = self.world.try_claim(approval, **today)
        if isinstance(outcome, Claimed):
            self.hands.append(Hand(outcome.approval))

    def hear_what_came_of_it(self, run: Run) -> None:
        """As the runner: of what is cleared it hears only once it has run."""
        for approval in map(self.world.now, self.calls):
            over = approval.status is not Status.PENDING and approval.effect not in (Effect.STARTED, Effect.UNKNOWN)
            cleared = state_of(approval) == CLEARED
            if approval.run_id == run.id and approval.applied_at is None and over and not cleared:
                mark_applied(self.db, run, approval.id)

    def check(self, *also: str) -> None:
        """Nothing is wrong."""
        found = [*also, *wrong(self.db, list(self.runs), self.effects)]
        assert not found, "\n".join(found)
