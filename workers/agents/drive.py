"""Drives every tool that an agent can get to: the real graphs and the real gate, a scripted model, and tools that do
nothing. Needs no run and no database: nothing is recorded, and nothing is ever permitted."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Final, NoReturn

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langsmith import tracing_context

from approvals.config.values import AgentConfig
from approvals.ledger.claim import CallRef
from approvals.ledger.database import Database
from approvals.ledger.find import Setting
from approvals.records import Approval, RunId
from approvals.rules.select_rule import Policy, select_rule
from approvals.rules.words import Gate
from workers.agents.harmless import Harmless
from workers.agents.load import built, check_gate, where_of
from workers.agents.models import first_line
from workers.agents.named import AgentUnusable
from workers.agents.reach import reachable
from workers.agents.scripted import Scripted, Stage
from workers.agents.speech import check_speech
from workers.agents.tool_names import tools_in
from workers.agents.trials import Trial, trials
from workers.arguments import Args, BadArguments, normalise
from workers.gate import CountersignGate
from workers.outside import known_as
from workers.question import Reach, as_call
from workers.thread import Agent
from workers.time_limit import TooSlow, within

CALL_SECONDS: Final = 10.0
# A conversation of one call takes a handful of steps, each with the agent's middlewares around it.
MOST_STEPS: Final = 60
NOWHERE: Final = "postgresql://127.0.0.1:1/nowhere"


@dataclass(slots=True)
class Driven:
    """What came of it: how many calls were asked about, and how many free ones ran or asked by themselves, in how many
    `graphs`; those that ran `unasked` although the policy gates them; those for which no arguments could be `made_up`;
    and those that were `not_made` for another reason. As text: `strike in the agent itself`, with the reason behind.
    `tools`: all that it has, by the names of the policy."""

    graphs: int
    asked: int = 0
    free: int = 0
    unasked: list[str] = field(default_factory=list)
    made_up: list[str] = field(default_factory=list)
    not_made: list[str] = field(default_factory=list)
    tools: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True, slots=True)
class Rehearsed(Reach):
    """The gate's reach where there are no runs: it knows no call, and whoever wants to claim one is stopped."""

    made_in: Setting

    def known(self, call: CallRef) -> Approval | None:
        """Nobody was ever asked."""
        return None

    def setting(self, call: CallRef) -> Setting:
        """The same for every call."""
        return self.made_in

    def note(self, call: CallRef, tool: str, args: Args) -> None:
        """Nowhere."""

    def look(self, tool: BaseTool, args: Args) -> None:
        """Not taken: it would be the tool's own code."""


@dataclass(frozen=True, slots=True)
class Around:
    """What all trials of an agent have in common."""

    policy: Policy
    setting: Setting
    harmless: Harmless
    stage: Stage
    ends: float

    def begin(self) -> None:
        """From now on nothing acts."""
        self.harmless.begin()
        self.stage.begin()

    def end(self) -> None:
        """Everything is what it was."""
        self.stage.end()
        self.harmless.end()


def permits_nothing(run_id: RunId) -> NoReturn:
    """In a fence's place: whoever permits asks for it first."""
    raise RuntimeError("A rehearsal permits nothing.")


def drive(config: AgentConfig, policy: Policy, seconds: float, outside: Sequence[BaseTool] = ()) -> Driven:
    """Every tool of the agent, with those that it has from `outside`. What is left after so many seconds is not made.
    Raises AgentUnusable, also for an agent that no worker would load; TooSlow for a factory that does not return."""
    around = Around(policy, Setting(config.name, "", ""), Harmless(), Stage(), monotonic() + seconds)
    around.begin()
    try:
        agent = within(seconds, partial(made, config, around, outside))
        found = [one for one in reachable(agent) if one.tools]
        driven, refusal = Driven(len(found), tools=tools_in(agent)), refusal_of(agent, config)
        # Both look into the tools' own functions, which nothing can after they are covered.
        to_make = list(trials(found))
        around.harmless.cover(tool for one in found for tool in one.tools)
        goes_on = make_all(to_make, around, driven)
    except TooSlow:
        raise
    except BaseException:
        around.end()
        raise
    # What goes on somewhere finds harmless tools, and models that are not asked, as long as this process lives.
    if not goes_on:
        around.end()
    if refusal and not driven.unasked:
        raise refusal
    return driven


