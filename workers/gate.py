"""The gate asks. One LangChain human-in-the-loop middleware in per-call mode, whose rules are looked up at
call time and whose tool, once a person said yes, is behind the guard. Decides nothing itself."""

import json
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.middleware.human_in_the_loop import InterruptOnConfig
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool

from approvals.ledger.claim import CallRef
from approvals.ledger.database import Database
from approvals.ledger.find import find_call
from approvals.records import Approval, RunId
from approvals.rules.digest import canonical
from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Policy, fill_summary, select_rule
from approvals.rules.words import DecisionType, Gate
from workers.arguments import Args, BadArguments, identity_hash, normalise
from workers.guard import GuardedTool, Permit
from workers.outcomes import Outcome, as_text, refused
from workers.telling import told_when_closed

PROVENANCE = "countersign"
CLAIM_LIMIT = 3000
Handler = Callable[[ToolCallRequest], Outcome]


@dataclass(frozen=True, slots=True)
class Question:
    """One call as people will see it: its normalised arguments, its rule, what the agent says about it."""

    call: CallRef
    args: Args
    rule: Rule
    tool_hash: str
    claim: str


# Set around one call, in that call's own thread and context. Unset means: nobody prepared this question.
ASKING: ContextVar[Question | None] = ContextVar("countersign_asking", default=None)


class AskedNow(dict[str, InterruptOnConfig]):
    """What HITL may be answered with, for the call at hand. Every name is gated; nothing is enumerated."""

    def get(self, name: str, default: object = None) -> InterruptOnConfig:
        """HITL's only look-up in per-call mode. `reject` is always possible: it is how silence, too, gets
        back to the agent. People are held to the row's rule, not to this list."""
        question = ASKING.get()
        offered = question.rule.decisions if question else ()
        allowed = dict.fromkeys([*offered, DecisionType.REJECT])
        return InterruptOnConfig(
            allowed_decisions=[decision.value for decision in allowed],
            description=fill_summary(question.rule.summary, name, question.args) if question else name,
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """What the gate reaches in this process: the ledger, the policy, and the fence under which runs go."""

    db: Database
    policy: Policy
    fence_of: Callable[[RunId], int]


class CountersignGate(HumanInTheLoopMiddleware[Any, Any, Any]):
    """Handed to an agent's factory as its first middleware."""

    def __init__(self, reach: Reach) -> None:
        super().__init__({}, interrupt_mode="per_call")
        # Assigned, not passed: the constructor copies what it is given into a plain dict.
        self.interrupt_on = AskedNow()
        self._reach = reach

    def wrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Outcome:
        """Ask about a gated call and run it behind its guard; let the others pass."""
        question = self._question(request)
        if question is None:
            return handler(request)
        if isinstance(question, BadArguments):
            return refused(dict(request.tool_call), question.message)
        token = ASKING.set(question)
        try:
            shown = request.override(tool_call={**request.tool_call, "args": question.args})
            outcome = super().wrap_tool_call(shown, self._guarded(question, handler))
        finally:
            ASKING.reset(token)
        return self._in_the_rows_words(question.call, request, outcome)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Outcome]]
    ) -> Outcome:
        """Refused: the guard and the ledger are synchronous, and a call that slips past them is worse."""
        raise NotImplementedError("Countersign runs agents synchronously; call the agent with invoke().")

    def _question(self, request: ToolCallRequest) -> Question | BadArguments | None:
        """The row's own question if the call was asked about before; else a new one; None if it is free."""
        name = request.tool_call["name"]
        if request.tool is not None and request.tool.name != name:
            return BadArguments(f"Not called: the call says {name!r} and its tool is {request.tool.name!r}.")
        if not request.tool_call["id"] and select_rule(self._reach.policy, of_tool(request)).gate is Gate.NEVER:
            return None
        call = call_ref(request)
        known = find_call(self._reach.db, call.run_id, call.checkpoint_ns, call.tool_call_id)
        if known is not None:
            return asked_before(call, known)
        rule = select_rule(self._reach.policy, of_tool(request))
        if rule.gate is Gate.NEVER:
            return None
        if request.tool is None:
            # Not passed on: a middleware behind the gate could put a tool in its place, and nobody would be asked.
            return BadArguments(f"Not called: {name!r} is not a valid tool of this agent.")
        if only_async(request.tool):
            return BadArguments(f"Not called: {name} runs in an event loop only, which this release does not do.")
        args = normalise(request.tool, request.tool_call["args"])
        if isinstance(args, BadArguments):
            return args
        return Question(call, args, rule, identity_hash(request.tool), last_words(request.state))

    def _guarded(self, question: Question, handler: Handler) -> Handler:
        """The rest of the chain, with the tool behind its guard."""
        reach = self._reach

        def run(request: ToolCallRequest) -> Outcome:
            rule = select_rule(reach.policy, of_tool(request))
            permit = Permit(reach.db, question.call, rule, reach.fence_of(question.call.run_id))
            guard = GuardedTool(request.tool, permit)
            if request.tool is None:
                return guard.invoke(dict(request.tool_call))
            # ToolNode and middlewares use a tool by its attributes; the guard has all of them.
            return handler(request.override(tool=cast(BaseTool, guard)))

        return run

    def _in_the_rows_words(self, call: CallRef, request: ToolCallRequest, outcome: Outcome) -> Outcome:
        """LangChain says "User rejected" whoever closed the call; say what really happened."""
        if not (isinstance(outcome, ToolMessage) and "lc_source" in outcome.additional_kwargs):
            return outcome
        row = find_call(self._reach.db, call.run_id, call.checkpoint_ns, call.tool_call_id)
        words = told_when_closed(row) if row else None
        return outcome if words is None else refused(dict(request.tool_call), words)

    def _tool_approval_request(self, request: ToolCallRequest, config: InterruptOnConfig) -> Any:
        """HITL's interrupt value, with what the ledger must know beside it. The arguments travel as the text
        that is shown and hashed."""
        value = super()._tool_approval_request(request, config)
        question = ASKING.get()
        if question is None:
            raise RuntimeError("The gate was asked about a call that it did not prepare.")
        return {
            **value,
            PROVENANCE: {
                "checkpoint_ns": question.call.checkpoint_ns,
                "args_json": canonical(question.args),
                "rule": question.rule.model_dump(mode="json"),
                "tool_hash": question.tool_hash,
                "claim": question.claim,
            },
        }


