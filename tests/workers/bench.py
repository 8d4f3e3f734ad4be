"""One worker's runner in the test's own process: real Postgres, real LangGraph, real gate and guard; no Slack
and no queue, which have tests of their own."""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool

from approvals.config.values import AgentConfig
from approvals.ledger.database import Database
from approvals.ledger.decide import Edited, Outcome, decide
from approvals.ledger.find import find_approval, find_run, list_approvals
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.status_line import note_doing
from approvals.records import Approval, Run, RunId
from approvals.rules.digest import canonical, rule_hash
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import Approvers, Rule
from approvals.rules.select_rule import Policy, ToolRule
from approvals.rules.words import DecisionType, Door, Gate, Say
from workers.agents.fleet import Fleet
from workers.agents.live import LiveAgents
from workers.agents.load import load_agent
from workers.agents.models import load_model
from workers.agents.speech import load_speech
from workers.checkpoints import Kept
from workers.fences import Fences
from workers.foreign import Terms
from workers.gate import CountersignGate
from workers.mcp.servers import Servers
from workers.noting import Showing
from workers.progress import Teller
from workers.question import Reach
from workers.runner import Runner
from workers.thread import Agent

OBEDIENT = "python:tests.workers.agents:model"
BO = Person("U0BO", "T1", Standing.MEMBER)
ANA = Person("U0ANA", "T1", Standing.MEMBER)


def a_rule(gate: Gate = Gate.ALWAYS, **more: Any) -> Rule:
    values: dict[str, Any] = {
        "gate": gate,
        "decisions": tuple(DecisionType),
        "approvers": (Approvers(name="oncall", users=(BO.user_id,)),),
        "timeout": timedelta(minutes=30),
    }
    return Rule(**{**values, **more})


def a_policy(**rules: Rule) -> Policy:
    """Everything is gated but `look`, and but what is said otherwise."""
    named = {"look": a_rule(Gate.NEVER), **rules}
    return Policy(defaults=a_rule(), tools=tuple(ToolRule(pattern=n, rule=r) for n, r in named.items()))


@dataclass
class Bench:
    db: Database
    fleet: Fleet
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    shown: list[str] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)

    def runner(
        self,
        factory: str = "build",
        policy: Policy | None = None,
        model: str = OBEDIENT,
        servers: Servers | None = None,
        **config_keys: Any,
    ) -> Runner:
        """A worker process's runner, as of a deploy with this factory, policy and model."""
        kept, fences = Kept(self.db.url), Fences()
        self.kept.append(kept)
        policy = policy or a_policy()
        reach = Reach(self.db, policy, fences.of)
        path = factory if ":" in factory else f"tests.workers.agents:{factory}"
        config = AgentConfig("tester", path, model, **config_keys)

        def builds(one: AgentConfig, tools: Sequence[BaseTool]) -> Agent:
            return load_agent(one, loaded, CountersignGate(reach, tools), kept.saver)

        loaded = load_model("tester", model, config.model_timeout)
        showing = Showing(card=self.shown.append, posts=lambda run_id: None, status_line=lambda run_id: None)
        teller = Teller(partial(note_doing, self.db))
        return Runner(
            db=self.db,
            kept=kept,
            agents=LiveAgents({"tester": config}, servers or Servers((), {}), builds),
            fences=fences,
            showing=showing,
            teller=teller,
            terms=Terms(policy, {"tester": config}),
            speech=load_speech({"tester": config}),
        )

    def ask(self, *turns: Any, run: Run | None = None, author: str = ANA.user_id) -> RunId:
        """A person asks the agent to make these calls, turn by turn."""
        number = next(self.numbers)
        thread = run.thread_ts if run else f"{number}.0"
        message = NewMessage("T1", "C1", thread, f"{number}.0", author, json.dumps(turns))
        return start_run(self.db, "tester", message).run.id

    def approvals(self, run_id: RunId) -> list[Approval]:
        """The run's approvals, oldest first."""
        return sorted((a for a in list_approvals(self.db) if a.run_id == run_id), key=lambda a: (a.opened_at, a.id))

    def only(self, run_id: RunId) -> Approval:
        (approval,) = self.approvals(run_id)
        return approval

    def again(self, approval: Approval) -> Approval:
        found = find_approval(self.db, approval.id)
        assert found is not None
        return found

    def decide(self, approval: Approval, say: Say, person: Person = BO, note: str | None = None) -> Outcome:
        return decide(self.db, self.again(approval).key, say, person, Door.COMMAND_LINE, note)

    def edit(self, approval: Approval, person: Person = BO, **args: object) -> Outcome:
        """The call with these arguments in place of its own; the policy has the same rule for it."""
        row = self.again(approval)
        edited = Edited(canonical({**json.loads(row.args_json), **args}), rule_hash(row.rule))
        return decide(self.db, row.key, Say.EDIT, person, Door.MODAL, edited=edited)

    def doing(self, run_id: RunId) -> list[tuple[str, bool]]:
        """What the run's status lines say, oldest first, and whether that turn is over."""
        with self.db.transaction() as tx:
            rows = tx.execute(
                "SELECT doing, ended_at FROM status_lines WHERE run_id = %s ORDER BY began_at", (run_id,)
            ).fetchall()
        return [(row["doing"], row["ended_at"] is not None) for row in rows]

    def run(self, run_id: RunId) -> Run:
        found = find_run(self.db, run_id)
        assert found is not None
        return found

    def effects(self) -> list[dict[str, Any]]:
        """What really happened, from outside the app, without when."""
        return [{k: v for k, v in effect.items() if k != "at"} for effect in self.fleet.effects()]

    def sql(self, statement: str, *values: object) -> None:
        with self.db.transaction() as tx:
            tx.execute(statement, values)

    def expire(self, approval: Approval) -> None:
        self.sql("UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = %s", approval.id)

    def history(self, runner: Runner, run_id: RunId) -> list[BaseMessage]:
        state = runner.agents["tester"].get_state({"configurable": {"thread_id": run_id}})
        messages: list[BaseMessage] = state.values["messages"]
        return messages

    def heard(self, runner: Runner, run_id: RunId) -> str:
        """What the agent said last; the test's model repeats the tool messages it was given."""
        last = self.history(runner, run_id)[-1]
        assert isinstance(last, AIMessage)
        assert not last.tool_calls
        return last.text


def has_one_answer_per_call(messages: list[BaseMessage]) -> bool:
    """What every provider demands of a history."""
    calls = [call["id"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]
    answers = [m.tool_call_id for m in messages if isinstance(m, ToolMessage)]
    return sorted(filter(None, calls)) == sorted(answers)