def refusal_of(agent: Agent, config: AgentConfig) -> AgentUnusable | None:
    """Why no worker would load it, if so."""
    try:
        check_gate(where_of(config), agent, config)
        check_speech(where_of(config), agent.channels, config)
    except AgentUnusable as error:
        return error
    return None


def make_all(all_trials: Iterable[Trial], around: Around, driven: Driven) -> bool:
    """Make every call that there is time for; whether one of them did not come to an end."""
    for trial in all_trials:
        if monotonic() > around.ends:
            driven.not_made.append(f"{trial.path} and what would have come after it (the time was over)")
            return False
        try:
            attempt(trial, around, driven)
        except TooSlow:
            after = f"it did not end within {CALL_SECONDS:g} s"
            driven.not_made.append(f"{trial.path} and what would have come after it ({after})")
            return True
    return False


def made(config: AgentConfig, around: Around, outside: Sequence[BaseTool]) -> Agent:
    """The agent as its factory makes it, with the gate, and with a model of ours."""
    reach = Rehearsed(Database(NOWHERE), around.policy, permits_nothing, around.setting)
    return built(config, Scripted(), CountersignGate(reach, outside), InMemorySaver())


def attempt(trial: Trial, around: Around, driven: Driven) -> None:
    """Make one call, and note what came of it. Raises TooSlow."""
    try:
        gates = gates_of(trial, around.policy, around.setting)
        if isinstance(gates, BadArguments):
            driven.made_up.append(f"{trial.path} ({gates.message})")
            return
        paused, said = within(CALL_SECONDS, partial(conversation, trial, around.harmless, around.stage))
    except TooSlow:
        raise
    except Exception as error:  # noqa: BLE001 - the agent's own code, which may raise anything
        driven.not_made.append(f"{trial.path} (it raised {first_line(error)})")
        return
    note(driven, trial, gates, ran=trial.tool.name in around.harmless.ran, paused=paused, said=said)


def gates_of(trial: Trial, policy: Policy, setting: Setting) -> list[Gate] | BadArguments:
    """What the policy says of each call, for these very arguments."""
    gates = []
    for tool, call in zip(trial.tools, trial.calls, strict=True):
        args = normalise(tool, call["args"])
        if isinstance(args, BadArguments):
            return args
        gates.append(select_rule(policy, as_call(known_as(tool, tool.name), args, setting)).gate)
    return gates


def conversation(trial: Trial, harmless: Harmless, stage: Stage) -> tuple[bool, str]:
    """Whether the graph stopped at a question; and what became of the call where it neither stopped nor ran."""
    harmless.ran.clear()
    script = stage.script = trial.script()
    # A subagent has no saver of its own.
    graph: Any = trial.first.graph.copy({"checkpointer": InMemorySaver()})
    config: RunnableConfig = {"configurable": {"thread_id": uuid.uuid4().hex}, "recursion_limit": MOST_STEPS}
    # No tracer is told either, whatever the environment says.
    with harmless.real(trial.over), tracing_context(enabled=False):
        graph.invoke({"messages": [HumanMessage("A rehearsal.")]}, config)
    state = graph.get_state(config)
    paused = any(task.interrupts for task in state.tasks)
    return paused, last_said(state.values) if script.asked else "its graph asked no model"


def last_said(values: Any) -> str:
    """What the model was told in place of a result."""
    messages = values.get("messages", []) if isinstance(values, dict) else []
    told = [message.text for message in messages if isinstance(message, ToolMessage)]
    return " ".join(told[-1].split())[:200] if told else "its graph did not make the call"


def note(driven: Driven, trial: Trial, gates: list[Gate], *, ran: bool, paused: bool, said: str) -> None:
    """What it means. A call that hands work on and is gated itself is asked about in place of what it would lead to."""
    if Gate.ALWAYS in gates and ran:
        driven.unasked.append(trial.path)
    elif Gate.ALWAYS in gates and paused:
        driven.asked += 1
    elif Gate.ALWAYS not in gates and (ran or paused):
        driven.free += 1
    else:
        driven.not_made.append(f"{trial.path} ({said})")