def asked_before(call: CallRef, row: Approval) -> Question:
    """A call that has a row is what its row says, whatever policy and defaults say by now."""
    return Question(call, json.loads(row.args_json), row.rule, row.tool_hash, row.claim)


def only_async(tool: BaseTool) -> bool:
    """A tool with a coroutine and no function: it would be asked about, approved, and could never run."""
    return getattr(tool, "func", True) is None and getattr(tool, "coroutine", None) is not None


def of_tool(request: ToolCallRequest) -> Call:
    """The call as the policy looks at it."""
    return Call(request.tool_call["name"], request.tool_call["args"], "", "", "")


def call_ref(request: ToolCallRequest) -> CallRef:
    """How LangGraph names the call. Without a call id or a saved thread there is nothing to hold on to."""
    info = request.runtime.execution_info
    tool_call_id = request.tool_call["id"]
    if info is None or info.thread_id is None or not tool_call_id:
        raise RuntimeError("A tool call without an id or outside a saved thread cannot be countersigned.")
    return CallRef(RunId(info.thread_id), info.checkpoint_ns, tool_call_id)


def last_words(state: Any) -> str:
    """What the agent said when it made the call: its claim, which nobody has checked."""
    messages = state.get("messages", []) if isinstance(state, dict) else getattr(state, "messages", [])
    said = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    return as_text(said.text)[:CLAIM_LIMIT] if said else ""
